"""Saved filters of lists that show all projects"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0045"
down_revision = "0044"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_OF_ACCOUNT = sa.text("project_id IS NULL")


def upgrade() -> None:
    with op.batch_alter_table("saved_filters", table_kwargs={"sqlite_autoincrement": True}) as table:
        table.alter_column("project_id", existing_type=_ID, nullable=True)
    op.create_index(
        "ix_saved_filters_account_list",
        "saved_filters",
        ["account_id", "list_name", "name"],
        unique=True,
        postgresql_where=_OF_ACCOUNT,
        sqlite_where=_OF_ACCOUNT,
    )


def downgrade() -> None:
    op.drop_index("ix_saved_filters_account_list", "saved_filters")
    op.execute("DELETE FROM saved_filters WHERE project_id IS NULL")
    with op.batch_alter_table("saved_filters", table_kwargs={"sqlite_autoincrement": True}) as table:
        table.alter_column("project_id", existing_type=_ID, nullable=False)
