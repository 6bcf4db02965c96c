"""A page that has not changed costs its site little and the database less, on both databases."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from sqlalchemy import event, inspect, update

from app.infra.db import db
from app.pages.model import PageContent
from app.projects.model import Project
from tests.support.reading import HTML, is_looked_at_again_in_a_week, page_read, read_again, serve
from tests.support.servers import Reply, Request, SiteServer
from tests.support.sites import html

pytestmark = pytest.mark.usefixtures("db_app", "pauses")

MARK = [{"id": "b1", "kind": "p", "text": "Untouched.", "heading_path": []}]
LONG_AGO = format_datetime(datetime.now(UTC) - timedelta(days=30), usegmt=True)


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def mark_stored() -> None:
    """Put other blocks in the place of what was read, so that writing them again would show."""
    db.session.execute(update(PageContent).values(blocks=MARK))
    db.session.commit()


def conditional(site: SiteServer, body: str, headers: Mapping[str, str]) -> str:
    """A page that answers 304 to whom has it already."""

    def answer(request: Request) -> Reply:
        same = request.headers.get("if-none-match") == headers.get("ETag", "-")
        dated = request.headers.get("if-modified-since") == headers.get("Last-Modified", "-")
        return Reply(304, headers) if same or dated else Reply(200, {**HTML, **headers}, body.encode())

    site.routes["/a"] = answer
    return f"{site.url}/a"


@pytest.mark.parametrize("headers", [{"ETag": '"v1"'}, {"ETag": 'W/"v1"'}, {"Last-Modified": LONG_AGO}])
def test_a_page_gets_a_conditional_request(
    project_id: int, site: SiteServer, headers: dict[str, str]
) -> None:
    url = conditional(site, html("A", "Words."), headers)
    first = page_read(project_id, url).fetched_at
    mark_stored()
    page = read_again(project_id, url)
    asked = site.requests_for("/a")[1].headers
    assert asked.get("if-none-match") == headers.get("ETag")
    assert asked.get("if-modified-since") == headers.get("Last-Modified")
    assert (page.title, page.fetch_error, page.read_attempts) == ("A", None, 0)
    assert is_looked_at_again_in_a_week(page)
    assert page.fetched_at is not None
    assert first is not None
    assert page.fetched_at > first
    assert db.session.get_one(PageContent, page.id).blocks == MARK


def test_an_unchanged_page_does_not_have_the_keywords_counted_again(
    project_id: int, site: SiteServer
) -> None:
    url = conditional(site, html("A", "Words."), {"ETag": '"v1"'})
    page_read(project_id, url)
    db.session.execute(update(Project).values(coverage_due_at=None))
    db.session.commit()
    read_again(project_id, url)
    assert db.session.get_one(Project, project_id).coverage_due_at is None


def test_a_page_whose_text_is_the_same_is_not_written_again(project_id: int, site: SiteServer) -> None:
    page_id = page_read(project_id, serve(site, "/a", html("A", "Words."))).id
    mark_stored()
    page = read_again(
        project_id, serve(site, "/a", html("A", "Words.", head="<meta name=description content=x>"))
    )
    assert page.description == "x"
    assert db.session.get_one(PageContent, page_id).blocks == MARK


def test_a_changed_page_is_read_again_with_its_new_validators(project_id: int, site: SiteServer) -> None:
    page_read(project_id, conditional(site, html("A", "Words."), {"ETag": '"v1"'}))
    page = read_again(project_id, conditional(site, html("B", "Other words."), {"ETag": '"v2"'}))
    assert page.title == "B"
    stored = db.session.get_one(PageContent, page.id)
    assert (stored.etag, stored.blocks[1]["text"]) == ('"v2"', "Other words.")


@pytest.mark.parametrize(
    "headers",
    [{"ETag": "unquoted"}, {"ETag": '"' + "x" * 600 + '"'}, {"Last-Modified": "yesterday"}, {}],
    ids=["unquoted", "long", "no-date", "none"],
)
def test_an_invalid_validator_is_not_stored(
    project_id: int, site: SiteServer, headers: dict[str, str]
) -> None:
    url = serve(site, "/a", html("A", "Words."), **headers)
    page_read(project_id, url)
    read_again(project_id, url)
    assert not {"if-none-match", "if-modified-since"} & set(site.requests_for("/a")[1].headers)


def test_the_validators_of_another_address_are_not_used(project_id: int, site: SiteServer) -> None:
    serve(site, "/a/", html("New", "Words."), ETag='"v1"')
    url = site.serve("/a", status=301, headers={"Location": "/a/"})
    page_read(project_id, url)
    read_again(project_id, url)
    assert "if-none-match" not in site.requests_for("/a/")[1].headers


@pytest.mark.parametrize("headers", [{"ETag": '"v1"'}, {"Last-Modified": LONG_AGO}])
def test_a_304_from_the_address_after_a_redirect_is_not_trusted(
    project_id: int, site: SiteServer, headers: dict[str, str]
) -> None:
    url = conditional(site, html("Old", "Old words."), headers)
    page_read(project_id, url)
    conditional(site, html("New", "New words."), headers)
    site.routes["/a/"] = site.routes["/a"]
    site.serve("/a", status=301, headers={"Location": "/a/"})
    assert read_again(project_id, url).title == "New"
    assert len(site.requests_for("/a/")) == 2


def test_a_header_says_noindex_beside_a_304_and_takes_it_back(project_id: int, site: SiteServer) -> None:
    validator = {"ETag": '"v1"'}
    url = conditional(site, html("A", "Words."), validator)
    assert not page_read(project_id, url).noindex
    conditional(site, html("A", "Words."), {**validator, "X-Robots-Tag": "noindex"})
    assert read_again(project_id, url).noindex
    assert read_again(project_id, url).noindex
    conditional(site, html("A", "Words."), validator)
    assert not read_again(project_id, url).noindex


def test_a_page_that_says_noindex_itself_says_so_beside_a_304(project_id: int, site: SiteServer) -> None:
    url = conditional(site, html("A", "Words.", head='<meta name="robots" content="none">'), {"ETag": '"v1"'})
    page_read(project_id, url)
    assert read_again(project_id, url).noindex
    assert "if-none-match" in site.requests_for("/a")[1].headers


def test_a_304_to_an_unconditional_request_is_a_failure(project_id: int, site: SiteServer) -> None:
    page = page_read(project_id, site.serve("/a", status=304))
    assert page.fetch_error is not None
    assert page.fetch_error["details"] == {"status": 304}


@pytest.mark.parametrize("headers", [{}, {"ETag": '"v1"'}], ids=["read-again", "not-modified"])
def test_an_unchanged_page_changes_only_its_times_of_reading(
    project_id: int, site: SiteServer, headers: dict[str, str]
) -> None:
    url = conditional(site, html("A", "Words."), headers)
    page_read(project_id, url)
    written: list[str] = []

    def note(_session: object, context: object, _instances: object) -> None:
        for row in db.session.dirty:
            changed = [each.key for each in inspect(row).attrs if each.history.has_changes()]
            written.extend(f"{type(row).__name__}.{name}" for name in changed)

    event.listen(db.session, "before_flush", note)
    try:
        read_again(project_id, url)
    finally:
        event.remove(db.session, "before_flush", note)
    due = {"Page.read_due_at", "Page.read_attempts", "Page.fetched_at"}
    assert written
    assert set(written) <= due
