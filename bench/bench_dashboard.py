"""CPU and statements of each page of the dashboard, on a project with very many rows in PostgreSQL.

bin/bench dashboard
"""

from __future__ import annotations

import gc
import sys
import time
from statistics import median
from typing import Final

from flask import Flask
from sqlalchemy import text

from app.accounts.service import find_account
from app.config import load_settings
from app.content.model import BlogPost
from app.executions.model import ExecutionJob
from app.factory import create_app
from app.infra.db import db, release
from app.keywords.model import Keyword
from app.keywords.service import add_keyword
from app.operations.registry import operation_named
from app.pages.model import Page
from app.pages.service import add_page
from app.projects.service import create_project
from app.publishing.service import add_target
from bench.documentation_pages import SITE
from bench.stage import stage, table
from tests.dashboard.conftest import Visitor, visitor_with_account
from tests.dashboard.test_dashboard_guards import addresses
from tests.support.plans import listening
from tests.support.publishing import job_of, post_of

PAGES, KEYWORDS, POSTS, JOBS = 100_000, 5_000, 2_000, 50_000
MOST_MILLISECONDS: Final = 50.0
MOST_STATEMENTS: Final = 12
TIMES: Final = 5
_AGO: Final = "now() - n % 400000 * interval '1 minute'"


def main() -> int:
    """Print the pages that cost most. Returns the exit status: 1 if one is over the bars."""
    with stage() as servers:
        settings = load_settings(servers.environment(DATABASE_URL=servers.database()))
        app = create_app(settings)
        alice = visitor_with_account(app, "alice@example.com")
        with app.app_context():
            things = _one_of_each()
            _multiply(things["project_id"])
            release()
        rows = [
            _measured(app, alice, path) for _, path in addresses(app, things, "GET") if _opens(alice, path)
        ]
    rows.sort(reverse=True)
    print(table(["CPU ms", "statements", "page"], [(f"{ms:.1f}", number, path) for ms, number, path in rows]))
    return int(any(ms > MOST_MILLISECONDS or number > MOST_STATEMENTS for ms, number, _ in rows))


def _one_of_each() -> dict[str, int]:
    account = find_account("alice@example.com")
    assert account is not None
    project = create_project(account, {"url": SITE, "name": "Alice's shop"})
    page = add_page(
        project, {"url": f"{SITE}grinders", "content": "# Grinders\n\nEspresso grinders grind."}
    ).page
    keyword, _ = add_keyword(project, {"keyword_text": "espresso grinder"})
    target, _ = add_target(project, "webhook", "Blog", {"url": "https://hooks.example.com/posts"})
    return {
        "project_id": project.id,
        "page_id": page.id,
        "keyword_id": keyword.id,
        "target_id": target.id,
        "post_id": post_of(project).id,
        "job_id": job_of(project, "succeeded"),
    }


def _multiply(project_id: int) -> None:
    """Copy the page, the keyword, the post and the job of a project very often."""
    name = operation_named("GENERATE_BLOG_POST").name
    _copy(Page, PAGES, url=f"'{SITE}' || n", url_key="decode(md5(n::text), 'hex')", title="'Thing ' || n",
          is_stale="n % 50 = 0", created_at=_AGO)  # fmt: skip
    _copy(Keyword, KEYWORDS, keyword_text="'keyword ' || n", created_at=_AGO)
    _copy(BlogPost, POSTS, slug="'post-' || n", title="'Thing ' || n", created_at=_AGO,
          published_at=f"CASE n % 3 WHEN 0 THEN {_AGO} END")  # fmt: skip
    _copy(ExecutionJob, JOBS, operation=f"'{name}'", completed_at=_AGO, created_at=_AGO,
          status="CASE n % 25 WHEN 0 THEN 'failed' ELSE 'succeeded' END")  # fmt: skip
    counts = f"page_count = {PAGES + 1}, stale_page_count = (SELECT count(*) FROM pages WHERE is_stale)"
    db.session.execute(text(f"UPDATE projects SET {counts} WHERE id = {project_id}"))
    db.session.commit()
    with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM ANALYZE"))


def _copy(model: type, times: int, **changed: str) -> None:
    columns = [
        column.name
        for column in model.__table__.columns  # type: ignore[attr-defined]
        if column.computed is None and not column.primary_key
    ]
    values = [changed.get(name, f"s.{name}") for name in columns]
    name = model.__tablename__  # type: ignore[attr-defined]
    source = f"(SELECT * FROM {name} LIMIT 1) s, generate_series(1, {times}) n"
    db.session.execute(
        text(f"INSERT INTO {name} ({', '.join(columns)}) SELECT {', '.join(values)} FROM {source}")
    )
    db.session.commit()


def _opens(visitor: Visitor, path: str) -> bool:
    answer = visitor.get(path)
    answer.close()  # a file that is still being sent would share its context with the next request
    return answer.status_code == 200


def _measured(app: Flask, visitor: Visitor, path: str) -> tuple[float, int, str]:
    with app.app_context():
        engine = db.engine
    with listening(engine) as executed:
        visitor.get(path).close()
    return median(_milliseconds(visitor, path) for _ in range(TIMES)), len(executed), path


def _milliseconds(visitor: Visitor, path: str) -> float:
    gc.collect()
    before = time.process_time()
    visitor.get(path).close()
    return (time.process_time() - before) * 1000


if __name__ == "__main__":
    sys.exit(main())
