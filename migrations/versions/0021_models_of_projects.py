"""The language models that a project names for its posts"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None

_NAMES = ("llm_model", "llm_verify_model")


def upgrade() -> None:
    for name in _NAMES:
        op.add_column("projects", sa.Column(name, sa.String(150), nullable=True))


def downgrade() -> None:
    for name in reversed(_NAMES):
        op.drop_column("projects", name)
