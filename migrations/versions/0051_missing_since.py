"""Since when the pages of a quarantine have been missing"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0051"
down_revision = "0050"
branch_labels = None
depends_on = None

_OF_THEIR_SYNC = """
    UPDATE sitemap_sync_changes SET missing_since = (SELECT at FROM sitemap_syncs WHERE id = sync_id)
    WHERE kind = 'missing'
"""


def upgrade() -> None:
    op.add_column(
        "sitemap_sync_changes", sa.Column("missing_since", sa.DateTime(timezone=True), nullable=True)
    )
    op.execute(_OF_THEIR_SYNC)


def downgrade() -> None:
    op.drop_column("sitemap_sync_changes", "missing_since")
