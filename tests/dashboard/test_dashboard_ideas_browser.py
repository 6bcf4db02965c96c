"""Ideas and a refreshed text in a real browser: a list that fills itself, a comparison that fits a phone."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from flask import Flask
from playwright.sync_api import Page, expect
from werkzeug.serving import make_server

from app.content.model import BlogPost
from app.executions.model import ExecutionJob
from app.infra.db import db
from app.keywords.service import add_keyword
from app.pages.service import add_page
from app.projects.model import Project
from tests.content.conftest import CARE, FAQ, HIVES
from tests.dashboard.conftest import PASSWORD, Visitor
from tests.support.beehives import markdown
from tests.support.refreshing import NEW, rewrite

pytestmark = pytest.mark.browser


@pytest.fixture(params=["sqlite"])
def database_kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def site_pages(app: Flask, project_id: int) -> None:
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        for name, parts in (("hives", HIVES), ("care", CARE), ("faq", FAQ)):
            add_page(project, {"url": f"https://alice.example.com/{name}", "content": markdown(parts)})
        for text in ("warm day", "varroa mites"):
            add_keyword(project, {"keyword_text": text})


@pytest.fixture
def desk(app: Flask, alice: Visitor, project_id: int, site_pages: None, page: Page) -> Iterator[Page]:
    """Alice's browser at her project, signed in; it may complain about nothing."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"http://127.0.0.1:{server.port}/sign-in?next=/projects/{project_id}/ideas")
    page.fill("#email", "alice@example.com")
    page.fill("#password", PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"**/projects/{project_id}/ideas")
    yield page
    page.close()
    server.shutdown()
    assert heard == []


def run_newest(app: Flask, alice: Visitor) -> None:
    with app.app_context():
        job = db.session.query(ExecutionJob).order_by(ExecutionJob.id.desc()).first()
        assert job is not None
        job_id = job.id
    alice.run(f"/{job_id}")


def fits(page: Page) -> bool:
    root = "document.documentElement"
    return bool(page.evaluate(f"{root}.scrollWidth <= {root}.clientWidth"))


def test_ideas_appear_by_themselves_and_become_posts_with_a_click(
    app: Flask, alice: Visitor, desk: Page
) -> None:
    desk.get_by_role("button", name="Find ideas").click()
    expect(desk.get_by_text("Looking through keywords and pages")).to_be_visible()
    run_newest(app, alice)
    expect(desk.get_by_role("heading", name="Varroa mites")).to_be_visible()
    assert fits(desk)
    # The live part brings the icons that the page has not shown before.
    drawn = "(use) => document.querySelector(use.getAttribute('href')) !== null"
    assert all(each.evaluate(drawn) for each in desk.locator(".ideas use").all())
    desk.get_by_role("button", name="Write Warm day").dblclick()
    desk.wait_for_url("**/executions/*")
    with app.app_context():
        assert db.session.query(ExecutionJob).filter_by(operation="GENERATE_BLOG_POST").count() == 1


def test_words_and_ticks_stay_while_new_ideas_arrive(app: Flask, alice: Visitor, desk: Page) -> None:
    looking = desk.get_by_text("Looking through keywords and pages")
    ticked = desk.get_by_role("checkbox", name="Choose Varroa mites")
    for _ in range(2):
        desk.get_by_role("button", name="Find ideas").click()
        expect(looking).to_be_visible()
        if ticked.is_visible():
            ticked.check()
            desk.get_by_label("Search ideas").fill("hive")
        run_newest(app, alice)
        expect(looking).to_be_hidden()
    expect(desk.get_by_label("Search ideas")).to_have_value("hive")
    expect(ticked).to_be_checked()


def test_a_refreshed_text_is_compared_and_used(
    app: Flask, alice: Visitor, desk: Page, project_id: int
) -> None:
    asked = dict.fromkeys(("topic", "write_anyway"), "Choosing a beehive")
    made = alice.send(f"/projects/{project_id}/posts/generate", asked)
    alice.run(made.location)
    with app.app_context():
        post_id = db.session.query(BlogPost.id).one()[0]
        rewrite(project_id, "/hives", NEW)
    desk.goto(desk.url.replace("/ideas", f"/posts/{post_id}"))
    desk.get_by_role("button", name="Refresh").click()
    desk.wait_for_url("**/executions/*")
    run_newest(app, alice)
    desk.get_by_role("link", name="Compare the texts").click()
    expect(desk.locator("ins")).to_have_text("11")
    assert fits(desk)
    desk.locator("summary", has_text="stay the same").first.click()
    desk.get_by_role("button", name="Use this text").click()
    expect(desk.get_by_text("The new text is in use.")).to_be_visible()
    expect(desk.get_by_role("article").get_by_text("holds 11 frames")).to_be_visible()
