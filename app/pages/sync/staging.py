"""The staged sitemap: a temporary table of its URLs, which a sync compares with the pages set by set.

Filled by COPY on PostgreSQL and row by row on SQLite, in flat memory; it ends with the transaction.
"""

from __future__ import annotations

from itertools import chain, islice
from typing import Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    LargeBinary,
    MetaData,
    String,
    Table,
    exists,
    select,
    text,
)

from app.infra.db import UtcDateTime, db, reading
from app.pages.model import Page
from app.pages.sitemaps.url_buffer import Spool

STAGE: Final = Table(
    "sitemap_stage",
    MetaData(),
    Column("url_key", LargeBinary(16)),
    Column("url", String(2048)),
    Column("lastmod", UtcDateTime()),
)

# One address may be listed more than once: its first line counts. Rows that came by COPY lie in their order.
_ONLY_FIRST: Final = """
    DELETE FROM sitemap_stage USING (
        SELECT url_key, min(ctid) AS first FROM sitemap_stage GROUP BY url_key HAVING count(*) > 1
    ) repeated
    WHERE sitemap_stage.url_key = repeated.url_key AND sitemap_stage.ctid <> repeated.first
"""

# The first of the same address stays. Sorted before: putting each row at its place would write most blocks
# many times.
_SORTED: Final = """
    INSERT OR IGNORE INTO sitemap_stage
    SELECT url_key, url, lastmod FROM sitemap_listed ORDER BY url_key, rowid
"""

_AT_ONCE: Final = 300
"""Values in one statement: that of one row takes longer to begin and end than to do its work."""


def fill(spool: Spool) -> int:
    """Stage what a sitemap lists, each URL once; return how many there are.

    It begins the transaction, and locks nothing: what is temporary is the connection's own.
    """
    with reading():
        connection = db.session.connection()
    return _copy(connection, spool) if connection.dialect.name == "postgresql" else _insert(connection, spool)


def drop() -> None:
    """Forget what was staged."""
    db.session.execute(text("DROP TABLE sitemap_stage"))


def staged() -> ColumnElement[bool]:
    """Return the condition on Page that the sitemap lists it."""
    return exists(select(STAGE.c.url_key).where(STAGE.c.url_key == Page.url_key))


def _copy(connection: Connection, spool: Spool) -> int:
    connection.execute(
        text("CREATE TEMPORARY TABLE sitemap_stage (url_key bytea, url text, lastmod timestamptz)")
    )
    # On a table without statistics the planner would choose a nested loop for the diff.
    connection.execute(text("SET LOCAL enable_nestloop = off"))
    # What cannot do without one looks so dear by that that it would be compiled first, for 50 ms.
    connection.execute(text("SET LOCAL jit = off"))
    driver = connection.connection.driver_connection
    assert driver is not None
    with driver.cursor() as cursor:
        with cursor.copy("COPY sitemap_stage FROM STDIN") as copy:
            for block in spool.blocks():
                copy.write(block)
        count = int(cursor.rowcount)
    return count - connection.execute(text(_ONLY_FIRST)).rowcount


def _insert(connection: Connection, spool: Spool) -> int:
    driver = connection.connection.driver_connection
    assert driver is not None
    # What is dropped is not overwritten: nobody else can read the file of temporary tables.
    driver.execute("PRAGMA temp.secure_delete = OFF")
    driver.execute("CREATE TEMPORARY TABLE sitemap_listed (url_key BLOB, url TEXT, lastmod TEXT)")
    values = chain.from_iterable(spool.rows())
    while some := list(islice(values, _AT_ONCE)):
        rows = ", ".join(["(?, ?, ?)"] * (len(some) // 3))
        driver.execute(f"INSERT INTO sitemap_listed VALUES {rows}", some)  # noqa: S608 – marks, no values
    driver.execute(
        "CREATE TEMPORARY TABLE sitemap_stage"
        " (url_key BLOB PRIMARY KEY, url TEXT, lastmod TEXT) WITHOUT ROWID"
    )
    found = driver.execute(_SORTED).rowcount
    driver.execute("DROP TABLE sitemap_listed")
    return int(found)
