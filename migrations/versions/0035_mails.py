"""Mails to people, and the kinds that they turned off"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0036"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_OPEN = sa.text("state IN ('waiting', 'sending')")


def upgrade() -> None:
    op.create_table(
        "mails",
        sa.Column("id", _ID, nullable=False),
        sa.Column("account_id", _ID, nullable=False),
        sa.Column("project_id", _ID, nullable=True),
        sa.Column("kind", sa.String(30), nullable=False),
        sa.Column("event", sa.String(60), nullable=False),
        sa.Column("facts", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("next_try_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("problem", sa.String(200), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mails")),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_mails_account_id_accounts"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_mails_project_id_projects"), ondelete="CASCADE"
        ),
        sa.UniqueConstraint("account_id", "kind", "event", name=op.f("uq_mails_account_id_kind_event")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_mails_open", "mails", ["next_try_at"], postgresql_where=_OPEN, sqlite_where=_OPEN)
    op.create_index("ix_mails_created_at", "mails", ["created_at"])
    op.create_table(
        "unwanted_mails",
        sa.Column("account_id", _ID, nullable=False),
        sa.Column("kind", sa.String(30), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("account_id", "kind", name=op.f("pk_unwanted_mails")),
        sa.ForeignKeyConstraint(
            ["account_id"],
            ["accounts.id"],
            name=op.f("fk_unwanted_mails_account_id_accounts"),
            ondelete="CASCADE",
        ),
    )


def downgrade() -> None:
    op.drop_table("unwanted_mails")
    op.drop_table("mails")
