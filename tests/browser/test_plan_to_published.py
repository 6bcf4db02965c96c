"""Plan, change the plan, write, rewrite a section, publish: by mouse, by the keys, and without JavaScript."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import expect

from app.infra.db import db
from app.pages.service import add_page
from app.projects.model import Project
from tests.api.conftest import customer
from tests.browser.connecting import connect
from tests.browser.hands import Mouse
from tests.content.conftest import CARE, FAQ, HIVES
from tests.operations.test_rewrite_blog_post import quoting, revising
from tests.support import wordpress
from tests.support.beehives import markdown
from tests.support.model_server import ModelServer
from tests.support.working import working

pytestmark = pytest.mark.browser

HEADING = "What a hive needs first"


@pytest.fixture
def database_kind() -> str:
    return "sqlite"


@pytest.fixture
def settings_overrides(model_settings: dict[str, str], blog: wordpress.Blog) -> dict[str, str]:
    return {**model_settings, "FETCH_ALLOW": blog.gateway.address}


@pytest.fixture
def project(app: Flask, served: str, blog: wordpress.Blog, person: Mouse) -> Iterator[str]:
    """The address of a project with pages on beehives and a blog, whose owner is signed in."""
    alice = customer(app, "alice")
    project_id = alice.project()
    with app.app_context():
        found = db.session.get_one(Project, project_id)
        for name, parts in (("hives", HIVES), ("care", CARE), ("faq", FAQ)):
            page = {"url": f"{found.url}{name}", "title": parts[0][1], "content": markdown(parts)}
            add_page(found, page)
        db.session.commit()
    connect(alice, project_id, blog)
    person.sign_in(served)
    with working(app, alice.account_id):
        yield f"{served}/projects/{project_id}"


def test_a_post_is_planned_written_changed_in_part_and_published(
    person: Mouse, project: str, blog: wordpress.Blog, model_server: ModelServer
) -> None:
    model_server.respond = revising(quoting)
    page = person.page
    page.goto(f"{project}/posts/generate")
    person.write(page.get_by_label("Topic"), "Choosing a beehive")
    person.press(page.get_by_role("button", name="Plan first").last)
    anyway = page.get_by_label("Write anyway")
    heading = page.get_by_label("Heading", exact=True)
    person.wait_for(anyway.or_(heading))
    if anyway.is_visible():
        person.press(anyway)
        person.press(page.get_by_role("button", name="Plan first").last)
    person.wait_for(heading)
    person.write(heading.first, HEADING)
    person.press(page.get_by_role("button", name="Write the article"))
    person.wait_for_draft()
    text = page.get_by_role("article", name="Text of the post")
    expect(text.get_by_role("heading", name=HEADING)).to_be_visible()
    post = page.url

    page.goto(f"{post}/proposal/rewrite")
    page.get_by_label("Part", exact=True).select_option(HEADING)
    person.write(page.get_by_label(re.compile("What should be different")), "Say it in other words.")
    person.press(page.get_by_role("button", name="Write it anew"))
    compare = page.get_by_role("link", name=re.compile("Compare"))
    person.wait_for(compare)
    person.press(compare.first)
    person.press(page.get_by_role("button", name="Use this text"))
    expect(text.get_by_role("heading", name=HEADING)).to_be_visible()

    page.goto(f"{post}/publish")
    person.press(page.get_by_role("button", name="Publish now"))
    person.wait_for(page.get_by_role("heading", name="Live at"))
    (there,) = blog.posts()
    assert there["status"] == "publish"
    assert HEADING in there["content"]["raw"]
