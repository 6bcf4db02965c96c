"""Title ideas in the dashboard: found, listed, and generated with a click."""

from __future__ import annotations

import re
from html import escape, unescape

import pytest
from flask import Flask

from app.accounts.model import Account
from app.content.model import BlogPost
from app.executions.model import ExecutionJob
from app.executions.rollback import roll_back
from app.infra.db import db
from app.keywords.service import add_keyword
from app.pages.service import add_page
from app.projects.model import Project
from tests.dashboard.conftest import Visitor

FAQ = """\
# Espresso grinders

An espresso grinder with flat burrs grinds the beans as evenly as an espresso machine needs them.

An espresso grinder should be cleaned every week, because old oil makes fresh coffee taste stale.

Every espresso grinder needs a new pair of burrs after about five hundred kilograms of beans.

Weigh the dose of each cup to a tenth of a gram, and write the dose down beside the taste.

## How often should burrs be changed?

Burrs of hardened steel should be changed after five hundred kilograms of roasted coffee beans.
"""


@pytest.fixture
def page(app: Flask, alice: Visitor, project_id: int) -> str:
    """Alice's ideas page; her project has a page and three keywords."""
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        add_page(project, {"url": "https://alice.example.com/grinders", "content": FAQ})
        for text in ("dose of a cup", "milk foam", "espresso grinder"):
            add_keyword(project, {"keyword_text": text})
    return f"/projects/{project_id}/ideas"


def found(alice: Visitor, app: Flask, page: str) -> str:
    """Look for ideas, and return the page that shows them."""
    assert alice.send(page, {"count": "10"}).location == page
    with app.app_context():
        job_id = db.session.query(ExecutionJob.id).order_by(ExecutionJob.id.desc()).first()
    assert job_id is not None
    alice.run(f"/{job_id[0]}")
    return alice.get(page).text


def first_form(text: str) -> str:
    match = re.search(r'action="(/projects/\d+/ideas/\d+/\d+)"', text)
    assert match is not None
    return match[1]


def test_before_the_first_search_the_page_says_what_it_is_for(alice: Visitor, page: str) -> None:
    assert "No ideas looked for yet" in alice.get(page).text


def test_a_search_is_a_job_that_the_page_follows(app: Flask, alice: Visitor, page: str) -> None:
    alice.send(page, {"count": "10"})
    waiting = alice.get(page).text
    assert 'data-final="no"' in waiting
    since = re.search(r'data-since="([^"]+)"', waiting)
    assert since is not None
    live = f"{page}/live"
    assert alice.client.get(live, query_string={"since": since[1]}).status_code == 204
    ready = found(alice, app, page)
    assert 'data-final="yes"' in ready
    assert alice.client.get(live, query_string={"since": since[1]}).status_code == 200


def test_each_idea_shows_its_origin_its_coverage_its_pages_and_why(
    app: Flask, alice: Visitor, page: str
) -> None:
    text = found(alice, app, page)
    for words in ("Dose of a cup", "Milk foam", "Keyword", "partly covered",
                  "1 page mentions this in passing",
                  "no page says anything about it", "No page says anything about “milk foam”",
                  "Espresso grinders</a>"):  # fmt: skip
        assert words in text
    assert "<h2><bdi>Espresso grinder</bdi></h2>" not in text


def test_one_click_generates_an_idea_and_a_second_makes_no_second_job(
    app: Flask, alice: Visitor, page: str
) -> None:
    target = first_form(found(alice, app, page))
    fields = alice.hidden(page)
    first = alice.client.post(target, data=fields)
    again = alice.client.post(target, data=fields)
    assert first.status_code == 302
    assert first.location == again.location
    job_id = alice.run(first.location)
    with app.app_context():
        job = db.session.get_one(ExecutionJob, job_id)
        assert job.payload == {
            "topic": "dose of a cup", "title": "Dose of a cup", "keywords": ["dose of a cup"]
        }  # fmt: skip
        post = db.session.query(BlogPost).one()
        assert post.primary_keyword == "dose of a cup"
        post_id = post.id
    text = alice.get(page).text
    assert re.search(rf'posts/{post_id}"\s+aria-label="Open the post Dose of a cup"', text)


def test_planning_an_idea_opens_the_form_that_says_what_it_is_about(
    app: Flask, alice: Visitor, page: str
) -> None:
    text = found(alice, app, page)
    link = re.search(r'aria-label="Plan ([^"]+)"\s+href="([^"]+)"', text)
    assert link is not None
    title, address = unescape(link[1]), unescape(link[2])
    form = alice.get(address).text
    assert f'value="{escape(title)}"' in form
    with app.app_context():
        idea = db.session.query(ExecutionJob).one().result["ideas"][0]  # type: ignore[index]
    fields = {
        "topic": idea["topic"],
        "title": idea["title"],
        "keywords": idea["keyword"] or "",
        "plan": "yes",
    }
    assert "/plans/" in (alice.send(address, {**fields, "length": "900"}).location or "")
    row = alice.get(page).text.partition(title)[2].partition("</li>")[0]
    assert "Open the plan" in row
    assert ">Plan</a>" not in row


@pytest.mark.parametrize("number", ["-1", "999", "x", ""])
def test_an_idea_that_is_not_there_cannot_be_planned(
    app: Flask, alice: Visitor, page: str, number: str
) -> None:
    found(alice, app, page)
    form = page.replace("/ideas", "/posts/generate")
    assert alice.get(f"{form}?ideas=1&idea={number}").status_code == 404


def test_a_rolled_back_idea_can_be_generated_again(app: Flask, alice: Visitor, page: str) -> None:
    target = first_form(found(alice, app, page))
    job_id = alice.run(alice.send(target, page=page).location)
    assert first_form(alice.get(page).text) != target
    with app.app_context():
        roll_back(db.session.get_one(ExecutionJob, job_id))
    assert first_form(alice.get(page).text) == target


def test_a_rejected_generation_shows_the_reason_on_the_page(app: Flask, alice: Visitor, page: str) -> None:
    target = first_form(found(alice, app, page))
    with app.app_context():
        db.session.query(Account).one().monthly_post_limit = 0
        db.session.commit()
    answer = alice.send(target, page=page)
    assert answer.status_code == 429
    assert "QUOTA_EXCEEDED" in answer.text
    assert "Dose of a cup" in answer.text


def job_rows(app: Flask) -> list[tuple[str, object]]:
    with app.app_context():
        rows = db.session.query(ExecutionJob).order_by(ExecutionJob.id).all()
        return [
            (row.operation, row.payload.get("topic")) for row in rows if row.operation != "SUGGEST_TITLES"
        ]


@pytest.mark.parametrize(
    ("button", "operation"), [({}, "GENERATE_BLOG_POST"), ({"plan": "yes"}, "PLAN_BLOG_POST")]
)
def test_ticked_ideas_are_written_or_planned_each_by_a_job_of_its_own(
    app: Flask, alice: Visitor, page: str, button: dict[str, str], operation: str
) -> None:
    target = first_form(found(alice, app, page)).rpartition("/")[0] + "/ticked"
    fields = {**alice.hidden(page), "number": ["0", "1"], **button}
    for _ in range(2):  # the second click creates nothing
        assert alice.client.post(target, data=fields).location == page
    assert job_rows(app) == [(operation, "dose of a cup"), (operation, "milk foam")]
    text = alice.get(page).text
    assert text.count("2 ideas are being") == 2
    assert text.count("Open the plan of") == (2 if button else 0)


def test_as_many_ticked_ideas_are_written_as_the_quota_allows(app: Flask, alice: Visitor, page: str) -> None:
    target = first_form(found(alice, app, page)).rpartition("/")[0] + "/ticked"
    with app.app_context():
        db.session.query(Account).one().monthly_post_limit = 1
        db.session.commit()
    answer = alice.send(target, {"number": ["0", "1"]}, page=page)
    assert answer.status_code == 429
    assert "1 of 2 were started." in answer.text
    assert len(job_rows(app)) == 1


@pytest.mark.parametrize("numbers", [[], [str(n) for n in range(11)], ["9" * 5000]])
def test_no_idea_and_too_many_are_refused(app: Flask, alice: Visitor, page: str, numbers: list[str]) -> None:
    target = first_form(found(alice, app, page)).rpartition("/")[0] + "/ticked"
    answer = alice.send(target, {"number": numbers}, page=page)
    assert "Tick between one and 10 ideas." in answer.text
    assert job_rows(app) == []


@pytest.mark.parametrize("number", [99, 10**6])
def test_an_idea_that_is_not_there_is_not_found(app: Flask, alice: Visitor, page: str, number: int) -> None:
    target = first_form(found(alice, app, page)).rpartition("/")[0]
    assert alice.send(f"{target}/{number}", page=page).status_code == 404


def test_bob_generates_none_of_alices_ideas(app: Flask, alice: Visitor, bob: Visitor, page: str) -> None:
    target = first_form(found(alice, app, page))
    assert bob.client.post(target, data=bob.hidden("/settings")).status_code == 404


def test_a_count_that_is_no_number_is_rejected(alice: Visitor, page: str) -> None:
    assert alice.send(page, {"count": "many"}).status_code == 422


def test_the_jobs_page_leads_to_the_ideas(app: Flask, alice: Visitor, page: str) -> None:
    found(alice, app, page)
    with app.app_context():
        job_id = db.session.query(ExecutionJob.id).one()[0]
    text = alice.get(f"/executions/{job_id}").text
    assert f'href="{page}">Title ideas</a>' in text
    assert "Looking for title ideas" in text


def test_ideas_are_searched_and_sorted_and_a_ticked_one_leads_back(
    app: Flask, alice: Visitor, page: str
) -> None:
    def titles(query: str) -> list[str]:
        return re.findall(r"<h2>(?:<bdi>)?([^<]+)(?:</bdi>)?</h2>", alice.get(f"{page}?{query}").text)

    found(alice, app, page)
    everything = titles("")
    assert len(everything) > 1
    assert titles("order=title") == sorted(everything, key=str.casefold)
    assert titles("q=MILK+foam") == [title for title in everything if "ilk foam" in title]
    assert titles("q=zebra") == ["No idea matches"]
    shown = alice.get(f"{page}?q=milk").text
    action = re.search(r'action="(/projects/\d+/ideas/\d+/ticked)"', shown)
    number = re.search(r'name="number" value="(\d+)"', shown)
    assert action
    assert number
    fields = {"number": number[1], "back": f"{page}?q=milk"}
    assert alice.send(action[1], fields, page=f"{page}?q=milk").location == f"{page}?q=milk"
