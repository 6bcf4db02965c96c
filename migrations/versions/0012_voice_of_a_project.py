"""What a project asks of every post"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("projects", sa.Column("global_instructions", sa.Text(), nullable=True))
    op.add_column(
        "projects", sa.Column("avoid", sa.JSON(none_as_null=True), nullable=False, server_default="[]")
    )
    op.add_column("projects", sa.Column("call_to_action", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    for name in ("call_to_action", "avoid", "global_instructions"):
        op.drop_column("projects", name)
