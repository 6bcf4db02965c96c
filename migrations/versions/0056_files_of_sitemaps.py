"""The documents of a project's sitemap"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0056"
down_revision = "0055"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "sitemap_files",
        sa.Column("id", _ID, nullable=False),
        sa.Column("project_id", _ID, nullable=False),
        sa.Column("url", sa.String(2048), nullable=False),
        sa.Column("urls", sa.Integer(), nullable=False),
        sa.Column("sitemaps", sa.Integer(), nullable=False),
        sa.Column("invalid", sa.Integer(), nullable=False),
        sa.Column("error", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["project_id"], ["projects.id"], name=op.f("fk_sitemap_files_project_id"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sitemap_files")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_sitemap_files_project", "sitemap_files", ["project_id", "id"])


def downgrade() -> None:
    op.drop_table("sitemap_files")
