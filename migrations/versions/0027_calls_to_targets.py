"""The log of calls to publish targets"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "publish_calls",
        sa.Column("id", _ID, nullable=False),
        sa.Column("target_id", _ID, nullable=False),
        sa.Column("publication_id", sa.String(40), nullable=False),
        sa.Column("job_id", _ID, nullable=True),
        sa.Column("action", sa.String(10), nullable=False),
        sa.Column("outcome", sa.String(13), nullable=False),
        sa.Column("milliseconds", sa.Integer(), nullable=False),
        sa.Column("code", sa.String(40), nullable=True),
        sa.Column("http_status", sa.Integer(), nullable=True),
        sa.Column("answer", sa.String(200), nullable=True),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["target_id"], ["publish_targets.id"], name=op.f("fk_publish_calls_target_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_publish_calls")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_publish_calls_target_newest", "publish_calls", ["target_id", "id"])
    op.create_index("ix_publish_calls_at", "publish_calls", ["at"])


def downgrade() -> None:
    op.drop_table("publish_calls")
