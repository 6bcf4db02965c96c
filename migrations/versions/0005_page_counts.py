"""How many pages a project has, and when the newest was added"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_COUNT = """
    UPDATE projects SET
        page_count = (SELECT count(*) FROM pages WHERE pages.project_id = projects.id),
        stale_page_count = (SELECT count(*) FROM pages WHERE pages.project_id = projects.id AND is_stale),
        newest_page_at = (SELECT max(created_at) FROM pages WHERE pages.project_id = projects.id)
"""


def upgrade() -> None:
    for name in ("page_count", "stale_page_count"):
        op.add_column("projects", sa.Column(name, sa.Integer(), nullable=False, server_default="0"))
    op.add_column("projects", sa.Column("newest_page_at", sa.DateTime(timezone=True), nullable=True))
    op.execute(_COUNT)


def downgrade() -> None:
    for name in ("newest_page_at", "stale_page_count", "page_count"):
        op.drop_column("projects", name)
