"""A week of the autopilot: a post a day, each once. By mouse, by the keys, and without JavaScript."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from flask import Flask
from playwright.sync_api import Locator, expect
from sqlalchemy import update

from app.autopilot.model import Autopilot, AutopilotRun
from app.autopilot.runs import continue_runs, start_due_runs
from app.infra.clock import utc_now
from app.infra.db import db, release
from app.keywords.service import add_keyword
from app.pages.service import add_page
from app.projects.service import find_project
from tests.api.conftest import customer
from tests.browser.connecting import connect
from tests.browser.hands import Mouse
from tests.browser.test_dashboard_journey import SECTIONS, prose
from tests.support import wordpress
from tests.support.waiting import eventually
from tests.support.working import working

pytestmark = pytest.mark.browser

SUBJECTS = (
    "keyword clustering",
    "content briefs",
    "internal links",
    "link audits",
    "topic research",
    "landing pages",
    "reader surveys",
)


@pytest.fixture
def database_kind() -> str:
    return "sqlite"


@pytest.fixture
def settings_overrides(blog: wordpress.Blog) -> dict[str, str]:
    return {"FETCH_ALLOW": blog.gateway.address}


@pytest.fixture
def project_id(app: Flask, blog: wordpress.Blog) -> Iterator[int]:
    """A project of Alice's with a page and a keyword for each day, and a blog; a worker runs her jobs."""
    alice = customer(app, "alice")
    made = alice.project()
    with app.app_context():
        project = find_project(made)
        for number, subject in enumerate(SUBJECTS):
            page = {
                "url": f"{project.url}{number}",
                "title": subject.capitalize(),
                "content": text_on(subject),
            }
            add_page(project, page)
            add_keyword(project, {"keyword_text": f"guide to {subject}", "volume": 100 - number})
        db.session.commit()
    connect(alice, made, blog)
    with working(app, alice.account_id):
        yield made


def text_on(subject: str) -> str:
    """Enough about a subject for a post, as Markdown."""
    lines = [f"# {subject.capitalize()}"]
    for heading, matters in SECTIONS.items():
        lines += [f"## {heading} {subject}", *(prose(subject, matter) for matter in matters)]
    return "\n\n".join(lines)


def let_a_day_pass() -> None:
    """Move everything of the autopilot back, so that its next post is due now."""
    pilot = db.session.scalars(db.select(Autopilot)).one()
    assert pilot.next_run_at is not None
    passed = pilot.next_run_at - utc_now() + timedelta(seconds=1)
    for model, column in ((Autopilot, Autopilot.next_run_at), (AutopilotRun, AutopilotRun.due_at)):
        rows = db.session.execute(db.select(model.__mapper__.primary_key[0], column)).all()
        for key, moment in rows:
            where = model.__mapper__.primary_key[0] == key
            db.session.execute(update(model).where(where).values({column: moment - passed}))
    db.session.commit()


def is_done() -> bool:
    """Go on with the newest run, and say whether it is over."""
    continue_runs()
    newest = db.select(AutopilotRun.state).order_by(AutopilotRun.id.desc()).limit(1)
    state = db.session.scalar(newest)
    release()
    return state == "done"


def tick(person: Mouse, box: Locator) -> None:
    if not box.is_checked():
        person.press(box)


def test_a_week_brings_seven_posts_each_published_once(
    app: Flask, served: str, person: Mouse, project_id: int, blog: wordpress.Blog
) -> None:
    page, project = person.page, f"{served}/projects/{project_id}"
    main = page.get_by_role("main")
    person.sign_in(served)
    page.goto(f"{project}/autopilot")
    for day in page.locator("input[name=weekdays]").all():
        tick(person, day)
    person.press(page.locator("input[name=mode][value=live]"))
    tick(person, page.get_by_label("Switched on"))
    person.press(main.get_by_role("button", name="Save", exact=True))
    expect(main).to_contain_text("Next posts")
    with app.app_context():
        for number in range(1, len(SUBJECTS) + 1):
            let_a_day_pass()
            assert start_due_runs() == 1
            assert start_due_runs() == 0
            eventually(is_done, "the day's post is live")
            assert len(blog.posts()) == number
    assert {post["status"] for post in blog.posts()} == {"publish"}
    page.goto(f"{project}/posts?status=published")
    for subject in SUBJECTS:
        expect(main).to_contain_text(subject, ignore_case=True)
    with app.app_context():
        let_a_day_pass()
        assert start_due_runs() == 0
    page.goto(f"{project}/autopilot")
    expect(main).to_contain_text("No keyword without a post")
