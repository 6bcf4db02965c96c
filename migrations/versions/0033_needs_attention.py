"""What posts link to and are made from, and indexes for what needs attention"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0030"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INDEXES = (
    ("ix_blog_posts_drafts", "blog_posts", ["project_id"], "status = 'draft'"),
    ("ix_blog_posts_troubled", "blog_posts", ["project_id"], "stale_links > 0 OR changed_sources > 0"),
    (
        "ix_blog_posts_changed_since",
        "blog_posts",
        ["project_id"],
        "edited_at > published_at OR refreshed_at > published_at",
    ),
    (
        "ix_publications_troubled",
        "publications",
        ["target_id"],
        "state IN ('failed', 'unknown') OR failure IS NOT NULL OR public_remark IS NOT NULL",
    ),
    ("ix_execution_jobs_failed", "execution_jobs", ["project_id", "completed_at"], "status = 'failed'"),
    ("ix_execution_jobs_retries", "execution_jobs", ["retry_of"], "retry_of IS NOT NULL"),
)


def upgrade() -> None:
    op.create_table(
        "blog_post_pages",
        sa.Column("blog_post_id", _ID, nullable=False),
        sa.Column("url_key", sa.LargeBinary(16), nullable=False),
        sa.Column("project_id", _ID, nullable=False),
        sa.Column("is_linked", sa.Boolean(), nullable=False),
        sa.Column("source_hash", sa.String(64), nullable=True),
        sa.PrimaryKeyConstraint("blog_post_id", "url_key", name=op.f("pk_blog_post_pages")),
        sa.ForeignKeyConstraint(
            ["blog_post_id"],
            ["blog_posts.id"],
            name=op.f("fk_blog_post_pages_blog_post_id_blog_posts"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["project_id"],
            ["projects.id"],
            name=op.f("fk_blog_post_pages_project_id_projects"),
            ondelete="CASCADE",
        ),
    )
    op.create_index("ix_blog_post_pages_page", "blog_post_pages", ["project_id", "url_key", "is_linked"])
    op.add_column("page_contents", sa.Column("answered_url", sa.String(2048), nullable=True))
    op.add_column("blog_posts", sa.Column("stale_links", sa.Integer(), nullable=True))
    op.add_column(
        "blog_posts", sa.Column("changed_sources", sa.Integer(), nullable=False, server_default="0")
    )
    for name, table, columns, where in INDEXES:
        op.create_index(name, table, columns, postgresql_where=sa.text(where), sqlite_where=sa.text(where))
    # The next counts of coverage store the links of present posts, and the state "thin" of keywords.
    op.execute("UPDATE projects SET coverage_due_at = CURRENT_TIMESTAMP WHERE coverage_due_at IS NULL")


def downgrade() -> None:
    for name, table, _columns, _where in reversed(INDEXES):
        op.drop_index(name, table_name=table)
    op.drop_column("page_contents", "answered_url")
    for name in ("changed_sources", "stale_links"):
        op.drop_column("blog_posts", name)
    op.drop_table("blog_post_pages")
