"""Plan first in a real browser as wide as a phone: change the plan, have it written, lose no change."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from flask import Flask
from playwright.sync_api import Browser, Dialog, Page, expect
from werkzeug.serving import make_server

from app.infra.db import db
from app.pages.service import add_page
from app.projects.model import Project
from tests.dashboard.conftest import PASSWORD, Visitor
from tests.dashboard.test_dashboard_generation import GRINDERS

pytestmark = pytest.mark.browser


@pytest.fixture
def database_kind() -> str:
    """A form is the same on both databases."""
    return "sqlite"


@pytest.fixture
def served(app: Flask, alice: Visitor, project_id: int) -> Iterator[str]:
    """The address of Alice's project with a page on grinders."""
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        add_page(project, {"url": f"{project.url}grinders", "title": "Grinders", "content": GRINDERS})
    server = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.port}/projects/{project_id}"
    server.shutdown()


@contextmanager
def signed_in(browser: Browser, served: str, *, scripts: bool) -> Iterator[Page]:
    """Alice's phone at the form of a generation."""
    context = browser.new_context(java_script_enabled=scripts, viewport={"width": 390, "height": 844})
    page = context.new_page()
    page.goto(f"{served}/posts/generate")
    page.fill("#email", "alice@example.com")
    page.fill("#password", PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url("**/posts/generate")
    yield page
    context.close()


@pytest.fixture
def phone(browser: Browser, served: str) -> Iterator[Page]:
    """Alice's phone without JavaScript."""
    with signed_in(browser, served, scripts=False) as page:
        yield page


@pytest.fixture
def scripted(browser: Browser, served: str) -> Iterator[Page]:
    """Alice's phone with JavaScript."""
    with signed_in(browser, served, scripts=True) as page:
        yield page


def plan_in_spite_of_a_like_page(alice: Visitor, phone: Page) -> None:
    """Ask for a plan, go on when the check of the topic tells of a page like it, and open the plan."""
    phone.get_by_label("Topic").fill("Espresso grinder")
    phone.get_by_role("button", name="Plan first").click()
    phone.get_by_label("Write anyway").check()
    phone.get_by_role("button", name="Plan first").click()
    phone.wait_for_url("**/plans/*")
    alice.run(phone.url)
    phone.reload()


def test_a_plan_is_made_changed_and_written_without_javascript(alice: Visitor, phone: Page) -> None:
    plan_in_spite_of_a_like_page(alice, phone)
    heading = phone.get_by_label("Heading", exact=True)
    first, second = heading.nth(0).input_value(), heading.nth(1).input_value()
    phone.get_by_role("button", name="Move section 1 down").click()
    expect(heading.nth(0)).to_have_value(second)
    expect(heading.nth(1)).to_have_value(first)
    expect(heading.nth(1)).to_be_focused()
    phone.keyboard.press("End")
    phone.keyboard.type("!")
    phone.keyboard.press("Enter")
    phone.get_by_role("button", name="Remove section 3").click()
    expect(heading.nth(1)).to_have_value(f"{first}!")
    phone.get_by_role("button", name="Add a section").click()
    heading.last.fill("Cleaning an espresso grinder")
    phone.get_by_role("button", name="Write the article").click()
    phone.wait_for_url("**/executions/*")
    alice.run(phone.url)
    phone.reload()
    phone.get_by_role("link", name="Open the post").click()
    expect(phone.get_by_role("heading", name=f"{first}!")).to_be_visible()


def test_nothing_of_a_plan_is_out_of_sight_on_a_phone(alice: Visitor, phone: Page) -> None:
    plan_in_spite_of_a_like_page(alice, phone)
    expect(phone.get_by_role("button", name="Write the article")).to_be_visible()
    boxes = [each.bounding_box() for each in phone.locator("main *:visible").all()]
    assert all(box["x"] + box["width"] <= 390 for box in boxes if box)


def test_a_long_heading_of_a_plan_is_shown_whole_on_a_phone(alice: Visitor, phone: Page) -> None:
    plan_in_spite_of_a_like_page(alice, phone)
    heading = phone.get_by_label("Heading", exact=True).first
    heading.fill("How to choose the right espresso grinder for a small kitchen with hard water")
    assert heading.evaluate("field => field.scrollHeight <= field.clientHeight")
    assert heading.evaluate("field => field.scrollWidth <= field.clientWidth")
    assert heading.evaluate("field => field.clientHeight") > 60


@pytest.fixture
def asked(scripted: Page) -> list[str]:
    """What the browser asked; the answer is to stay."""
    found: list[str] = []

    def stay(dialog: Dialog) -> None:
        found.append(dialog.type)
        dialog.dismiss()

    scripted.on("dialog", stay)
    return found


def test_changes_of_a_plan_are_not_left_without_a_question(
    alice: Visitor, scripted: Page, asked: list[str]
) -> None:
    plan_in_spite_of_a_like_page(alice, scripted)
    heading = scripted.get_by_label("Heading", exact=True)
    posts = scripted.get_by_label("Breadcrumb").get_by_role("link", name="Posts")
    heading.nth(0).fill("What a grinder needs")
    for leaves in (posts, scripted.get_by_role("button", name="Plan again")):
        with scripted.expect_event("dialog"):
            leaves.click(no_wait_after=True)
    assert asked == ["beforeunload"] * 2

    scripted.get_by_role("button", name="Move section 1 down").click()
    expect(heading.nth(1)).to_have_value("What a grinder needs")
    assert len(asked) == 2
    with scripted.expect_event("dialog"):
        posts.click(no_wait_after=True)
    expect(heading.nth(1)).to_have_value("What a grinder needs")


def test_a_plan_that_was_not_changed_is_left_without_a_question(
    alice: Visitor, scripted: Page, asked: list[str]
) -> None:
    plan_in_spite_of_a_like_page(alice, scripted)
    scripted.get_by_label("Breadcrumb").get_by_role("link", name="Posts").click()
    scripted.wait_for_url("**/posts")
    assert asked == []


def test_a_changed_plan_is_written_without_a_question(
    alice: Visitor, scripted: Page, asked: list[str]
) -> None:
    plan_in_spite_of_a_like_page(alice, scripted)
    scripted.get_by_label("Heading", exact=True).nth(0).fill("What a grinder needs")
    scripted.get_by_role("button", name="Write the article").click()
    scripted.wait_for_url("**/executions/*")
    assert asked == []
