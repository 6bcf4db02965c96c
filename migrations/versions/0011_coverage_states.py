"""Which keywords are gaps, and for which pages and posts compete"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

INDEX = "ix_keywords_project_state"


def upgrade() -> None:
    op.add_column("keywords", sa.Column("coverage_state", sa.String(length=9), nullable=True))
    op.add_column("keywords", sa.Column("competing", sa.JSON(none_as_null=True), nullable=True))
    op.create_index(INDEX, "keywords", ["project_id", "coverage_state", "created_at", "id"])
    # The next sweep counts for everybody, which also counts the words of pages that were read before.
    op.execute(
        sa.text("UPDATE projects SET coverage_due_at = CURRENT_TIMESTAMP WHERE coverage_due_at IS NULL")
    )


def downgrade() -> None:
    op.drop_index(INDEX, "keywords")
    op.drop_column("keywords", "competing")
    op.drop_column("keywords", "coverage_state")
