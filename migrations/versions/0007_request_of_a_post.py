"""What a post was asked for"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column(
        "blog_posts", sa.Column("request", sa.JSON(none_as_null=True), nullable=False, server_default="{}")
    )


def downgrade() -> None:
    op.drop_column("blog_posts", "request")
