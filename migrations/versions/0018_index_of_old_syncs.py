"""An index by which the syncs whose time is over are found"""

from __future__ import annotations

from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

NAME = "ix_sitemap_syncs_at"


def upgrade() -> None:
    op.create_index(NAME, "sitemap_syncs", ["at"])


def downgrade() -> None:
    op.drop_index(NAME, "sitemap_syncs")
