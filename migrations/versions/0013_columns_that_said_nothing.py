"""A project's identity is its URL; a target has no default status

Both columns of a project always held the same; nothing ever read the status of a target. The unique constraint
keeps its name: SQLite could change it only by making the table anew, and with it all that hangs on a project.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_column("projects", "url")
    op.execute("ALTER TABLE projects RENAME COLUMN identity TO url")
    op.drop_column("publish_targets", "default_status")


def downgrade() -> None:
    op.add_column(
        "publish_targets",
        sa.Column("default_status", sa.String(length=10), nullable=False, server_default="live"),
    )
    op.execute("ALTER TABLE projects RENAME COLUMN url TO identity")
    op.add_column("projects", sa.Column("url", sa.String(length=2048), nullable=False, server_default=""))
    op.execute("UPDATE projects SET url = identity")
