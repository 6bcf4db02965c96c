"""Filters of lists that people save under names"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_UNIQUE = ("account_id", "project_id", "list_name", "name")


def upgrade() -> None:
    op.create_table(
        "saved_filters",
        sa.Column("id", _ID, nullable=False),
        sa.Column("account_id", _ID, nullable=False),
        sa.Column("project_id", _ID, nullable=False),
        sa.Column("list_name", sa.String(20), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("query", sa.String(500), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_saved_filters_account_id"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_saved_filters_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_filters")),
        sa.UniqueConstraint(*_UNIQUE, name=op.f("uq_saved_filters_" + "_".join(_UNIQUE))),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_saved_filters_project_id", "saved_filters", ["project_id"])


def downgrade() -> None:
    op.drop_table("saved_filters")
