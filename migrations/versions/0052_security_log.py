"""The security log of accounts"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0052"
down_revision = "0051"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "security_events",
        sa.Column("id", _ID, nullable=False),
        sa.Column("account_id", _ID),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("kind", sa.String(40), nullable=False),
        sa.Column("subject", sa.String(200), nullable=False),
        sa.Column("via", sa.String(120), nullable=False),
        sa.Column("address", sa.String(45)),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name=op.f("fk_security_events_account_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_security_events")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_security_events_account_id_id", "security_events", ["account_id", "id"])
    op.create_index("ix_security_events_at", "security_events", ["at"])


def downgrade() -> None:
    op.drop_table("security_events")
