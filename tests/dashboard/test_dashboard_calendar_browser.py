"""The calendar in a real browser: a planned post is moved by keys, by dragging and in the dialog."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
from flask import Flask
from playwright.sync_api import Browser, Locator, Page, expect
from werkzeug.serving import make_server

from app.infra.local_time import monday_of
from tests.dashboard.conftest import PASSWORD, Visitor
from tests.dashboard.test_dashboard_calendar import planned

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

TUESDAY = monday_of(date.today()) + timedelta(days=8)
TITLE = "Garden notes no. 1"


@pytest.fixture
def database_kind() -> str:
    """A page is the same on both databases."""
    return "sqlite"


@pytest.fixture
def desk(app: Flask, alice: Visitor, browser: Browser, things: dict[str, int]) -> Iterator[Page]:
    """Alice's calendar with a post planned for nine on Tuesday of next week, and a draft in the tray."""
    planned(app, things, datetime(TUESDAY.year, TUESDAY.month, TUESDAY.day, 9, tzinfo=UTC))
    server = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    context = browser.new_context(timezone_id="UTC", viewport={"width": 1280, "height": 1100})
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{server.port}/projects/{things['project_id']}/calendar")
    page.fill("#email", "alice@example.com")
    page.fill("#password", PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/calendar")
    yield page
    context.close()
    server.shutdown()


def day(desk: Page, days: int) -> Locator:
    """The day that is so many days after the Tuesday."""
    return desk.locator(f'[data-date="{TUESDAY + timedelta(days=days)}"]')


def test_a_planned_post_is_moved_by_keys_by_dragging_and_in_the_dialog(desk: Page) -> None:
    entry = desk.get_by_role("link", name=TITLE)
    entry.focus()
    for key in ("m", "ArrowRight", "ArrowDown", "Escape"):
        desk.keyboard.press(key)
    expect(day(desk, 0)).to_contain_text(TITLE)

    for key in ("m", "ArrowRight", "ArrowDown", "Enter"):
        desk.keyboard.press(key)
    expect(desk.get_by_text("Moved: the post will be published on")).to_be_visible()
    expect(day(desk, 8)).to_contain_text(f"09:00 planned {TITLE}")
    expect(entry).to_be_focused()

    entry.drag_to(day(desk, 3))
    expect(day(desk, 3)).to_contain_text(f"09:00 planned {TITLE}")

    entry.press("Enter")
    desk.get_by_label("Day and time").fill(f"{TUESDAY}T11:30")
    desk.get_by_role("button", name="Move").click()
    expect(day(desk, 0)).to_contain_text(f"11:30 planned {TITLE}")


def test_a_draft_that_is_dragged_to_a_day_gets_the_form_of_that_day(desk: Page) -> None:
    desk.locator(".tray").get_by_role("link", name="A post").drag_to(day(desk, 2))
    expect(desk.get_by_label("Date and time")).to_have_value(f"{TUESDAY + timedelta(days=2)}T09:00")
