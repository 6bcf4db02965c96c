"""Lines of queued jobs, and the retention of ended ones"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

QUEUED = sa.text("status = 'queued'")
UNPRUNED = sa.text("pruned_at IS NULL AND completed_at IS NOT NULL")
WITH_ARTEFACTS = sa.text("artefacts IS NOT NULL")


def upgrade() -> None:
    op.add_column("execution_jobs", sa.Column("pruned_at", sa.DateTime(timezone=True), nullable=True))
    line = ["account_id", "operation", "available_at", "id"]
    _create_index("ix_execution_jobs_lines", line, QUEUED)
    _create_index("ix_execution_jobs_unpruned", ["completed_at"], UNPRUNED)
    _create_index("ix_execution_jobs_artefacts", ["completed_at"], WITH_ARTEFACTS)


def downgrade() -> None:
    for name in ("artefacts", "unpruned", "lines"):
        op.drop_index(f"ix_execution_jobs_{name}", table_name="execution_jobs")
    op.drop_column("execution_jobs", "pruned_at")


def _create_index(name: str, columns: list[str], where: sa.TextClause) -> None:
    op.create_index(name, "execution_jobs", columns, postgresql_where=where, sqlite_where=where)
