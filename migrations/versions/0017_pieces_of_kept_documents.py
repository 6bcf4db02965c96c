"""Kept documents in pieces, so that none needs much memory

What is kept only spares a download: the next sync reads everything once.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.execute("DELETE FROM kept_documents")
    op.drop_column("kept_documents", "packed")
    op.add_column("kept_documents", sa.Column("digest", sa.LargeBinary(length=16), nullable=False))
    op.create_table(
        "kept_pieces",
        sa.Column("project_id", _ID, nullable=False),
        sa.Column("url_key", sa.LargeBinary(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("packed", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id", "url_key"],
            ["kept_documents.project_id", "kept_documents.url_key"],
            name=op.f("fk_kept_pieces_project_id_url_key"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("project_id", "url_key", "number", name=op.f("pk_kept_pieces")),
    )


def downgrade() -> None:
    op.drop_table("kept_pieces")
    op.execute("DELETE FROM kept_documents")
    op.drop_column("kept_documents", "digest")
    op.add_column("kept_documents", sa.Column("packed", sa.LargeBinary(), nullable=False))
