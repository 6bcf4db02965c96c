"""Indexes for the newest job of an operation, and for the posts that an account generated in a month"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0050"
down_revision = "0048"
branch_labels = None
depends_on = None

_SUCCEEDED = sa.text("status = 'succeeded'")


def upgrade() -> None:
    op.create_index(
        "ix_execution_jobs_project_operation", "execution_jobs", ["project_id", "operation", "id"]
    )
    op.create_index(
        "ix_execution_jobs_account_done",
        "execution_jobs",
        ["account_id", "operation", "created_at"],
        postgresql_where=_SUCCEEDED,
        sqlite_where=_SUCCEEDED,
    )


def downgrade() -> None:
    op.drop_index("ix_execution_jobs_account_done", "execution_jobs")
    op.drop_index("ix_execution_jobs_project_operation", "execution_jobs")
