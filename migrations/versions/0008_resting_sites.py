"""Which sites are left alone, and until when"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "resting_sites",
        sa.Column("origin", sa.String(length=300), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("origin", name=op.f("pk_resting_sites")),
    )


def downgrade() -> None:
    op.drop_table("resting_sites")
