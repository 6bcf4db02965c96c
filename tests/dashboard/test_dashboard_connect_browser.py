"""The way from a finished post to its live address, in a browser as wide as a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.dashboard.conftest import PASSWORD, Visitor
from tests.support import target_kinds
from tests.support.target_kinds import Diary

LONG = "https://donaudampfschifffahrtselektrizitaetenhauptbetriebswerk.example/" + "a" * 200 + "/"


@pytest.fixture
def database_kind() -> str:
    """The pages are the same on both databases."""
    return "sqlite"


class Person:
    """Counts what a person does on the way, and checks that nothing of a page is out of sight."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks = 0

    def click(self, role: str, name: str) -> None:
        self.clicks += 1
        self.page.get_by_role(role, name=name).click()  # type: ignore[arg-type]
        self.page.wait_for_load_state()
        assert self.page.evaluate("document.documentElement.scrollWidth") == 390, self.page.url

    def fill(self, label: str, text: str) -> None:
        self.page.get_by_label(label, exact=True).fill(text)


def test_a_post_is_live_after_five_clicks_and_two_forms(
    alice: Visitor, project_id: int, post: int, served: str, page: Page, diary: Diary
) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{served}/sign-in")
    page.get_by_label("E-mail").fill("alice@example.com")
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "/sign-in" not in url)

    person = Person(page)
    page.goto(f"{served}/projects/{project_id}/posts/{post}")
    person.click("link", "Publish…")
    person.click("link", "Diary")
    person.fill("Address of the diary", LONG)
    person.fill("User name", "Alice")
    person.fill("Password", target_kinds.PASSWORD)
    person.click("button", "Connect and test")
    expect(page.get_by_role("heading", name="The connection works")).to_be_visible()
    person.click("link", "Go on to publish")
    person.click("button", "Publish now")
    assert person.clicks == 5
    alice.run(page.url)
    page.reload()
    expect(page.get_by_role("heading", name="Live at")).to_be_visible()
    expect(page.locator("#address")).to_have_text(f"{LONG}garden-notes")
    expect(page.get_by_role("link", name="See it live")).to_have_attribute("href", f"{LONG}garden-notes")
    page.goto(f"{served}/projects/{project_id}/settings/targets")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
