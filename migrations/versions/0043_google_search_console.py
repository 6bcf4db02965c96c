"""Search results that are fetched from Google Search Console"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0041"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_MOMENT = sa.DateTime(timezone=True)
_PERIOD = ("project_id", "first_day", "last_day")
_CHILDREN = ("search_queries", "search_pages")
_FETCH_JOBS = ("queued", "running")


def upgrade() -> None:
    op.add_column("search_imports", sa.Column("origin", sa.String(10), nullable=False, server_default="file"))
    _unique_periods(old=_PERIOD, new=(*_PERIOD, "origin"))
    _create_connections()
    _create_days()
    for status in _FETCH_JOBS:
        where = sa.text(f"status = '{status}' AND operation = 'IMPORT_SEARCH_PERFORMANCE'")
        op.create_index(
            f"uq_execution_jobs_{status}_fetch",
            "execution_jobs",
            ["project_id"],
            unique=True,
            postgresql_where=where,
            sqlite_where=where,
        )


def downgrade() -> None:
    for status in _FETCH_JOBS:
        op.drop_index(f"uq_execution_jobs_{status}_fetch", "execution_jobs")
    op.drop_table("search_days")
    op.drop_table("search_connections")
    op.execute("DELETE FROM search_imports WHERE origin <> 'file'")
    _unique_periods(old=(*_PERIOD, "origin"), new=_PERIOD)
    op.drop_column("search_imports", "origin")


def _unique_periods(old: tuple[str, ...], new: tuple[str, ...]) -> None:
    """Change what is unique of an import.

    SQLite makes the table anew. The tables that refer to it let go of it meanwhile: their rows would be
    deleted with the old table.
    """
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for child in _CHILDREN if is_sqlite else ():
        with op.batch_alter_table(child, table_kwargs={"sqlite_autoincrement": True}) as table:
            table.drop_constraint(f"fk_{child}_import_id_search_imports", type_="foreignkey")
    with op.batch_alter_table("search_imports", table_kwargs={"sqlite_autoincrement": True}) as table:
        table.drop_constraint(f"uq_search_imports_{'_'.join(old)}", type_="unique")
        table.create_unique_constraint(f"uq_search_imports_{'_'.join(new)}", list(new))
    for child in _CHILDREN if is_sqlite else ():
        with op.batch_alter_table(child, table_kwargs={"sqlite_autoincrement": True}) as table:
            table.create_foreign_key(
                f"fk_{child}_import_id_search_imports",
                "search_imports",
                ["import_id"],
                ["id"],
                ondelete="CASCADE",
            )


def _create_connections() -> None:
    op.create_table(
        "search_connections",
        sa.Column("id", _ID, nullable=False),
        sa.Column("project_id", _ID, nullable=False),
        sa.Column("refresh_token", sa.Text(), nullable=False),
        sa.Column("site_url", sa.String(500), nullable=True),
        sa.Column("last_day", sa.Date(), nullable=True),
        sa.Column("fetched_at", _MOMENT, nullable=True),
        sa.Column("next_fetch_at", _MOMENT, nullable=True),
        sa.Column("failure", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("created_at", _MOMENT, nullable=False),
        sa.Column("updated_at", _MOMENT, nullable=False),
        _of_project("search_connections"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_connections")),
        sa.UniqueConstraint("project_id", name=op.f("uq_search_connections_project_id")),
        sqlite_autoincrement=True,
    )
    is_due = sa.text("next_fetch_at IS NOT NULL")
    op.create_index(
        "ix_search_connections_due",
        "search_connections",
        ["next_fetch_at"],
        postgresql_where=is_due,
        sqlite_where=is_due,
    )


def _create_days() -> None:
    op.create_table(
        "search_days",
        sa.Column("id", _ID, nullable=False),
        sa.Column("project_id", _ID, nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("clicks", _ID, nullable=False),
        sa.Column("impressions", _ID, nullable=False),
        sa.Column("position", sa.Double(), nullable=True),
        _of_project("search_days"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_search_days")),
        sa.UniqueConstraint("project_id", "day", name=op.f("uq_search_days_project_id_day")),
        sqlite_autoincrement=True,
    )


def _of_project(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["project_id"], ["projects.id"], name=op.f(f"fk_{table}_project_id_projects"), ondelete="CASCADE"
    )
