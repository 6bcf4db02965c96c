"""Uploaded cover images of posts, and the colour of a project's generated ones"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("projects", sa.Column("brand_color", sa.String(length=7), nullable=True))
    op.add_column("blog_posts", sa.Column("cover_digest", sa.String(length=64), nullable=True))
    op.create_table(
        "blog_post_covers",
        sa.Column("blog_post_id", _ID, autoincrement=False, nullable=False),
        sa.Column("media_type", sa.String(length=20), nullable=False),
        sa.Column("width", sa.Integer(), nullable=False),
        sa.Column("height", sa.Integer(), nullable=False),
        sa.Column("alt", sa.String(length=300), nullable=True),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["blog_post_id"],
            ["blog_posts.id"],
            name=op.f("fk_blog_post_covers_blog_post_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("blog_post_id", name=op.f("pk_blog_post_covers")),
    )


def downgrade() -> None:
    op.drop_table("blog_post_covers")
    op.drop_column("blog_posts", "cover_digest")
    op.drop_column("projects", "brand_color")
