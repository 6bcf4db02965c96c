"""The staging table: what a sitemap lists, in a temporary table that a sync compares with the pages.

COPY fills it on PostgreSQL, INSERT on SQLite, both in flat memory. It ends with the transaction.
"""

from itertools import chain, islice
from typing import Final, NamedTuple

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    LargeBinary,
    MetaData,
    String,
    Table,
    and_,
    exists,
    func,
    or_,
    outerjoin,
    select,
    text,
)

from app.infra.db import UtcDateTime, db, reading
from app.pages.model import Page
from app.pages.sitemaps.url_buffer import UrlBuffer

STAGING: Final = Table(
    "sitemap_staging",
    MetaData(),
    Column("url_key", LargeBinary(16)),
    Column("url", String(2048)),
    Column("lastmod", UtcDateTime()),
)

NEWER: Final = and_(
    STAGING.c.lastmod.is_not(None), or_(Page.lastmod.is_(None), Page.lastmod < STAGING.c.lastmod)
)
"""The condition that the sitemap states a later change of a page than is stored."""

# The first line of an address counts. Rows that came by COPY lie in the order of their lines.
_DELETE_DUPLICATES: Final = """
    DELETE FROM sitemap_staging USING (
        SELECT url_key, min(ctid) AS first FROM sitemap_staging GROUP BY url_key HAVING count(*) > 1
    ) repeated
    WHERE sitemap_staging.url_key = repeated.url_key AND sitemap_staging.ctid <> repeated.first
"""

# The first line of an address counts. Inserting the rows sorted writes each block of the table once.
_INSERT_SORTED: Final = """
    INSERT OR IGNORE INTO sitemap_staging
    SELECT url_key, url, lastmod FROM sitemap_listed ORDER BY url_key, rowid
"""

_VALUES_PER_INSERT: Final = 300
"""A statement for each row would take longer to start and finish than to do its work."""


class Difference(NamedTuple):
    """Counts of staged URLs and pages. ``changed``: listed pages whose entry has changed."""

    found: int
    known: int
    missing: int
    new: int
    returned: int
    changed: int


def fill(buffer: UrlBuffer) -> int:
    """Create the staging table with what a sitemap lists, each URL once; return how many URLs there are.

    This begins the transaction and locks nothing, because a temporary table belongs to its connection.
    """
    with reading():
        connection = db.session.connection()
    is_postgresql = connection.dialect.name == "postgresql"
    return _copy(connection, buffer) if is_postgresql else _insert(connection, buffer)


def drop() -> None:
    db.session.execute(text("DROP TABLE sitemap_staging"))


def listed() -> ColumnElement[bool]:
    """Return the condition that the staged sitemap lists a page."""
    return exists(select(STAGING.c.url_key).where(STAGING.c.url_key == Page.url_key))


def known_pages(project_id: int) -> ColumnElement[bool]:
    """Return the condition that a page is fresh and was in the project's sitemap at the last sync."""
    return and_(Page.project_id == project_id, Page.in_sitemap, ~Page.is_stale)


def missing_pages(project_id: int) -> ColumnElement[bool]:
    """Return the condition that a known page is not in the staged sitemap."""
    return and_(known_pages(project_id), ~listed())


def compare(project_id: int, found: int) -> Difference:
    """Count, in one pass over both, how the pages differ from the ``found`` staged URLs."""
    is_listed, is_known = STAGING.c.url_key.is_not(None), known_pages(project_id)
    counts = select(
        func.count().filter(is_known),
        func.count().filter(is_known, ~is_listed),
        func.count(STAGING.c.url_key),
        func.count().filter(is_listed, Page.is_stale),
        func.count().filter(is_listed, or_(NEWER, and_(~Page.in_sitemap, ~Page.is_stale))),
    ).select_from(outerjoin(Page, STAGING, STAGING.c.url_key == Page.url_key))
    known, missing, stored, returned, changed = db.session.execute(
        counts.where(Page.project_id == project_id)
    ).one()
    return Difference(found, known, missing, found - stored, returned, changed)


def _copy(connection: Connection, buffer: UrlBuffer) -> int:
    connection.execute(
        text("CREATE TEMPORARY TABLE sitemap_staging (url_key bytea, url text, lastmod timestamptz)")
    )
    # On a table without statistics the planner would choose a nested loop for the comparison.
    connection.execute(text("SET LOCAL enable_nestloop = off"))
    # A plan that needs a nested loop all the same now seems so expensive that it would be compiled for 50 ms.
    connection.execute(text("SET LOCAL jit = off"))
    driver = connection.connection.driver_connection
    assert driver is not None
    with driver.cursor() as cursor:
        with cursor.copy("COPY sitemap_staging FROM STDIN") as copy:
            for block in buffer.blocks():
                copy.write(block)
        count = int(cursor.rowcount)
    return count - connection.execute(text(_DELETE_DUPLICATES)).rowcount


def _insert(connection: Connection, buffer: UrlBuffer) -> int:
    driver = connection.connection.driver_connection
    assert driver is not None
    # Dropped data need not be overwritten: nobody else can read the file of temporary tables.
    driver.execute("PRAGMA temp.secure_delete = OFF")
    driver.execute("CREATE TEMPORARY TABLE sitemap_listed (url_key BLOB, url TEXT, lastmod TEXT)")
    values = chain.from_iterable(buffer.rows())
    while some := list(islice(values, _VALUES_PER_INSERT)):
        rows = ", ".join(["(?, ?, ?)"] * (len(some) // 3))
        driver.execute(f"INSERT INTO sitemap_listed VALUES {rows}", some)  # noqa: S608 – marks, no values
    driver.execute(
        "CREATE TEMPORARY TABLE sitemap_staging"
        " (url_key BLOB PRIMARY KEY, url TEXT, lastmod TEXT) WITHOUT ROWID"
    )
    found = driver.execute(_INSERT_SORTED).rowcount
    driver.execute("DROP TABLE sitemap_listed")
    return int(found)
