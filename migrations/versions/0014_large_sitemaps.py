"""Sizes of sitemaps over 2 GB, and pages whose date cannot be"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

MOST = 2**31 - 1
FORGET = "UPDATE pages SET lastmod = NULL WHERE lastmod < '1970-01-01' OR lastmod > "


def upgrade() -> None:
    # A date far ahead would hide every true one that follows: the next sync says it anew.
    if op.get_context().dialect.name == "postgresql":
        op.alter_column("sitemap_syncs", "bytes", type_=sa.BigInteger(), existing_type=sa.Integer())
        op.execute(sa.text(FORGET + "now() + interval '1 day'"))
    else:  # SQLite's INTEGER has 64 bits already
        op.execute(sa.text(FORGET + "datetime('now', '+1 day')"))


def downgrade() -> None:
    if op.get_context().dialect.name == "postgresql":
        op.alter_column(
            "sitemap_syncs",
            "bytes",
            type_=sa.Integer(),
            existing_type=sa.BigInteger(),
            postgresql_using=f"least(bytes, {MOST})",
        )
