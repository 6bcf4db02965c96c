"""Plain names for columns and stored values"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

COLUMNS = (
    # table, old name, new name
    ("execution_jobs", "rung_at", "enqueued_at"),
    ("publications", "sid", "publication_id"),
)


def upgrade() -> None:
    for table, old, new in COLUMNS:
        op.alter_column(table, old, new_column_name=new)
    _rename_in_publications("uq_publications_sid", "publication_id", "ix_publications_unsettled", "open")


def downgrade() -> None:
    for table, old, new in reversed(COLUMNS):
        op.alter_column(table, new, new_column_name=old)
    _rename_in_publications("uq_publications_publication_id", "sid", "ix_publications_open", "unsettled")


def _rename_in_publications(old_unique: str, column: str, old_index: str, index: str) -> None:
    """Rename the unique constraint of a renamed column, and an index; SQLite copies the table for this."""
    is_open = sa.text("state IN ('intent', 'sending', 'unknown')")
    is_active = sa.text("state NOT IN ('failed', 'unpublished')")
    op.drop_index(old_index, "publications")
    op.drop_index("uq_publications_active", "publications")
    with op.batch_alter_table("publications", table_kwargs={"sqlite_autoincrement": True}) as table:
        table.drop_constraint(old_unique, type_="unique")
        table.create_unique_constraint(f"uq_publications_{column}", [column])
    op.create_index(
        f"ix_publications_{index}",
        "publications",
        ["updated_at"],
        postgresql_where=is_open,
        sqlite_where=is_open,
    )
    op.create_index(
        "uq_publications_active",
        "publications",
        ["blog_post_id", "target_id"],
        unique=True,
        postgresql_where=is_active,
        sqlite_where=is_active,
    )
