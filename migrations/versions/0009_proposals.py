"""Proposals: new texts for posts, beside the present ones"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_TABLE = "blog_post_proposals"
_OPEN = sa.text("state = 'open'")
_JSON = (
    "tags", "keywords", "sources", "source_hashes", "trace", "faq", "json_ld", "outline", "editor_notes",
    "warnings", "request",
)  # fmt: skip


def upgrade() -> None:
    op.add_column("blog_posts", sa.Column("refreshed_at", sa.DateTime(timezone=True), nullable=True))
    op.create_table(
        _TABLE,
        sa.Column("id", _ID, nullable=False),
        sa.Column("blog_post_id", _ID, nullable=False),
        sa.Column("job_id", _ID, nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("post_version", sa.Integer(), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("meta_title", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("primary_keyword", sa.String(length=200), nullable=True),
        sa.Column("language", sa.String(length=35), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("word_count", sa.Integer(), nullable=False),
        sa.Column("reading_minutes", sa.Integer(), nullable=False),
        sa.Column("draft_kind", sa.String(length=12), nullable=False),
        sa.Column("engine", sa.String(length=12), nullable=False),
        sa.Column("quality", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("generator", sa.JSON(none_as_null=True), nullable=True),
        *(sa.Column(name, sa.JSON(none_as_null=True), nullable=False) for name in _JSON),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["blog_post_id"], ["blog_posts.id"], name=op.f(f"fk_{_TABLE}_blog_post_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{_TABLE}")),
        sa.UniqueConstraint("job_id", name=op.f(f"uq_{_TABLE}_job_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(f"ix_{_TABLE}_post", _TABLE, ["blog_post_id"])
    op.create_index(
        f"uq_{_TABLE}_open", _TABLE, ["blog_post_id"], unique=True, postgresql_where=_OPEN, sqlite_where=_OPEN
    )


def downgrade() -> None:
    op.drop_table(_TABLE)
    op.drop_column("blog_posts", "refreshed_at")
