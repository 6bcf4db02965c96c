"""Links to choose a password with, and mails to an address without an account"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0047"
down_revision = "0046"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_ASKED_FOR = sa.text("recipient IS NOT NULL")


def upgrade() -> None:
    op.create_table(
        "account_links",
        sa.Column("id", _ID, nullable=False),
        sa.Column("account_id", _ID, nullable=True),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("digest", sa.LargeBinary(32), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_account_links_account_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_account_links")),
        sa.UniqueConstraint("digest", name=op.f("uq_account_links_digest")),
        sqlite_autoincrement=True,
    )
    for column in ("account_id", "email", "expires_at"):
        op.create_index(f"ix_account_links_{column}", "account_links", [column])
    with op.batch_alter_table("mails", table_kwargs={"sqlite_autoincrement": True}) as mails:
        mails.alter_column("account_id", existing_type=_ID, nullable=True)
        mails.add_column(sa.Column("recipient", sa.String(254), nullable=True))
    op.create_index(
        "ix_mails_recipient",
        "mails",
        ["recipient"],
        postgresql_where=_ASKED_FOR,
        sqlite_where=_ASKED_FOR,
    )


def downgrade() -> None:
    op.execute("DELETE FROM mails WHERE account_id IS NULL")
    op.drop_index("ix_mails_recipient", "mails")
    with op.batch_alter_table("mails", table_kwargs={"sqlite_autoincrement": True}) as mails:
        mails.drop_column("recipient")
        mails.alter_column("account_id", existing_type=_ID, nullable=False)
    op.drop_table("account_links")
