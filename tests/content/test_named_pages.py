"""Pages that a generation names: read first when nobody read them, reported when they cannot be used."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

from app.content.drafts import WrittenPost
from app.content.pipeline import generate
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.urls import url_key
from app.pages.model import Page
from tests.support.reading import serve
from tests.support.servers import SiteServer
from tests.support.sites import html, pages_of, project_at


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def project_id(db_app: Flask, site: SiteServer) -> int:
    """A project of thirty pages about cellars that wait to be read, longer than any other."""
    project_id = project_at(site.url).id
    for number in range(30):
        text = f"The cellar number {number} is a cool and dark room below the old kitchen."
        add(project_id, serve(site, f"/cellar-{number}", html(f"Cellar {number}", text)), waited=100)
    return project_id


def beehive(site: SiteServer, number: int) -> str:
    text = f"The beehive number {number} stands on a dry and sunny place in our old garden."
    return serve(site, f"/beehive-{number}", html(f"Beehive {number}", text))


def add(project_id: int, url: str, waited: int = 0) -> int:
    due = utc_now() - timedelta(seconds=waited)
    page = Page(project_id=project_id, url=url, url_key=url_key(url), source="SITEMAP", read_due_at=due)
    db.session.add(page)
    db.session.commit()
    return page.id


def written(project_id: int, heard: list[str] | None = None, **payload: Any) -> WrittenPost:
    def progress(_stage: str, _done: int, _total: int, message: str = "") -> None:
        if heard is not None and message:
            heard.append(message)

    return generate(project_id, {"topic": "beehive", **payload}, progress, lambda: False)


def asked(site: SiteServer) -> list[str]:
    return [request.path for request in site.requests if request.path != "/robots.txt"]


def test_only_the_pages_that_confine_a_post_are_read_for_it(project_id: int, site: SiteServer) -> None:
    ids = [add(project_id, beehive(site, number)) for number in range(4)]
    post = written(project_id, page_ids=ids)
    assert sorted(asked(site)) == [f"/beehive-{number}" for number in range(4)]
    assert post.draft_kind == "extractive"
    assert sorted(source.page_id for source in post.post.sources) == ids
    assert not any("cannot be used" in warning for warning in post.warnings)


def test_required_pages_are_read_before_those_that_wait_longer(project_id: int, site: SiteServer) -> None:
    required = [add(project_id, beehive(site, number)) for number in range(4)]
    post = written(project_id, required_page_ids=required)
    assert sorted(asked(site)[:4]) == [f"/beehive-{number}" for number in range(4)]
    assert sorted(source.page_id for source in post.post.sources) == required


def test_a_named_page_that_was_read_is_not_read_again(project_id: int, site: SiteServer) -> None:
    page_id = add(project_id, beehive(site, 1))
    written(project_id, page_ids=[page_id])
    pages_of(project_id)[f"{site.url}/beehive-1"].read_due_at = utc_now()
    db.session.commit()
    written(project_id, page_ids=[page_id])
    assert asked(site) == ["/beehive-1"]


@pytest.mark.parametrize("member", ["page_ids", "required_page_ids"])
def test_a_named_page_that_cannot_be_read_is_in_the_history_and_the_warnings(
    project_id: int, site: SiteServer, member: str
) -> None:
    missing = f"{site.url}/missing"
    heard: list[str] = []
    post = written(project_id, heard, **{member: [add(project_id, missing)]})
    assert heard == [f"Could not be read: {missing}."]
    (shown,) = [warning for warning in post.warnings if missing in warning]
    failure = pages_of(project_id)[missing].fetch_error
    assert failure is not None
    assert shown == f"{missing} was requested, but cannot be used now. {failure['message']}"


def test_many_pages_that_cannot_be_read_are_one_line(db_app: Flask, site: SiteServer) -> None:
    project_id = project_at(site.url).id
    for number in range(7):
        add(project_id, f"{site.url}/missing-{number}", waited=100 - number)
    heard: list[str] = []
    written(project_id, heard)
    first = ", ".join(f"{site.url}/missing-{number}" for number in range(5))
    assert heard == [f"Could not be read: {first}, and 2 more."]
