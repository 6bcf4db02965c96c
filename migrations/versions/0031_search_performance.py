"""Uploaded files, imported search results and removed keywords"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0033"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    _upload_tables()
    op.create_table(
        "search_imports",
        sa.Column("id", _ID, nullable=False),
        sa.Column("project_id", _ID, nullable=False),
        sa.Column("first_day", sa.Date(), nullable=False),
        sa.Column("last_day", sa.Date(), nullable=False),
        sa.Column("source", sa.String(200), nullable=False),
        sa.Column("queries", sa.Integer(), nullable=False),
        sa.Column("pages", sa.Integer(), nullable=False),
        sa.Column("clicks", _ID, nullable=False),
        sa.Column("impressions", _ID, nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        _of_project("search_imports"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_imports")),
        sa.UniqueConstraint(
            "project_id",
            "first_day",
            "last_day",
            name=op.f("uq_search_imports_project_id_first_day_last_day"),
        ),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_search_imports_project_latest", "search_imports", ["project_id", "last_day", "id"])
    _figures("search_queries", "query", sa.Column("query", sa.String(200), nullable=False))
    _figures(
        "search_pages",
        "url_key",
        sa.Column("url", sa.String(2048), nullable=False),
        sa.Column("url_key", sa.LargeBinary(16), nullable=False),
    )


def downgrade() -> None:
    for name in ("search_pages", "search_queries", "search_imports", "keyword_removals", "uploaded_files"):
        op.drop_table(name)


def _upload_tables() -> None:
    op.create_table(
        "uploaded_files",
        sa.Column("id", _ID, nullable=False),
        sa.Column("project_id", _ID, nullable=False),
        sa.Column("purpose", sa.String(10), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("data", sa.LargeBinary(), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        _of_project("uploaded_files"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_uploaded_files")),
        sa.UniqueConstraint("project_id", "purpose", name=op.f("uq_uploaded_files_project_id_purpose")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "keyword_removals",
        sa.Column("id", _ID, nullable=False),
        sa.Column("project_id", _ID, nullable=False),
        sa.Column("keywords", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", _MOMENT, nullable=False),
        _of_project("keyword_removals"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_keyword_removals")),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_keyword_removals_project", "keyword_removals", ["project_id", "created_at"])


def _figures(table: str, unique: str, *subject: sa.Column) -> None:
    op.create_table(
        table,
        sa.Column("id", _ID, nullable=False),
        sa.Column("import_id", _ID, nullable=False),
        *subject,
        sa.Column("clicks", _ID, nullable=False),
        sa.Column("impressions", _ID, nullable=False),
        sa.Column("position", sa.Double(), nullable=True),
        sa.ForeignKeyConstraint(
            ["import_id"],
            ["search_imports.id"],
            name=op.f(f"fk_{table}_import_id_search_imports"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f(f"pk_{table}")),
        sa.UniqueConstraint("import_id", unique, name=op.f(f"uq_{table}_import_id_{unique}")),
        sqlite_autoincrement=True,
    )
    op.create_index(f"ix_{table}_import_impressions", table, ["import_id", "impressions", "id"])


def _of_project(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["project_id"], ["projects.id"], name=op.f(f"fk_{table}_project_id_projects"), ondelete="CASCADE"
    )
