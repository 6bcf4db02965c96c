"""A page that is changed by somebody else, a sync above all, while it is read or put off."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import text

from app.infra.clock import utc_now
from app.infra.db import db
from app.pages.crawling import page_queue
from app.projects.model import Project
from tests.support.reading import HTML, due, minutes_until_due, read, serve
from tests.support.servers import Reply, Request, SiteServer
from tests.support.sites import html, pages_of, project_at
from tests.support.syncing import listing, synced

pytestmark = pytest.mark.usefixtures("db_app", "pauses")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def project(db_app: Flask, site: SiteServer) -> Project:
    return project_at(site.url, f"{site.url}/sitemap.xml")


def test_a_page_that_a_sync_finds_changed_while_it_is_read_is_read_again(
    db_app: Flask, project: Project, site: SiteServer
) -> None:
    project_id = project.id
    synced(project, site, listing(site, "a", lastmod="2026-01-01"))

    def answer(_request: Request) -> Reply:
        with db_app.app_context():
            now = f"{utc_now():%Y-%m-%dT%H:%M:%SZ}"
            synced(db.session.get_one(Project, project_id), site, listing(site, "a", lastmod=now))
        return Reply(200, HTML, html("Old", "What it said before.").encode())

    site.routes["/a"] = answer
    db.session.commit()
    assert read(project_id).read == 1
    page = pages_of(project_id)[f"{site.url}/a"]
    assert page.title == "Old"
    assert minutes_until_due(page) < 1
    serve(site, "/a", html("New", "What it says now."))
    read(project_id)
    assert pages_of(project_id)[f"{site.url}/a"].title == "New"


@pytest.mark.parametrize("database_kind", ["postgresql"])  # SQLite has one writer at a time
def test_postponing_pages_does_not_wait_for_a_sync_that_changes_them(
    db_app: Flask, project: Project, site: SiteServer
) -> None:
    project_id = project.id
    due(project_id, *(f"{site.url}/{name}" for name in "abc"))
    first, second, third = (page.id for page in pages_of(project_id).values())
    db.session.commit()
    with db.engine.connect() as syncing:
        syncing.execute(text("SELECT id FROM pages WHERE id = :id FOR UPDATE"), {"id": second})
        page_queue.give_back([first, second, third])
        syncing.rollback()
    waits = {page.id: minutes_until_due(page) > -1 for page in pages_of(project_id).values()}
    assert waits == {first: True, second: False, third: True}
