"""When the deletion of an account was asked for"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0053"
down_revision = "0052"
branch_labels = None
depends_on = None

_GOING = sa.text("deletion_asked_at IS NOT NULL")


def upgrade() -> None:
    op.add_column("accounts", sa.Column("deletion_asked_at", sa.DateTime(timezone=True), nullable=True))
    op.create_index(
        "ix_accounts_going", "accounts", ["deletion_asked_at"], postgresql_where=_GOING, sqlite_where=_GOING
    )


def downgrade() -> None:
    op.drop_index("ix_accounts_going", "accounts")
    op.drop_column("accounts", "deletion_asked_at")
