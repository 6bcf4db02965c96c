"""Plain names for columns and stored values"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

COLUMNS = (
    # table, old name, new name
    ("execution_jobs", "rung_at", "enqueued_at"),
    ("publications", "sid", "publication_id"),
    ("blog_post_proposals", "settled_at", "decided_at"),
)


def upgrade() -> None:
    for table, old, new in COLUMNS:
        op.alter_column(table, old, new_column_name=new)
    _rename_in_publications("uq_publications_sid", "publication_id", "ix_publications_unsettled", "open")
    _rename_sync_state(12, "held", "quarantined")
    _drop_documents("kept_documents", "kept_pieces")
    _create_documents("cached_documents", "cached_chunks", "data")
    _rename_gone("gone_children", "gone_sitemaps")
    _rename_backoffs("resting_sites", "site_backoffs")


def downgrade() -> None:
    _rename_backoffs("site_backoffs", "resting_sites")
    _rename_gone("gone_sitemaps", "gone_children")
    _drop_documents("cached_documents", "cached_chunks")
    _create_documents("kept_documents", "kept_pieces", "packed")
    _rename_sync_state(10, "quarantined", "held")
    for table, old, new in reversed(COLUMNS):
        op.alter_column(table, new, new_column_name=old)
    _rename_in_publications("uq_publications_publication_id", "sid", "ix_publications_open", "unsettled")


def _rename_in_publications(old_unique: str, column: str, old_index: str, index: str) -> None:
    """Rename the unique constraint of a renamed column, and an index; SQLite copies the table for this."""
    is_open = sa.text("state IN ('intent', 'sending', 'unknown')")
    is_active = sa.text("state NOT IN ('failed', 'unpublished')")
    op.drop_index(old_index, "publications")
    op.drop_index("uq_publications_active", "publications")
    with op.batch_alter_table("publications", table_kwargs={"sqlite_autoincrement": True}) as table:
        table.drop_constraint(old_unique, type_="unique")
        table.create_unique_constraint(f"uq_publications_{column}", [column])
    op.create_index(
        f"ix_publications_{index}",
        "publications",
        ["updated_at"],
        postgresql_where=is_open,
        sqlite_where=is_open,
    )
    op.create_index(
        "uq_publications_active",
        "publications",
        ["blog_post_id", "target_id"],
        unique=True,
        postgresql_where=is_active,
        sqlite_where=is_active,
    )


def _rename_sync_state(length: int, old: str, new: str) -> None:
    # SQLite cannot change a column's type, and recreating the table would delete the changes that refer to it.
    op.add_column(
        "sitemap_syncs", sa.Column("new_state", sa.String(length), nullable=False, server_default="ok")
    )
    op.execute(f"UPDATE sitemap_syncs SET new_state = CASE state WHEN '{old}' THEN '{new}' ELSE state END")  # noqa: S608
    op.drop_column("sitemap_syncs", "state")
    op.alter_column("sitemap_syncs", "new_state", new_column_name="state")
    is_postgresql = op.get_context().dialect.name == "postgresql"
    text, json = ("problems::text", "::json") if is_postgresql else ("problems", "")
    code = f"replace({text}, '\"{old.upper()}\"', '\"{new.upper()}\"')"
    op.execute(f"UPDATE sitemap_syncs SET problems = {code}{json} WHERE state = '{new}'")  # noqa: S608


def _drop_documents(documents: str, chunks: str) -> None:
    # They only spare a download: the next sync fetches every document once.
    op.drop_table(chunks)
    op.drop_table(documents)


def _create_documents(documents: str, chunks: str, data: str) -> None:
    _create_by_address(
        documents,
        sa.Column("answered_url", sa.String(length=2048), nullable=False),
        sa.Column("etag", sa.String(length=500), nullable=True),
        sa.Column("last_modified", sa.String(length=60), nullable=True),
        sa.Column("digest", sa.LargeBinary(length=16), nullable=False),
    )
    op.create_table(
        chunks,
        sa.Column("project_id", _ID, nullable=False),
        sa.Column("url_key", sa.LargeBinary(length=16), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column(data, sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["project_id", "url_key"],
            [f"{documents}.project_id", f"{documents}.url_key"],
            name=op.f(f"fk_{chunks}_project_id_url_key"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("project_id", "url_key", "number", name=op.f(f"pk_{chunks}")),
    )


def _rename_gone(old: str, new: str) -> None:
    _create_by_address(
        new,
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("syncs", sa.Integer(), nullable=False),
    )
    columns = "project_id, url_key, since, syncs"
    op.execute(f"INSERT INTO {new} ({columns}) SELECT {columns} FROM {old}")  # noqa: S608
    op.drop_table(old)


def _rename_backoffs(old: str, new: str) -> None:
    op.create_table(
        new,
        sa.Column("origin", sa.String(length=300), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("origin", name=op.f(f"pk_{new}")),
    )
    op.execute(f"INSERT INTO {new} (origin, until) SELECT origin, until FROM {old}")  # noqa: S608
    op.drop_table(old)


def _create_by_address(name: str, *columns: sa.Column[object]) -> None:
    """Create a table of a project's documents, one row for each address."""
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
