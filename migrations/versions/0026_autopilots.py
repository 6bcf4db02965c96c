"""Autopilots of projects and their runs, and the index of the calendar"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_JSON = sa.JSON(none_as_null=True)
_MOMENT = sa.DateTime(timezone=True)
_OPEN = sa.text("state IN ('writing', 'publishing')")


def upgrade() -> None:
    op.create_table(
        "autopilots",
        sa.Column("project_id", _ID, nullable=False),
        sa.Column("weekdays", _JSON, nullable=False),
        sa.Column("hour", sa.Integer(), nullable=False),
        sa.Column("time_zone", sa.String(64), nullable=False),
        sa.Column("mode", sa.String(5), nullable=False),
        sa.Column("target_id", _ID, nullable=True),
        sa.Column("enabled", sa.Boolean(), nullable=False),
        sa.Column("next_run_at", _MOMENT, nullable=True),
        sa.Column("failures", sa.Integer(), nullable=False),
        sa.Column("paused_reason", sa.Text(), nullable=True),
        sa.Column("requested_by", sa.String(200), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        _key("autopilots", "project_id", "projects", "CASCADE"),
        _key("autopilots", "target_id", "publish_targets", "SET NULL"),
        sa.PrimaryKeyConstraint("project_id", name=op.f("pk_autopilots")),
    )
    op.create_index("ix_autopilots_next_run_at", "autopilots", ["next_run_at"])
    op.create_index("ix_autopilots_target_id", "autopilots", ["target_id"])
    op.create_table(
        "autopilot_runs",
        sa.Column("id", _ID, nullable=False),
        sa.Column("project_id", _ID, nullable=False),
        sa.Column("due_at", _MOMENT, nullable=False),
        sa.Column("subject", sa.String(200), nullable=False),
        sa.Column("mode", sa.String(5), nullable=False),
        sa.Column("target_id", _ID, nullable=True),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("job_id", _ID, nullable=True),
        sa.Column("publish_job_id", _ID, nullable=True),
        sa.Column("failure", _JSON, nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        _key("autopilot_runs", "project_id", "projects", "CASCADE"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_autopilot_runs")),
        sa.UniqueConstraint("project_id", "due_at", name=op.f("uq_autopilot_runs_project_id_due_at")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_autopilot_runs_open", "autopilot_runs", ["id"], postgresql_where=_OPEN, sqlite_where=_OPEN
    )
    op.create_index("ix_blog_posts_published", "blog_posts", ["project_id", "published_at"])


def downgrade() -> None:
    op.drop_index("ix_blog_posts_published", "blog_posts")
    op.drop_table("autopilot_runs")
    op.drop_table("autopilots")


def _key(table: str, column: str, other: str, on_delete: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_{column}")
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=name, ondelete=on_delete)
