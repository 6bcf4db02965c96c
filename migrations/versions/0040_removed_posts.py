"""Removed drafts that can be brought back, and indexes for the orders of posts"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0040"
down_revision = "0034"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_MOMENT = sa.DateTime(timezone=True)
_INDEXES = (
    ("ix_blog_posts_changed", ["project_id", "updated_at", "id"]),
    ("ix_blog_posts_title", ["project_id", "title", "primary_keyword", "status", "id"]),
)


def upgrade() -> None:
    op.create_table(
        "post_removals",
        sa.Column("id", _ID, nullable=False),
        sa.Column("project_id", _ID, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_post_removals_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_post_removals")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_post_removals_project", "post_removals", ["project_id", "created_at"])
    op.create_table(
        "removed_posts",
        sa.Column("id", _ID, nullable=False),
        sa.Column("removal_id", _ID, nullable=False),
        sa.Column("blog_post_id", _ID, nullable=False),
        sa.Column("rows", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["removal_id"], ["post_removals.id"], name=op.f("fk_removed_posts_removal_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_removed_posts")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_removed_posts_removal", "removed_posts", ["removal_id"])
    for name, columns in _INDEXES:
        op.create_index(name, "blog_posts", columns)


def downgrade() -> None:
    for name, _ in _INDEXES:
        op.drop_index(name, table_name="blog_posts")
    op.drop_table("removed_posts")
    op.drop_table("post_removals")
