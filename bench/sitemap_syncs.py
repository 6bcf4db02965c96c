"""Whole syncs of a new project, fetch to commit: ``python -m bench.sitemap_syncs URL SIZE FOLDER``.

A first sync, the same again, one with 1 % changed pages, and on PostgreSQL a bare COPY of the same rows (of
what was read, and of the page rows that a first sync writes of it); before all that a small sync, as a worker
has done one before. Prints what each cost, the database included.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

from sqlalchemy import text

from app.factory import create_app
from app.infra.db import db, release
from app.infra.settings import current_settings
from app.pages.model import Page
from app.pages.sitemaps.fetch import fetch_sitemap
from app.pages.sitemaps.url_buffer import UrlBuffer
from app.pages.sync.apply import apply_sitemap
from bench.measuring import Spending
from bench.sitemap_site import PROJECT, SIZES, SitemapSite
from tests.support.sites import project_at

Costs = dict[str, Any]


def round_of(site: SitemapSite, size: str) -> dict[str, Costs]:
    """The costs of the three syncs of a new project, and of bare COPYs."""
    url = site.sitemap(size)
    project_id = project_at(PROJECT, url, email=f"{size}@example.com").id
    site.write(size)
    first, same = _synced(project_id, url), _synced(project_id, url)
    site.write(size, changed=SIZES[size] // 100)
    costs = {"first": first, "same": same, "1 % changed": _synced(project_id, url)}
    if _on_postgresql():
        costs["bare COPY"] = _bare_copy(url, "TEMPORARY", "bytea")
        costs["bare COPY, keyed"] = _bare_copy(url, "", "bytea PRIMARY KEY")
        costs["bare COPY of page rows"] = _copy_of_pages(project_id)
    return costs


def _synced(project_id: int, url: str) -> Costs:
    backend = _backend()
    release()
    with Spending(*backend) as whole:
        buffer = _read(url)
        before = whole.so_far()
        started = time.perf_counter()
        row = apply_sitemap(project_id, None, buffer, 0)
        counts = row.new, row.stale, row.unchanged
        db.session.commit()
        applied, after = time.perf_counter() - started, whole.so_far()
    return {**whole.as_dict(), "apply wall": applied, "apply cpu": after - before, "counts": counts}


def _bare_copy(url: str, kind: str, key: str) -> Costs:
    """COPY of the rows of a reading, already in memory, into a new table, and the commit."""
    rows = list(_read(url).rows())
    backend = _backend()
    connection = db.session.connection().connection.driver_connection
    with Spending(*backend) as spent:
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE {kind} TABLE bare (url_key {key}, url text, lastmod timestamptz)")
            with cursor.copy("COPY bare FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        db.session.commit()
    db.session.execute(text("DROP TABLE bare"))
    db.session.commit()
    return {**spent.as_dict(), "apply wall": spent.wall, "apply cpu": spent.cpu}


def _copy_of_pages(project_id: int) -> Costs:
    """COPY of a project's page rows, already in memory, into a table without any index, and the commit."""
    columns = ", ".join(column.name for column in Page.__table__.columns if column.computed is None)
    backend = _backend()
    connection = db.session.connection().connection.driver_connection
    query = f"COPY (SELECT {columns} FROM pages WHERE project_id = {project_id}) TO STDOUT"
    with connection.cursor() as cursor:
        with cursor.copy(query) as copy:
            rows = [bytes(row) for row in copy]
        with Spending(*backend) as spent:
            cursor.execute("CREATE TABLE bare (LIKE pages INCLUDING GENERATED)")
            with cursor.copy(f"COPY bare ({columns}) FROM STDIN") as copy:
                for row in rows:
                    copy.write(row)
            db.session.commit()
    db.session.execute(text("DROP TABLE bare"))
    db.session.commit()
    return {**spent.as_dict(), "apply wall": spent.wall, "apply cpu": spent.cpu}


def _read(url: str) -> UrlBuffer:
    return fetch_sitemap(
        current_settings(), PROJECT, url, seconds=1800,
        should_stop=lambda: False, on_progress=lambda _urls, _children: None,
    )  # fmt: skip


def _backend() -> list[int]:
    """The process of PostgreSQL that works for us."""
    if not _on_postgresql():
        return []
    found = db.session.scalar(text("SELECT pg_backend_pid()"))
    db.session.commit()
    return [int(found or 0)]


def _on_postgresql() -> bool:
    return db.engine.dialect.name == "postgresql"


def main() -> None:
    url, size, folder = sys.argv[1:]
    site = SitemapSite(Path(folder), url)
    with create_app().app_context(), Spending():
        round_of(site, "few")
        print(json.dumps(round_of(site, size)))


if __name__ == "__main__":
    main()
