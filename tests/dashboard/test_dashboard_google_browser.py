"""The way to Google's consent and back in a browser, under the security policy of the pages."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.dashboard.conftest import PASSWORD, Visitor
from tests.support.google import GoogleSite, bee_property

SITE = "sc-domain:alice.example.com"


@pytest.fixture
def database_kind() -> str:
    """The pages are the same on both databases."""
    return "sqlite"


@pytest.fixture
def settings_overrides(google: GoogleSite) -> dict[str, str]:
    return google.environment()


def test_a_person_comes_back_from_google_and_reads_the_results(
    alice: Visitor, project_id: int, google: GoogleSite, served: str, page: Page
) -> None:
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    google.add("https://shop.example/")
    google.add(SITE, bee_property())
    page.goto(f"{served}/sign-in?next=/projects/{project_id}/search")
    page.get_by_label("E-mail").fill("alice@example.com")
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Connect Google Search Console").click()
    page.get_by_role("link", name="Connect Google Search Console").click()
    expect(page.get_by_role("heading", name="Choose the site")).to_be_visible()
    assert page.url == f"{served}/projects/{project_id}/search/google/site", "the code is out of the address"
    expect(page.get_by_label("The whole domain")).to_be_checked()
    page.get_by_role("button", name="Read its search results").click()
    page.wait_for_url(re.compile("/executions/"))
    alice.run(page.url)
    page.reload()
    page.get_by_role("link", name="See what to do").click()
    expect(page.get_by_role("heading", name="bee swarm")).to_be_visible()
    expect(page.get_by_role("heading", name="Clicks per week")).to_be_visible()
    assert complaints == []
