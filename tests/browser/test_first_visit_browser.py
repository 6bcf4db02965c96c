"""From the landing page to a first draft in a real browser, against real processes and a real website."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from devtools.demo_site import served
from tests.browser.marketer import Marketer
from tests.support.processes import RunService, Service

pytestmark = pytest.mark.browser

MOST_CLICKS = 6


@pytest.fixture
def shop() -> Iterator[str]:
    """The address of a small website."""
    with served(0) as port:
        yield f"127.0.0.1:{port}"


@pytest.fixture
def service(run_service: RunService, shop: str) -> Service:
    return run_service("web", "worker", "scheduler", FETCH_ALLOW=shop)


def test_a_visitor_has_a_first_draft_after_few_clicks_and_no_reload(page: Page, service: Service, shop: str):
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: heard.append(str(error)))
    visitor = Marketer(page, service.url)
    visitor.open("/")
    page.get_by_label("Address of your website").fill(f"http://{shop}")
    visitor.click("button", "Read my site")
    page.get_by_label("E-mail").fill("dora@example.com")
    page.get_by_label("Password", exact=True).fill("a long password")
    visitor.click("button", "Create account")
    expect(page.get_by_text("15 pages listed")).to_be_visible()
    visitor.click("button", "Read my site")
    expect(page.get_by_text("15 of 15 read")).to_be_visible()
    idea = page.get_by_role("button", name=re.compile("^Write this one: ")).first
    title = (idea.get_attribute("aria-label") or "").removeprefix("Write this one: ")
    visitor.click("button", f"Write this one: {title}")
    page.wait_for_url("**/posts/*")
    expect(page.get_by_role("heading", level=1)).to_contain_text(title)
    assert visitor.clicks <= MOST_CLICKS
    assert heard == []
