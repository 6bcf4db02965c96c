"""Indexes of the pages that posts do not use, and of those that could not be read; both are few"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None

_COLUMNS = ["project_id", "created_at", "id"]
_USED = (
    "{fresh} AND {indexed} AND (canonical_url IS NULL OR canonical_url = url) AND fetch_error IS NULL"
    " AND (word_count > 0 OR fetched_at IS NULL AND word_count IS NULL)"
)


def upgrade() -> None:
    sqlite = _USED.format(fresh="is_stale = 0", indexed="noindex = 0")
    postgresql = _USED.format(fresh="NOT is_stale", indexed="NOT noindex")
    op.create_index(
        "ix_pages_project_unused",
        "pages",
        _COLUMNS,
        sqlite_where=sa.text(f"is_stale = 0 AND ({sqlite}) IS NOT 1"),
        postgresql_where=sa.text(f"NOT is_stale AND ({postgresql}) IS NOT TRUE"),
    )
    op.create_index(
        "ix_pages_project_unreadable",
        "pages",
        _COLUMNS,
        sqlite_where=sa.text("is_stale = 0 AND fetch_error IS NOT NULL"),
        postgresql_where=sa.text("NOT is_stale AND fetch_error IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_index("ix_pages_project_unreadable", "pages")
    op.drop_index("ix_pages_project_unused", "pages")
