"""The way of a post through the dashboard, to every kind of blog with drafts, and to real ones if installed.

Connect, test, send a hidden draft, publish, update, unpublish, publish at a time, roll back.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from flask import Flask
from playwright.sync_api import ConsoleMessage, Page
from sqlalchemy import update

from app.executions import schedule
from app.infra.clock import utc_now
from app.infra.db import db
from app.publishing import abandoned
from app.publishing.model import ScheduledPublication
from app.publishing.targets.registry import KINDS
from tests.api.conftest import customer
from tests.api.written_posts import TITLE, written
from tests.browser.marketer import Marketer
from tests.support.publishing_places import REAL, Place, real
from tests.support.waiting import eventually
from tests.support.working import working

pytestmark = pytest.mark.browser

CHANGED = "How to keep better garden notes"
PLACES = ("wordpress", "ghost", "git", *map(real, REAL))
STEPS = (
    "Your site answers",
    "It takes posts from other programs",
    "Signed in",
    "May publish posts",
    "May take posts back",
)


@dataclass(frozen=True)
class Desk:
    """A marketer who is signed in, with a post and the blog that it goes to."""

    app: Flask
    marketer: Marketer
    place: Place
    project: str
    post: str
    job: str

    def connect(self, entered: dict[str, str]) -> None:
        """Go from the post to the form of the connection and send it."""
        kind = KINDS[self.place.kind]
        self.marketer.open(self.post)
        self.marketer.click("link", "Publish…")
        self.marketer.click("link", kind.title)
        self.marketer.enter(kind, entered)
        self.marketer.send("Connect and test")

    def publish(self, choice: str | None = None) -> None:
        """Go from the post to its publication, and wait for the end of the job."""
        self.marketer.open(self.post)
        self.marketer.click("link", "Publish…")
        if choice is not None:
            self.marketer.click("radio", choice)
        self.marketer.send("Publish now")
        self.marketer.waits_for_job("succeeded")

    def wait_until_published(self) -> None:
        """Load the post's page until it is published."""

        def is_published() -> bool:
            self.marketer.open(self.post)
            return self.marketer.page.locator(".workspace-bar .status", has_text="published").count() == 1

        eventually(is_published, "the post is published", pause=0.5)

    def unpublish(self) -> None:
        """Take the post off the blog."""
        self.marketer.open(self.post)
        self.marketer.click("tab", "More")
        self.marketer.click("link", "Unpublish…")
        self.marketer.click("button", "Unpublish it")
        self.marketer.waits_for_job("succeeded")


@pytest.fixture
def settings_overrides(place: Place) -> dict[str, str]:
    return place.overrides


@pytest.fixture
def database_kind() -> str:
    return "sqlite"


@pytest.fixture
def desk(app: Flask, place: Place, served: str, page: Page) -> Iterator[Desk]:
    """Alice at a post of hers; a worker runs her jobs, and the browser may complain about nothing."""
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type == "error" and message.location["url"].startswith(served):
            complaints.append(message.text)

    page.on("console", hear)
    alice = customer(app, "alice")
    project = f"/projects/{alice.project()}"
    path, job = written(app, alice, project)
    marketer = Marketer(page, served)
    marketer.sign_in("alice@example.com", "a long enough password")
    with working(app, alice.account_id):
        yield Desk(
            app, marketer, place, project, path.replace("blog-posts", "posts"), f"/executions/{job['id']}"
        )
    assert complaints == []


@pytest.mark.parametrize("place", PLACES, indirect=True)
def test_a_post_goes_its_whole_way_through_the_dashboard(desk: Desk) -> None:
    marketer, posts = desk.marketer, desk.place.posts
    desk.connect(desk.place.entered)
    marketer.sees_heading("The connection works")
    marketer.sees(*STEPS)

    marketer.click("link", "Go on to publish")
    marketer.click("radio", "Hidden draft there")
    marketer.send("Publish now")
    marketer.sees_heading("A hidden draft at")
    assert posts() == [(TITLE, "draft")]

    desk.publish("Live now")
    marketer.sees_heading("Live at")
    assert posts() == [(TITLE, "live")]
    marketer.open(f"{desk.job}/roll-back")
    marketer.sees("Unpublish the post at", "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH")

    marketer.open(desk.post)
    marketer.click("link", "Edit")
    marketer.page.get_by_label("Title", exact=True).fill(CHANGED)
    marketer.send("Save")
    marketer.sees_status("edited since")
    desk.publish()
    assert posts() == [(CHANGED, "live")]
    marketer.click("link", "Unpublish…")
    marketer.click("button", "Unpublish it")
    marketer.sees("The post is no longer live at")
    assert (CHANGED, "live") not in posts()

    marketer.open(desk.post)
    marketer.click("link", "Publish…")
    marketer.click("button", "At a time…")
    marketer.send("Publish at this time")
    marketer.sees("The post will be published at")
    marketer.open(f"{desk.project}/calendar")
    marketer.sees(CHANGED, "planned")
    publish_what_is_planned(desk.app)
    desk.wait_until_published()
    assert posts() == [(CHANGED, "live")]

    desk.unpublish()
    marketer.open(desk.job)
    marketer.click("link", "Roll back…")
    marketer.click("button", "Delete the draft")
    marketer.sees("Rolled back")
    with desk.app.app_context():
        abandoned.delete_abandoned_drafts()
    assert posts() == []


def publish_what_is_planned(app: Flask) -> None:
    """Let the time of the planned publication come."""
    with app.app_context():
        db.session.execute(update(ScheduledPublication).values(next_try_at=utc_now()))
        db.session.commit()
        assert schedule.submit_due_publications() == 1


@pytest.mark.parametrize(
    "place", [pytest.param("wordpress", marks=pytest.mark.smoke), real("real wordpress")], indirect=True
)
def test_a_post_is_live_at_wordpress_after_six_clicks_and_two_forms(desk: Desk) -> None:
    marketer = desk.marketer
    desk.connect(desk.place.entered)
    marketer.click("link", "Go on to publish")
    marketer.send("Publish now")
    marketer.sees_heading("Live at")
    marketer.click("link", "See it live")
    marketer.page.wait_for_url("**/garden-notes/")
    marketer.page.get_by_role("heading", name=TITLE).wait_for()
    assert marketer.clicks <= 6
    assert marketer.forms <= 2


@dataclass(frozen=True)
class Told:
    """What the dashboard says about a fault: the step of the test that fails, the code, and what to do.

    A publication may know less than the test, and has a code or a hint of its own then.
    """

    step: str
    code: str
    hint: str
    hint_of_job: str | None = None


NOT_FOUND = "The way in for posts was not found"
TOLD = {
    ("wordpress", "a wrong password"): Told("Not signed in", "TARGET_AUTH", "Users → Profile"),
    ("wordpress", "a subscriber"): Told("May not publish posts", "TARGET_FORBIDDEN", "the role Author"),
    ("wordpress", "application passwords switched off"): Told(
        "Not signed in", "TARGET_AUTH", "Switch them on", "Users → Profile"
    ),
    ("wordpress", "a site behind a login page"): Told(
        NOT_FOUND, "TARGET_API_NOT_FOUND", "Make the site public"
    ),
    ("wordpress", "a plugin that switches the API off"): Told(NOT_FOUND, "TARGET_API_NOT_FOUND", "plugin"),
    ("ghost", "a wrong key"): Told("Not signed in", "TARGET_AUTH", "Admin API key"),
    ("ghost", "the key of a removed integration"): Told("Not signed in", "TARGET_AUTH", "integration"),
    ("ghost", "a site behind a login page"): Told(NOT_FOUND, "TARGET_API_NOT_FOUND", "a page to sign in"),
    ("git", "no such repository"): Told(
        "Your site does not answer", "TARGET_API_NOT_FOUND", "Check the repository"
    ),
    ("git", "no root of repositories"): Told(
        "Your site does not answer", "TARGET_API_NOT_FOUND", "Check the repository"
    ),
}
BLOGS = {"wordpress": ("real wordpress",), "ghost": ("ghost 5", "ghost 6"), "git": ()}
CASES = [
    case for kind, fault in TOLD for case in ((kind, fault), *(real(name, fault) for name in BLOGS[kind]))
]


@pytest.mark.parametrize(("place", "fault"), CASES, indirect=["place"])
def test_a_fault_is_named_with_what_to_do_until_the_post_is_live(desk: Desk, fault: str) -> None:
    marketer, place = desk.marketer, desk.place
    told = TOLD[place.kind, fault]
    desk.connect({**place.entered, **place.faults[fault]()})
    marketer.sees_heading("The connection does not work yet")
    marketer.sees(told.step, told.hint, told.code)

    marketer.open(desk.post)
    marketer.click("link", "Publish…")
    marketer.send("Publish now")
    marketer.waits_for_job("failed")
    marketer.sees(told.code, "needs a fix first", told.hint_of_job or told.hint)
    place.mend()
    assert place.posts() == []
    needs_secret = told.code == "TARGET_AUTH"
    marketer.click("link", "Enter a new password or key" if needs_secret else "Edit connection")
    marketer.enter(KINDS[place.kind], place.entered)
    marketer.send("Save and test")
    marketer.sees_heading("The connection works")
    marketer.click("link", "Go on to publish")
    marketer.send("Publish now")
    marketer.sees_heading("Live at")
    assert place.posts() == [(TITLE, "live")]
