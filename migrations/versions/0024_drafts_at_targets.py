"""Several targets of a project, and posts that are hidden drafts at a target"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_DEFAULT = sa.text("is_default")


def upgrade() -> None:
    for column in (
        sa.Column("is_default", sa.Boolean(), nullable=False, server_default=sa.false()),
        sa.Column("removed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("last_check", sa.JSON(none_as_null=True), nullable=True),
    ):
        op.add_column("publish_targets", column)
    op.create_index(
        "uq_publish_targets_default",
        "publish_targets",
        ["project_id"],
        unique=True,
        postgresql_where=_DEFAULT,
        sqlite_where=_DEFAULT,
    )
    op.add_column("publications", sa.Column("slug", sa.String(80), nullable=False, server_default=""))
    op.add_column(
        "publications", sa.Column("desired_state", sa.String(12), nullable=False, server_default="live")
    )
    op.add_column("publications", sa.Column("fingerprint", sa.String(64), nullable=True))
    op.create_table(
        "abandoned_drafts",
        sa.Column("id", _ID, nullable=False),
        sa.Column("target_id", _ID, nullable=False),
        sa.Column("publication_id", sa.String(40), nullable=False),
        sa.Column("external_id", sa.String(200), nullable=False),
        sa.Column("next_try_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["target_id"],
            ["publish_targets.id"],
            name=op.f("fk_abandoned_drafts_target_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_abandoned_drafts")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_abandoned_drafts_target_id", "abandoned_drafts", ["target_id"])
    op.create_index("ix_abandoned_drafts_next_try_at", "abandoned_drafts", ["next_try_at"])


def downgrade() -> None:
    op.drop_table("abandoned_drafts")
    # A state that is unknown below: a hidden draft is not live anywhere.
    op.execute("UPDATE publications SET state = 'failed' WHERE state = 'draft'")
    for name in ("fingerprint", "desired_state", "slug"):
        op.drop_column("publications", name)
    op.drop_index("uq_publish_targets_default", "publish_targets")
    for name in ("last_check", "removed_at", "is_default"):
        op.drop_column("publish_targets", name)
