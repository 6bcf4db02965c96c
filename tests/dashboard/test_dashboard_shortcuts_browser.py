"""The keyboard shortcuts in a real browser: they move, keep out of fields, and can be turned off."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect
from werkzeug.serving import make_server

from tests.dashboard.conftest import PASSWORD, Visitor

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


@pytest.fixture
def database_kind() -> str:
    """A page is the same on both databases."""
    return "sqlite"


@pytest.fixture
def desk(app: Flask, alice: Visitor, browser: Browser, things: dict[str, int]) -> Iterator[Page]:
    """Alice's list of keywords."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{server.port}/projects/{things['project_id']}/keywords")
    page.fill("#email", "alice@example.com")
    page.fill("#password", PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/keywords")
    yield page
    context.close()
    server.shutdown()


def press(desk: Page, *keys: str) -> None:
    for key in keys:
        desk.keyboard.press(key)


def test_keys_move_search_and_show_their_list_until_they_are_turned_off(desk: Page) -> None:
    press(desk, "/")
    expect(desk.get_by_placeholder("Search keywords")).to_be_focused()
    press(desk, "g", "p", "?")
    expect(desk.get_by_placeholder("Search keywords")).to_have_value("gp?")

    desk.get_by_role("heading", name="Keywords", exact=True).click()
    press(desk, "n")
    expect(desk.get_by_label("Phrases")).to_be_focused()
    desk.get_by_role("heading", name="Keywords", exact=True).click()
    press(desk, "p", "g", "p")
    desk.wait_for_url("**/pages")

    press(desk, "?")
    sheet = desk.get_by_role("dialog", name="Shortcuts")
    expect(sheet).to_be_visible()
    press(desk, "g", "k")
    sheet.get_by_label("Single keys are shortcuts").uncheck()
    sheet.get_by_role("button", name="Close").click()
    press(desk, "?", "g", "k")
    expect(sheet).to_be_hidden()
    expect(desk).to_have_url(desk.url.rpartition("/")[0] + "/pages")

    desk.get_by_role("link", name="Shortcuts").click()
    sheet.get_by_label("Single keys are shortcuts").check()
    press(desk, "Escape", "g", "k")
    desk.wait_for_url("**/keywords")
