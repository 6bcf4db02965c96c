"""Images and covers may be in a bucket instead of the database"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0043"
branch_labels = None
depends_on = None

# A table, and whether SQLite never gives its ids again.
_TABLES = (("project_images", True), ("blog_post_covers", False))


def upgrade() -> None:
    for name, counts in _TABLES:
        with op.batch_alter_table(name, table_kwargs={"sqlite_autoincrement": counts}) as table:
            table.add_column(sa.Column("object_key", sa.String(200)))
            table.alter_column("data", existing_type=sa.LargeBinary(), nullable=True)


def downgrade() -> None:
    _refuse_pictures_in_a_bucket()
    for name, counts in _TABLES:
        with op.batch_alter_table(name, table_kwargs={"sqlite_autoincrement": counts}) as table:
            table.alter_column("data", existing_type=sa.LargeBinary(), nullable=False)
            table.drop_column("object_key")


def _refuse_pictures_in_a_bucket() -> None:
    for name, _ in _TABLES:
        images = sa.table(name, sa.column("object_key"))
        if op.get_bind().scalar(sa.select(sa.literal(1)).where(images.c.object_key.is_not(None)).limit(1)):
            raise RuntimeError(
                "Pictures are in a bucket: run `flask images move` with IMAGE_STORAGE=database first."
            )
