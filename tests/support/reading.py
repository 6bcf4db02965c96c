"""Pages that are due on a served site, and one round of reading them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

from sqlalchemy import update

from app.infra import queue
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.settings import current_settings
from app.infra.urls import url_key
from app.pages.crawling.reading import ReadPages, read_due_pages
from app.pages.model import Page
from tests.support.servers import SiteServer
from tests.support.sites import pages_of

HTML = {"Content-Type": "text/html; charset=utf-8"}


def due(project_id: int, *urls: str) -> None:
    """Make pages of these URLs due, in their order."""
    for place, url in enumerate(urls):
        at = utc_now() - timedelta(seconds=100 - place)
        db.session.add(
            Page(project_id=project_id, url=url, url_key=url_key(url), source="SITEMAP", read_due_at=at)
        )
    db.session.commit()


def serve(site: SiteServer, path: str, body: str | bytes, **headers: str) -> str:
    """Serve a page of HTML; returns its address."""
    return site.serve(path, body, headers={**HTML, **headers})


def read(project_id: int, limit: int = 10, should_stop: Callable[[], bool] = lambda: False) -> ReadPages:
    """One round of reading."""
    return read_due_pages(current_settings(), project_id, limit, should_stop)


def page_read(project_id: int, url: str) -> Page:
    """The page after one round of reading."""
    due(project_id, url)
    read(project_id)
    return pages_of(project_id)[url]


def minutes_until_due(page: Page) -> float:
    """How long until a page is read again."""
    assert page.read_due_at is not None
    return (page.read_due_at - utc_now()).total_seconds() / 60


def is_looked_at_again_in_a_week(page: Page) -> bool:
    """Whether a page's next reading is the usual one."""
    return abs(minutes_until_due(page) - 7 * 24 * 60) < 5


def read_again(project_id: int, url: str) -> Page:
    """The page after it became due once more and another round."""
    db.session.execute(update(Page).where(Page.url == url).values(read_due_at=utc_now()))
    db.session.commit()
    read(project_id)
    return pages_of(project_id)[url]


def forget_robots() -> None:
    """Forget what every robots.txt said, as an hour does."""
    for key in queue.redis_client().scan_iter("robots:*"):
        queue.redis_client().delete(key)


def code(page: Page) -> str:
    """The code of the failure to read a page."""
    assert page.fetch_error is not None
    return str(page.fetch_error["code"])
