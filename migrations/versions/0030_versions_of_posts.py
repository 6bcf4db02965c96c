"""Versions of posts: each saved text, beginning with the present one"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "blog_post_versions",
        sa.Column("id", _ID, nullable=False),
        sa.Column("blog_post_id", _ID, nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("why", sa.String(length=10), nullable=False),
        sa.Column("by", sa.String(length=200), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("meta_title", sa.String(length=200), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("word_count", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["blog_post_id"],
            ["blog_posts.id"],
            name=op.f("fk_blog_post_versions_blog_post_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_blog_post_versions")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_blog_post_versions_post", "blog_post_versions", ["blog_post_id", "id"])
    op.execute(
        "INSERT INTO blog_post_versions (blog_post_id, version, why, by, title, meta_title, description,"
        " content, word_count, created_at, saved_at)"
        " SELECT id, version, CASE WHEN edited_at IS NULL THEN 'generated' ELSE 'edited' END, '', title,"
        " meta_title, description, content, word_count, updated_at, updated_at FROM blog_posts"
    )


def downgrade() -> None:
    op.drop_table("blog_post_versions")
