"""What syncs remember of a sitemap's documents"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column(
        "sitemap_syncs", sa.Column("not_modified", sa.Integer(), nullable=False, server_default="0")
    )
    _create_table(
        "kept_documents",
        sa.Column("answered_url", sa.String(length=2048), nullable=False),
        sa.Column("etag", sa.String(length=500), nullable=True),
        sa.Column("last_modified", sa.String(length=60), nullable=True),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
    )
    _create_table(
        "gone_children",
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("syncs", sa.Integer(), nullable=False),
    )


def downgrade() -> None:
    op.drop_table("gone_children")
    op.drop_table("kept_documents")
    # A state that is unknown below.
    op.execute("UPDATE sitemap_syncs SET state = 'ok' WHERE state = 'confirmed'")
    op.execute("DELETE FROM sitemap_sync_changes WHERE kind = 'found'")
    op.drop_column("sitemap_syncs", "not_modified")


def _create_table(name: str, *columns: sa.Column[object]) -> None:
    """A table of a project's documents, each known by the key of its address."""
    op.create_table(
        name,
        sa.Column("id", _ID, nullable=False),
        sa.Column("project_id", _ID, nullable=False),
        sa.Column("url_key", sa.LargeBinary(length=16), nullable=False),
        *columns,
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f(f"fk_{name}_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{name}")),
        sa.UniqueConstraint("project_id", "url_key", name=op.f(f"uq_{name}_project_id_url_key")),
        sqlite_autoincrement=True,
    )
