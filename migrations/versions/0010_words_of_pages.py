"""The words and headings of pages, for searching"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

WITH_TEXT = sa.text("word_count IS NOT NULL")


def upgrade() -> None:
    # Filled when a page is read, or searched, the next time: counting a million pages would keep a release waiting.
    op.add_column("page_contents", sa.Column("words", sa.Text(), nullable=True))
    op.add_column("page_contents", sa.Column("headings", sa.Text(), nullable=True))
    op.create_index(
        "ix_pages_with_text",
        "pages",
        ["project_id", "always_use", "id"],
        postgresql_where=WITH_TEXT,
        sqlite_where=WITH_TEXT,
    )


def downgrade() -> None:
    op.drop_index("ix_pages_with_text", "pages")
    op.drop_column("page_contents", "headings")
    op.drop_column("page_contents", "words")
