"""Pages that have the same text"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0055"
down_revision = "0054"
branch_labels = None
depends_on = None

_OF_THEIR_TEXT = """
    UPDATE pages
    SET text_key = (SELECT substr(content_hash, 1, 32) FROM page_contents WHERE page_id = pages.id)
    WHERE word_count > 0
"""
_WITH_KEY = sa.text("text_key IS NOT NULL")


def upgrade() -> None:
    op.add_column("pages", sa.Column("text_key", sa.String(32), nullable=True))
    op.execute(_OF_THEIR_TEXT)
    op.create_index(
        "ix_pages_same_text",
        "pages",
        ["project_id", "text_key", "id"],
        postgresql_where=_WITH_KEY,
        sqlite_where=_WITH_KEY,
    )


def downgrade() -> None:
    op.drop_index("ix_pages_same_text", "pages")
    op.drop_column("pages", "text_key")
