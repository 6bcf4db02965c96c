"""Posts that are to be published at a time"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_WAITING = sa.text("state = 'waiting'")
_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.create_table(
        "scheduled_publications",
        sa.Column("id", _ID, nullable=False),
        sa.Column("project_id", _ID, nullable=False),
        sa.Column("blog_post_id", _ID, nullable=False),
        sa.Column("target_id", _ID, nullable=False),
        sa.Column("visibility", sa.String(5), nullable=False),
        sa.Column("override_reason", sa.Text(), nullable=True),
        sa.Column("publish_at", _MOMENT, nullable=False),
        sa.Column("next_try_at", _MOMENT, nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("job_id", _ID, nullable=True),
        sa.Column("failure", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("requested_by", sa.String(200), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        *(
            sa.ForeignKeyConstraint(
                [column], [f"{table}.id"], name=f"fk_scheduled_publications_{column}", ondelete="CASCADE"
            )
            for column, table in (
                ("project_id", "projects"),
                ("blog_post_id", "blog_posts"),
                ("target_id", "publish_targets"),
            )
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_scheduled_publications")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "uq_scheduled_publications_waiting",
        "scheduled_publications",
        ["blog_post_id", "target_id"],
        unique=True,
        postgresql_where=_WAITING,
        sqlite_where=_WAITING,
    )
    op.create_index(
        "ix_scheduled_publications_due",
        "scheduled_publications",
        ["next_try_at"],
        postgresql_where=_WAITING,
        sqlite_where=_WAITING,
    )
    op.create_index(
        "ix_scheduled_publications_project_id_publish_at",
        "scheduled_publications",
        ["project_id", "publish_at"],
    )
    for column in ("blog_post_id", "target_id", "job_id"):
        op.create_index(f"ix_scheduled_publications_{column}", "scheduled_publications", [column])


def downgrade() -> None:
    op.drop_table("scheduled_publications")
