"""Who published a post in spite of the checks, when and why, kept with its publication"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("publications", sa.Column("override", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    op.drop_column("publications", "override")
