"""Posts that a target had before a publication took them over"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("publications", sa.Column("existing_id", sa.String(200), nullable=True))


def downgrade() -> None:
    op.drop_column("publications", "existing_id")
