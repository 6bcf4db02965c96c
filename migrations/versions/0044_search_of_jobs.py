"""What jobs are about and how long they took, to search and sort them"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0044"
down_revision = "0042"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_FILL = {
    "postgresql": """
        UPDATE execution_jobs SET
            subject = left(lower(coalesce(nullif(result->>'title', ''), nullif(payload->>'title', ''),
                payload->>'topic', '')), 200),
            post_id = coalesce((result->>'blog_post_id')::bigint, (payload->>'blog_post_id')::bigint),
            seconds = coalesce(extract(epoch FROM completed_at - started_at), 0)
    """,
    "sqlite": """
        UPDATE execution_jobs SET
            subject = substr(lower(coalesce(nullif(json_extract(result, '$.title'), ''),
                nullif(json_extract(payload, '$.title'), ''), json_extract(payload, '$.topic'), '')), 1, 200),
            post_id = coalesce(json_extract(result, '$.blog_post_id'), json_extract(payload, '$.blog_post_id')),
            seconds = coalesce((julianday(completed_at) - julianday(started_at)) * 86400, 0)
    """,
}
_SEARCHED = ["account_id", "id", "project_id", "operation", "status", "subject", "post_id"]


def upgrade() -> None:
    op.add_column("execution_jobs", sa.Column("subject", sa.String(200), nullable=False, server_default=""))
    op.add_column("execution_jobs", sa.Column("post_id", _ID, nullable=True))
    op.add_column("execution_jobs", sa.Column("seconds", sa.Double(), nullable=False, server_default="0"))
    op.execute(_FILL[op.get_bind().dialect.name])
    op.drop_index("ix_execution_jobs_account_newest", "execution_jobs")
    op.create_index("ix_execution_jobs_account_search", "execution_jobs", _SEARCHED)
    op.create_index("ix_execution_jobs_account_longest", "execution_jobs", ["account_id", "seconds", "id"])


def downgrade() -> None:
    op.drop_index("ix_execution_jobs_account_longest", "execution_jobs")
    op.drop_index("ix_execution_jobs_account_search", "execution_jobs")
    op.create_index("ix_execution_jobs_account_newest", "execution_jobs", ["account_id", "id"])
    for column in ("seconds", "post_id", "subject"):
        op.drop_column("execution_jobs", column)
