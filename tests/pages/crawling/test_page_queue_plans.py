"""The queue of pages is asked by its index alone, on both databases, however many pages wait."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import func, insert, select, text, update

from app.config import Settings
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.urls import url_key
from app.pages.crawling.pace import back_off
from app.pages.crawling.page_queue import LOOKS, projects_with_due_pages, take
from app.pages.model import Page
from tests.support.databases import migrate
from tests.support.plans import plans
from tests.support.reading import due
from tests.support.servers import SiteServer
from tests.support.sites import pages_of

pytestmark = pytest.mark.usefixtures("db_app")

PAGES = 10_000
INDEX = "ix_pages_read_queue"


@pytest.fixture
def many(project_id: int, site: SiteServer) -> int:
    """A project with 10,000 due pages: half of them stale, a tenth preferred, a third never read."""
    now, rows = utc_now(), []
    for number in range(PAGES):
        url = f"{site.url}/{number}"
        rows.append(
            {
                "project_id": project_id, "url": url, "url_key": url_key(url), "source": "SITEMAP",
                "read_due_at": now, "always_use": number % 10 == 0, "is_stale": number % 2 == 1,
                "fetched_at": now if number % 3 else None,
            }
        )  # fmt: skip
    db.session.execute(insert(Page), rows)
    db.session.commit()
    with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))
    return project_id


def asks_the_queue(statement: str) -> bool:
    return statement.startswith("SELECT") and "read_rank" in statement


def assert_reads_the_index_alone(plan: str) -> None:
    assert INDEX in plan, plan
    for costly in ("Sort Key: read_due_at", "TEMP B-TREE", "Seq Scan on pages", "SCAN pages"):
        assert costly not in plan, plan


def test_a_batch_is_taken_rank_by_rank_from_the_index_without_a_sort(app: Flask, many: int) -> None:
    last = select(func.max(Page.read_rank)).scalar_subquery()
    later = utc_now() + timedelta(days=1)
    db.session.execute(update(Page).where(Page.read_rank < last).values(read_due_at=later))
    db.session.commit()
    found = plans(lambda: take(many, 25), asks_the_queue)
    assert len(found) == 4
    for plan in found:
        assert_reads_the_index_alone(plan)


def test_a_site_in_backoff_with_very_many_due_pages_costs_a_few_index_scans(
    app: Flask, many: int, site: SiteServer
) -> None:
    back_off(site.url, utc_now() + timedelta(hours=1))
    db.session.commit()
    found = plans(lambda: take(many, 25), asks_the_queue)
    assert len(found) < 2 * LOOKS
    for plan in found:
        assert_reads_the_index_alone(plan)
    is_put_off = Page.read_due_at > utc_now() + timedelta(minutes=50)
    assert db.session.scalar(select(func.count()).where(is_put_off)) == PAGES / 2


def test_projects_with_due_pages_are_found_by_a_probe_of_the_index_for_each_rank(
    app: Flask, many: int
) -> None:
    found = plans(lambda: projects_with_due_pages(10), asks_the_queue)
    assert found
    for plan in found:
        assert_reads_the_index_alone(plan)
        assert plan.count(INDEX) == 4, plan


@pytest.mark.thorough
def test_pages_older_than_the_column_have_their_rank(
    settings: Settings, project_id: int, site: SiteServer
) -> None:
    due(project_id, *(f"{site.url}/{name}" for name in ("new", "again", "preferred")))
    db.session.execute(update(Page).where(~Page.url.endswith("/new")).values(fetched_at=utc_now()))
    db.session.execute(update(Page).where(Page.url.endswith("/preferred")).values(always_use=True))
    db.session.commit()
    db.session.remove()
    db.engine.dispose()
    migrate(settings.database_url, "0005", "downgrade")
    migrate(settings.database_url)
    ranks = {url.rpartition("/")[2]: page.read_rank for url, page in pages_of(project_id).items()}
    assert ranks == {"preferred": 1, "new": 2, "again": 3}
