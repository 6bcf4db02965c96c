"""Plain names for columns and stored values"""

from __future__ import annotations

from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

COLUMNS = (
    # table, old name, new name
    ("execution_jobs", "rung_at", "enqueued_at"),
)


def upgrade() -> None:
    for table, old, new in COLUMNS:
        op.alter_column(table, old, new_column_name=new)


def downgrade() -> None:
    for table, old, new in reversed(COLUMNS):
        op.alter_column(table, new, new_column_name=old)
