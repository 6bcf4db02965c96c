"""A page that says noindex or names another as its original is in no post, from the served site on."""

from __future__ import annotations

import pytest
from flask import Flask

from app.content.pipeline import generate
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.urls import url_key
from app.pages.model import Page
from tests.support.reading import serve
from tests.support.servers import SiteServer
from tests.support.sites import html, pages_of, project_at

NOINDEX = '<meta name="robots" content="noindex">'


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def beehive(number: int) -> str:
    return f"The beehive number {number} stands on a dry and sunny place in our old garden."


def add(project_id: int, url: str) -> None:
    page = Page(project_id=project_id, url=url, url_key=url_key(url), source="SITEMAP", read_due_at=utc_now())
    db.session.add(page)
    db.session.commit()


@pytest.mark.parametrize(
    ("head", "header"),
    [
        (NOINDEX, {}),
        ("", {"X-Robots-Tag": "noindex, nofollow"}),
        ('<link rel="canonical" href="/1">', {}),
        ('<link rel="canonical" href="https://elsewhere.example/beehive">', {}),
    ],
    ids=["element", "header", "canonical", "foreign-canonical"],
)
def test_such_a_page_is_neither_quoted_nor_linked_to(
    db_app: Flask, site: SiteServer, head: str, header: dict[str, str]
) -> None:
    project_id = project_at(site.url).id
    for number in range(1, 5):
        add(project_id, serve(site, f"/{number}", html(f"Beehive {number}", beehive(number))))
    hidden = serve(site, "/hidden", html("Beehive 9", beehive(9), head=head), **header)
    add(project_id, hidden)
    written = generate(project_id, {"topic": "beehive"}, lambda *_: None, lambda: False)
    assert pages_of(project_id)[hidden].title == "Beehive 9"
    assert "number 1 stands" in written.post.markdown
    assert "number 9" not in written.post.markdown
    assert hidden not in written.post.markdown
    assert hidden not in [source.url for source in written.post.sources]
