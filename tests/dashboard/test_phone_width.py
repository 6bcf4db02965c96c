"""The lists of a project at the width of a phone: nothing is out of sight, however long."""

from __future__ import annotations

import pytest
from flask import Flask
from playwright.sync_api import Page as Tab
from sqlalchemy import update

from app.accounts.service import find_account
from app.executions.model import ExecutionJob
from app.infra.db import db
from app.keywords.model import Keyword
from app.pages.model import Page
from app.pages.sync.sync_history import list_syncs
from app.projects.service import create_project, find_project
from tests.dashboard.conftest import PASSWORD, Visitor
from tests.support.servers import SiteServer
from tests.support.sites import index, urlset
from tests.support.sync_jobs import ran

LONG = (
    "how-to-choose-the-right-espresso-grinder-for-a-small-kitchen?utm_campaign=autumn_sale_2024&ref="
    + "0a" * 80
)
WORD = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft"
CUT = """() => [...document.querySelectorAll('main th, main td, main a, main dd, main li, main h1, main p')]
    .filter(part => part.closest('thead') === null && part.getBoundingClientRect().right > innerWidth)
    .map(part => part.textContent.slice(0, 60))"""
OVERLAPPING = """() => [...document.querySelectorAll('main tbody tr')].flatMap(row => {
    const cells = [...row.cells].map(cell => [cell.textContent, cell.getBoundingClientRect()])
    return cells.filter(([, box], at) => cells.slice(0, at).some(([, other]) =>
        box.left < other.right - 1 && other.left < box.right - 1
        && box.top < other.bottom - 1 && other.top < box.bottom - 1
    )).map(([text]) => text.slice(0, 60))
})"""


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def addresses(app: Flask, alice: Visitor, site: SiteServer) -> list[str]:
    """A project with long addresses and titles, and a sync of each kind; returns where it is shown."""
    names = [LONG, WORD, *map(str, range(25))]
    with app.app_context():
        account = find_account("alice@example.com")
        assert account is not None
        sitemap = f"{site.url}/sitemap.xml"
        project_id = create_project(account, {"url": site.url, "name": WORD, "sitemap_url": sitemap}).id
        whole = urlset(f"{site.url}/{name}" for name in names)
        part = index([f"{site.url}/{LONG}"])
        for body in (whole, part, urlset([f"{site.url}/{name}" for name in names[:20]]), urlset([])):
            site.serve("/sitemap.xml", body)
            ran(project_id)
        page = db.session.query(Page).first()
        assert page is not None
        page.title = f"{WORD} {LONG}"
        rivals = {"pages": 2, "posts": 0, "page_ids": [page.id], "post_ids": []}
        contested = {"coverage_state": "contested", "competing": rivals}
        db.session.add(Keyword(project_id=project_id, keyword_text=WORD.lower()[:80], **contested))
        db.session.execute(update(ExecutionJob).values(requested_by="demonstration@example.com"))
        find_project(project_id).name = "Brambleboard"
        db.session.commit()
        syncs = [sync.id for sync in list_syncs(find_project(project_id), 1, 10)[0]]
        here = f"/projects/{project_id}"
        return [
            f"{here}/keywords", "/executions",
            f"{here}/pages", f"{here}/pages?state=stale", f"{here}/pages/{page.id}", f"{here}/syncs",
            *(f"{here}/syncs/{sync}" for sync in syncs), f"{here}/syncs/{syncs[0]}/missing",
        ]  # fmt: skip


@pytest.mark.parametrize("database_kind", ["sqlite"])
def test_nothing_of_a_projects_lists_is_out_of_sight_or_covered(
    addresses: list[str], served: str, page: Tab
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{served}/sign-in")
    page.get_by_label("E-mail").fill("alice@example.com")
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/sign-in" not in url)
    for address in addresses:
        answer = page.goto(served + address)
        assert answer is not None
        assert (answer.status, page.url) == (200, served + address)
        assert page.evaluate("document.documentElement.scrollWidth") == 390, address
        assert page.evaluate(CUT) == [], address
        assert page.evaluate(OVERLAPPING) == [], address
