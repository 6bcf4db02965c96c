"""What goes wrong is put right: by mouse, by the keys, and without JavaScript."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Browser, Locator, Page, expect

from app.content.model import BlogPost
from app.infra.db import db
from app.projects.service import find_project
from tests.api.conftest import Customer, customer
from tests.browser.connecting import connect
from tests.browser.hands import Mouse, hands
from tests.support import wordpress
from tests.support.publishing import post_of
from tests.support.servers import SiteServer
from tests.support.sites import urlset
from tests.support.working import working

pytestmark = pytest.mark.browser


@pytest.fixture
def database_kind() -> str:
    return "sqlite"


@pytest.fixture
def settings_overrides(blog: wordpress.Blog, site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": f"{blog.gateway.address},{site.address}"}


@pytest.fixture
def person(browser: Browser, way: str) -> Iterator[Mouse]:
    """Somebody whose pages may be refused, which browsers report, but whose scripts do not fail."""
    failed: list[str] = []
    with hands(way, browser) as made:
        made.page.on("pageerror", lambda error: failed.append(str(error)))
        yield made
    assert failed == []


@pytest.fixture
def alice(app: Flask) -> Customer:
    return customer(app, "alice")


@pytest.fixture
def project_id(app: Flask, alice: Customer, site: SiteServer, served: str, person: Mouse) -> Iterator[int]:
    """A project of Alice, who is signed in; a worker runs her jobs."""
    made = alice.project(f"{site.url}/", sitemap_url=f"{site.url}/sitemap.xml")
    person.sign_in(served)
    with working(app, alice.account_id):
        yield made


@pytest.fixture
def post(app: Flask, served: str, project_id: int) -> str:
    """The address of a post that can be published."""
    with app.app_context():
        return f"{served}/projects/{project_id}/posts/{post_of(find_project(project_id)).id}"


def write_text(person: Mouse, post: str, text: str) -> None:
    """Open the editor and replace the text."""
    person.page.goto(f"{post}/edit")
    person.write(text_of(person.page), text)


def save(person: Mouse) -> None:
    person.press(person.page.get_by_role("button", name="Save", exact=True))


def text_of(page: Page) -> Locator:
    return page.get_by_label("Text", exact=True)


def stored(app: Flask) -> str:
    with app.app_context():
        return str(db.session.query(BlogPost.content).scalar())


def test_a_post_that_failed_is_live_after_its_connection_is_mended(
    person: Mouse, alice: Customer, project_id: int, post: str, blog: wordpress.Blog
) -> None:
    page, password = person.page, blog.passwords["author"]
    blog.passwords = {**blog.passwords, "author": "an old password"}
    connect(alice, project_id, blog)
    page.goto(f"{post}/publish")
    person.press(page.get_by_role("button", name="Publish now"))
    mend = page.get_by_role("link", name="Enter a new password or key")
    person.wait_for(mend)
    assert blog.posts() == []
    person.press(mend)
    person.write(page.get_by_label("Application password", exact=True), password)
    person.press(page.get_by_role("button", name="Save and test"))
    person.press(page.get_by_role("link", name="Go on to publish"))
    person.press(page.get_by_role("button", name="Publish now"))
    person.wait_for(page.get_by_role("heading", name="Live at"))
    assert [each["status"] for each in blog.posts()] == ["publish"]


def test_a_sitemap_that_breaks_costs_no_page_and_recovers(
    person: Mouse, served: str, project_id: int, site: SiteServer
) -> None:
    page = person.page
    sync = page.locator("#sync")
    listed = [f"{site.url}/{name}" for name in ("a", "b", "c")]
    for body, status, shown in (
        (urlset(listed), 200, "3 URLs found"),
        ("gone", 503, "No page was marked stale"),
        ("<urlset><url><loc>", 200, "No page was marked stale"),
        (urlset([*listed, f"{site.url}/d"]), 200, "4 URLs found"),
    ):
        site.serve("/sitemap.xml", body, status=status)
        page.goto(f"{served}/projects/{project_id}/pages")
        person.press(page.get_by_role("main").get_by_role("button", name="Sync now"))
        person.wait_for(sync.get_by_text(shown))
        assert page.get_by_role("main").locator(".btn-main").count() <= 1
    page.goto(f"{served}/projects/{project_id}/pages")
    expect(page.get_by_role("link", name="Stale 0")).to_be_visible()
    expect(page.get_by_role("link", name="All 4")).to_be_visible()


def test_of_two_writers_neither_loses_a_word(
    app: Flask, browser: Browser, way: str, person: Mouse, served: str, post: str
) -> None:
    with hands(way, browser) as other:
        other.sign_in(served)
        other.page.goto(f"{post}/edit")
        write_text(person, post, "My words, which I wrote first.")
        other.write(text_of(other.page), "Their words, which they saved first.")
        save(other)
        expect(other.page.get_by_role("article", name="Text of the post")).to_contain_text("Their words")
    save(person)
    expect(person.page.locator("del", has_text="Their").first).to_be_visible()
    expect(person.page.locator("ins", has_text="My").first).to_be_visible()
    person.press(person.page.get_by_role("button", name="Keep mine"))
    expect(person.page.get_by_role("article", name="Text of the post")).to_contain_text("My words")
    assert stored(app).startswith("My words")
    person.page.goto(f"{post}/versions")
    expect(person.page.get_by_role("link", name="Compare the version").nth(1)).to_be_visible()


def test_a_session_that_ends_while_somebody_writes_costs_no_word(
    app: Flask, way: str, person: Mouse, served: str, post: str
) -> None:
    write_text(person, post, "Words that nobody may lose.")
    person.page.context.clear_cookies(name="session")
    save(person)
    expect(person.page.get_by_text("You were signed out while you were writing.")).to_be_visible()
    type(person)(person.page.context.new_page()).sign_in(served)
    save(person)
    expect(person.page.get_by_text("You signed in again")).to_be_visible()
    save(person)
    expect(person.page.get_by_role("article", name="Text of the post")).to_contain_text("nobody may lose")
    assert stored(app).startswith("Words that nobody may lose.")
