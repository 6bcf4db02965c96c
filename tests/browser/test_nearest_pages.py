"""A topic in words that no page has: the nearest pages are offered, and a ticked one makes the draft."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.marketer import Marketer
from tests.support.processes import RunService, Service

pytestmark = pytest.mark.browser

TOPIC = "Making fair duty plans nobody complains about"


@pytest.fixture
def service(run_service: RunService) -> Service:
    return run_service("web", "worker", "scheduler")


@pytest.fixture
def visitor(page: Page, service: Service) -> Marketer:
    """Somebody with the sample site, whose pages are read."""
    visitor = Marketer(page, service.url)
    visitor.open("/sign-up")
    page.get_by_label("E-mail").fill("nora@example.com")
    page.get_by_label("Password", exact=True).fill("a long password")
    visitor.click("button", "Create account")
    visitor.click("button", "Try with a sample site")
    expect(page.get_by_text("15 of 15 read")).to_be_visible()
    visitor.open("/projects/1/posts/generate")
    return visitor


def test_a_ticked_page_makes_a_draft_of_a_topic_in_other_words(page: Page, visitor: Marketer) -> None:
    page.get_by_label("Topic").press_sequentially(TOPIC)
    check = page.get_by_role("status").filter(has_text="by your pages")
    expect(check).to_contain_text("Too little for a draft")
    rotas = check.get_by_role("checkbox", name="How to share weekend shifts fairly")
    rotas.press("Space")
    expect(check).to_contain_text("A draft would quote them from 1 page.")
    expect(rotas).to_be_checked()
    expect(rotas).to_be_focused()
    visitor.click("button", "Write draft")
    page.wait_for_url(re.compile(r"/posts/\d+"))
    expect(page.get_by_role("heading", level=1)).to_contain_text(TOPIC)


def test_a_page_ticked_on_an_outline_makes_it_a_draft(page: Page, visitor: Marketer) -> None:
    page.get_by_label("Topic").fill(TOPIC)
    visitor.click("button", "Write draft")
    page.wait_for_url(re.compile(r"/posts/\d+"))
    post = page.url
    visitor.click("button", "Write from these pages")
    expect(page.get_by_text("Tick the page that answers the topic first.")).to_be_visible()
    page.get_by_role("checkbox", name="How to share weekend shifts fairly").check()
    visitor.click("button", "Write from these pages")
    page.get_by_role("link", name="Compare the texts").click()
    visitor.click("button", "Use this text")
    page.wait_for_url(post)
    expect(page.get_by_text("This is an outline")).to_have_count(0)
    expect(page.locator("#text")).to_contain_text("weekend")
