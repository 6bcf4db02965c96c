"""From the landing page to a published post: with a mouse, by the keys alone, and without JavaScript."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from devtools import demo_site
from tests.browser.hands import Mouse
from tests.support import wordpress
from tests.support.processes import RunService, Service

pytestmark = pytest.mark.browser

WRITE = "Write this one: "
PASSWORD = "a long password"


@pytest.fixture
def shop() -> Iterator[str]:
    """The address of a small website."""
    with demo_site.served(0) as port:
        yield f"127.0.0.1:{port}"


@pytest.fixture
def service(run_service: RunService, shop: str, blog: wordpress.Blog) -> Service:
    return run_service(FETCH_ALLOW=f"{shop},{blog.gateway.address}")


def sign_up(person: Mouse, service: Service, shop: str) -> None:
    """Go from the landing page to the form of the first site, with its address filled in."""
    page = person.page
    page.goto(service.url)
    person.write(page.get_by_label("Address of your website"), f"http://{shop}")
    person.press(page.get_by_role("button", name="Read my site").first)
    person.write(page.get_by_label("E-mail"), "dora@example.com")
    person.write(page.get_by_label("Password", exact=True), PASSWORD)
    person.press(page.get_by_role("button", name="Create account"))
    expect(page.get_by_label("Website address")).to_have_value(f"http://{shop}")


def test_from_signing_up_to_a_post_that_is_live_at_wordpress(
    person: Mouse, way: str, service: Service, shop: str, blog: wordpress.Blog
) -> None:
    page = person.page
    sign_up(person, service, shop)
    person.press(page.get_by_role("button", name="Read my site"))
    if way == "no script":
        find = page.get_by_role("button", name="Find ideas")
        person.wait_for(find)
        person.press(find)
    write = page.get_by_role("button", name=WRITE).first
    person.wait_for(write)
    idea = (write.get_attribute("aria-label") or "").removeprefix(WRITE)
    person.press(write)
    person.wait_for(page.get_by_role("heading", level=1, name=idea, exact=True))
    post = page.url

    person.press(page.get_by_role("link", name="Publish…").first)
    person.press(page.get_by_role("link", name="WordPress"))
    person.write(page.get_by_label("Address of the blog"), blog.url)
    person.write(page.get_by_label("User name"), "author")
    person.write(page.get_by_label("Application password", exact=True), blog.passwords["author"])
    person.press(page.get_by_role("button", name="Connect and test"))
    person.press(page.get_by_role("link", name="Go on to publish"))
    person.press(page.get_by_role("button", name="Publish now"))
    person.wait_for(page.get_by_role("heading", name="Live at"))
    (there,) = blog.posts()
    assert (there["title"]["raw"], there["status"]) == (idea, "publish")
    see = page.get_by_role("link", name="See it live")
    assert urlsplit(see.get_attribute("href") or "").path.strip("/") == there["slug"]
    page.goto(post)
    expect(page.get_by_role("main")).to_contain_text("Live at")
