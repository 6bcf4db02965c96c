"""The pages that posts do not use are listed and counted, by indexes alone, on both databases."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from sqlalchemy import insert, select, text

from app.content.posts.page_uses import count_left_out
from app.failures import failure
from app.infra.db import db
from app.infra.urls import url_key
from app.pages.model import Page
from app.pages.queries import UNUSED, PageFilter, counts_of_unused, list_pages
from app.pages.usable import why_unused
from app.projects.model import Project
from tests.support.plans import plans
from tests.support.servers import SiteServer
from tests.support.sites import pages_of, project_at, recount

pytestmark = pytest.mark.usefixtures("db_app")

READ = datetime(2026, 1, 1, tzinfo=UTC)
NOT_FOUND = failure("PAGE_UNREACHABLE", "The page could not be read: The server answered 404.").to_dict()
COLUMNS: dict[str, Any] = {
    "word_count": None, "fetched_at": None, "fetch_error": None, "noindex": False, "canonical_url": None,
    "is_stale": False,
}  # fmt: skip
KINDS: dict[str, dict[str, Any]] = {
    "used": {"word_count": 300, "fetched_at": READ},
    "supplied": {"word_count": 300},
    "waiting": {},
    "no-text": {"fetched_at": READ},
    "no-words": {"fetched_at": READ, "word_count": 0},
    "noindex": {"word_count": 300, "fetched_at": READ, "noindex": True},
    "copy": {"word_count": 300, "fetched_at": READ, "canonical_url": "https://bees.example/"},
    "never-answered": {"fetch_error": NOT_FOUND},
    "answers-no-more": {"word_count": 300, "fetched_at": READ, "fetch_error": NOT_FOUND},
    "stale": {"word_count": 300, "fetched_at": READ, "is_stale": True, "fetch_error": NOT_FOUND},
}
UNREADABLE = {"never-answered", "answers-no-more"}
ALL_UNUSED = UNREADABLE | {"no-text", "no-words", "noindex", "copy"}


@pytest.fixture
def one_of_each(project: Project, site: SiteServer) -> Project:
    add(project, site, KINDS)
    return project


def add(project: Project, site: SiteServer, pages: dict[str, dict[str, Any]]) -> None:
    rows = [
        {
            "project_id": project.id,
            "url": url,
            "url_key": url_key(url),
            "source": "SITEMAP",
            **COLUMNS,
            **values,
        }
        for url, values in ((f"{site.url}/{name}", values) for name, values in pages.items())
    ]
    db.session.execute(insert(Page), rows)
    recount(project.id)


def named(project: Project, **where: Any) -> set[str]:
    """The names of the pages on a list, which has as many as it says."""
    pages, total = list_pages(project, PageFilter(**where), 1, 100)
    assert len(pages) == total
    return {page.url.rpartition("/")[2] for page in pages}


def test_pages_that_posts_do_not_use_are_listed_by_why(one_of_each: Project) -> None:
    assert named(one_of_each, unused="any") == ALL_UNUSED
    assert named(one_of_each, unused="unreadable") == UNREADABLE
    counts = count_left_out(one_of_each)
    assert (counts["any"], counts["unreadable"]) == (len(ALL_UNUSED), len(UNREADABLE))


def test_each_listed_page_shows_why_and_every_other_fresh_page_waits_or_is_used(
    one_of_each: Project,
) -> None:
    listed = named(one_of_each, unused="any")
    for url, page in pages_of(one_of_each.id).items():
        if not page.is_stale:
            why = why_unused(page)
            assert (url.rpartition("/")[2] in listed) is (why not in (None, "It has not been read yet.")), url


def test_the_list_can_be_searched(one_of_each: Project) -> None:
    assert named(one_of_each, unused="any", q="ANSWER") == UNREADABLE
    assert named(one_of_each, unused="unreadable", q="copy") == set()


def test_the_pages_of_others_are_not_counted(one_of_each: Project, site: SiteServer) -> None:
    bobs = project_at(site.url, email="bob@example.com")
    assert count_left_out(bobs) == {"any": 0, "unreadable": 0, "unlinked": 0}
    assert named(bobs, unused="any") == set()


def acts(project: Project) -> dict[str, Callable[[], object]]:
    lists = {name: partial(list_pages, project, PageFilter(unused=name), 1, 50) for name in UNUSED}
    return {"count": lambda: db.session.execute(select(*counts_of_unused(project.id))), **lists}


@pytest.mark.thorough
@pytest.mark.parametrize("every", [20, 500])
def test_they_are_found_and_counted_by_their_indexes_alone(
    project: Project, site: SiteServer, every: int
) -> None:
    """Whether a thousand of 20,000 pages are not used or very few."""
    unused = [KINDS[name] for name in sorted(ALL_UNUSED)]
    kinds = [KINDS["used"] if n % every else unused[n // every % len(unused)] for n in range(20_000)]
    add(project, site, {f"page-{n}": kind for n, kind in enumerate(kinds)})
    with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))
    for name, act in acts(project).items():
        plan = "\n".join(plans(act, lambda statement: "FROM pages" in statement))
        assert plan.count("ix_pages_project_un") == 2, (name, plan)
        for costly in ("Sort", "TEMP B-TREE", "Seq Scan", "SCAN pages"):
            assert costly not in plan, (name, plan)
