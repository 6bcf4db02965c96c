"""What a reader got at the address of a post that went live"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("publications", sa.Column("public_status", sa.Integer(), nullable=True))
    op.add_column("publications", sa.Column("public_remark", sa.String(300), nullable=True))


def downgrade() -> None:
    for name in ("public_remark", "public_status"):
        op.drop_column("publications", name)
