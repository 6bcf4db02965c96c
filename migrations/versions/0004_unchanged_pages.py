"""What asks for the changes of a page that was read"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("page_contents", sa.Column("etag", sa.String(length=500), nullable=True))
    op.add_column("page_contents", sa.Column("last_modified", sa.String(length=60), nullable=True))


def downgrade() -> None:
    op.drop_column("page_contents", "last_modified")
    op.drop_column("page_contents", "etag")
