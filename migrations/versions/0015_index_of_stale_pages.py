"""An index of stale pages alone: the others are listed by the one of all pages"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

NAME = "ix_pages_project_stale"


def upgrade() -> None:
    op.drop_index(NAME, "pages")
    op.create_index(
        NAME,
        "pages",
        ["project_id", "created_at", "id"],
        postgresql_where=sa.text("is_stale"),
        sqlite_where=sa.text("is_stale = 1"),
    )


def downgrade() -> None:
    op.drop_index(NAME, "pages")
    op.create_index(NAME, "pages", ["project_id", "is_stale", "created_at", "id"])
