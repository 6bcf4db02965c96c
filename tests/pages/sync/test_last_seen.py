"""When a page was last seen, without a write to the rows of unchanged pages."""

from __future__ import annotations

from datetime import UTC, datetime

from app.pages.model import Page
from app.pages.queries import last_seen
from app.projects.model import Project

MONDAY, FRIDAY = datetime(2026, 1, 5, tzinfo=UTC), datetime(2026, 1, 9, tzinfo=UTC)


def test_a_page_in_the_sitemap_was_seen_by_the_last_complete_sync() -> None:
    page = Page(in_sitemap=True, last_seen_at=MONDAY)
    assert last_seen(Project(last_synced_at=FRIDAY), page) == FRIDAY


def test_a_page_that_a_partial_sync_added_since_was_seen_then() -> None:
    page = Page(in_sitemap=True, last_seen_at=FRIDAY)
    assert last_seen(Project(last_synced_at=MONDAY), page) == FRIDAY


def test_a_page_that_left_the_sitemap_keeps_the_time_of_its_last_sighting() -> None:
    page = Page(in_sitemap=False, last_seen_at=MONDAY)
    assert last_seen(Project(last_synced_at=FRIDAY), page) == MONDAY


def test_a_page_that_was_never_in_a_sitemap_was_never_seen_there() -> None:
    assert last_seen(Project(last_synced_at=FRIDAY), Page(in_sitemap=False, last_seen_at=None)) is None
