"""The queue of pages to be read, by rank"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_RANK = (
    "CASE WHEN always_use THEN 0 ELSE 2 END"
    " + CASE WHEN fetched_at IS NULL OR lastmod > fetched_at THEN 0 ELSE 1 END"
)


def upgrade() -> None:
    op.drop_index("ix_pages_read_due", "pages")
    # Computed for the rows that are there, too. SQLite can add such a column only without storing it but in
    # the index.
    rank = sa.Computed(_RANK, persisted=op.get_context().dialect.name == "postgresql")
    op.add_column("pages", sa.Column("read_rank", sa.SmallInteger(), rank, nullable=False))
    op.create_index(
        "ix_pages_read_queue",
        "pages",
        ["project_id", "read_rank", "read_due_at", "id"],
        postgresql_where=sa.text("read_due_at IS NOT NULL AND NOT is_stale"),
        sqlite_where=sa.text("read_due_at IS NOT NULL AND is_stale = 0"),
    )


def downgrade() -> None:
    op.drop_index("ix_pages_read_queue", "pages")
    op.drop_column("pages", "read_rank")
    op.create_index(
        "ix_pages_read_due",
        "pages",
        ["read_due_at", "id"],
        postgresql_where=sa.text("read_due_at IS NOT NULL"),
        sqlite_where=sa.text("read_due_at IS NOT NULL"),
    )
