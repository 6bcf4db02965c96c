"""In which order pages are read: the preferred, the new and the changed, then all that is seen again."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import update

from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.urls import url_key
from app.pages.crawling.page_queue import take
from app.pages.model import Page
from app.pages.service import add_page, set_always_use
from app.projects.model import Project
from tests.support.reading import minutes_until_due, page_read, read, read_again, serve
from tests.support.servers import SiteServer
from tests.support.sites import html, pages_of
from tests.support.syncing import listing, synced

pytestmark = pytest.mark.usefixtures("db_app", "pauses")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def waiting(project_id: int, site: SiteServer, name: str, minutes: int, **values: Any) -> None:
    """A page that has been due for so many minutes."""
    url = serve(site, f"/{name}", html(name, "Words."))
    due_at = utc_now() - timedelta(minutes=minutes)
    db.session.add(
        Page(
            project_id=project_id, url=url, url_key=url_key(url), source="SITEMAP",
            read_due_at=due_at, **values
        )
    )  # fmt: skip
    db.session.commit()


def names(urls: Iterable[str]) -> list[str]:
    return [url.rpartition("/")[2] for url in urls]


def a_queue_of_all_kinds(project_id: int, site: SiteServer) -> None:
    a_week_ago = utc_now() - timedelta(days=7)
    waiting(project_id, site, "again", 900, fetched_at=a_week_ago)
    waiting(project_id, site, "again-older-lastmod", 800, fetched_at=a_week_ago, lastmod=a_week_ago)
    waiting(project_id, site, "new-late", 1)
    waiting(project_id, site, "new-early", 2)
    waiting(project_id, site, "changed", 3, fetched_at=a_week_ago, lastmod=utc_now() - timedelta(days=1))
    waiting(project_id, site, "preferred-again", 4, fetched_at=a_week_ago, always_use=True)
    waiting(project_id, site, "preferred-new", 3, always_use=True)


ORDER = [
    "preferred-new",
    "preferred-again",
    "changed",
    "new-early",
    "new-late",
    "again",
    "again-older-lastmod",
]


def test_the_queue_is_taken_in_its_order(project_id: int, site: SiteServer) -> None:
    a_queue_of_all_kinds(project_id, site)
    assert names([page.url for page in take(project_id, 10)]) == ORDER
    assert take(project_id, 10) == []


def test_pages_are_read_in_the_queues_order_and_the_rest_stays_due(project_id: int, site: SiteServer) -> None:
    a_queue_of_all_kinds(project_id, site)
    first = read(project_id, limit=4)
    assert (first.read, first.more) == (4, True)
    asked = names([request.path for request in site.requests if request.path != "/robots.txt"])
    assert asked == ORDER[:4]
    assert names([page.url for page in take(project_id, 10)]) == ORDER[4:]


def test_a_sync_puts_a_changed_page_before_those_that_are_only_checked_again(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, listing(site, "again", "changed"))
    project_id, yesterday = project.id, utc_now() - timedelta(days=1)
    db.session.execute(update(Page).values(fetched_at=yesterday, read_due_at=yesterday))
    db.session.execute(
        update(Page).where(Page.url.endswith("/changed")).values(read_due_at=utc_now() + timedelta(days=6))
    )
    db.session.commit()
    now = utc_now().isoformat(timespec="seconds")
    body = listing(site, "again", "changed").replace(
        "/changed</loc>", f"/changed</loc><lastmod>{now}</lastmod>"
    )
    synced(db.session.get_one(Project, project_id), site, body)
    assert names([page.url for page in take(project_id, 10)]) == ["changed", "again"]


def test_a_page_is_read_before_others_as_soon_as_it_is_always_used(project_id: int, site: SiteServer) -> None:
    a_week_ago = utc_now() - timedelta(days=7)
    waiting(project_id, site, "new", 2)
    waiting(project_id, site, "again", 1, fetched_at=a_week_ago)
    again = pages_of(project_id)[f"{site.url}/again"]
    assert again.read_rank == 3
    set_always_use(again, True)
    assert again.read_rank == 1
    set_always_use(again, False)
    assert again.read_rank == 3
    set_always_use(again, True)
    assert names([page.url for page in take(project_id, 10)]) == ["again", "new"]


def test_an_unreadable_page_keeps_its_rank_and_a_read_one_is_only_checked_again(
    project_id: int, site: SiteServer
) -> None:
    absent = f"{site.url}/absent"
    page = page_read(project_id, absent)
    assert (page.fetch_error is not None, page.read_rank) == (True, 2)
    serve(site, "/absent", html("Here", "Words."))
    assert read_again(project_id, absent).read_rank == 3


def test_a_page_that_is_added_by_hand_has_the_rank_of_a_new_one(project_id: int, site: SiteServer) -> None:
    project = db.session.get_one(Project, project_id)
    preferred = add_page(project, {"url": f"{site.url}/preferred", "always_use": True}).page
    usual = add_page(project, {"url": f"{site.url}/usual"}).page
    assert (preferred.read_rank, usual.read_rank) == (0, 2)


def test_a_lastmod_before_the_last_reading_does_not_make_a_page_changed(
    project: Project, site: SiteServer
) -> None:
    synced(project, site, listing(site, "a"))
    db.session.execute(update(Page).values(fetched_at=utc_now(), read_due_at=utc_now() + timedelta(days=6)))
    db.session.commit()
    ranks = []
    for lastmod in ("2020-01-01", (utc_now() + timedelta(hours=1)).isoformat(timespec="seconds")):
        body = listing(site, "a").replace("</loc>", f"</loc><lastmod>{lastmod}</lastmod>")
        synced(db.session.get_one(Project, project.id), site, body)
        page = pages_of(project.id)[f"{site.url}/a"]
        assert minutes_until_due(page) <= 0
        ranks.append(page.read_rank)
    assert ranks == [3, 2]
