"""Plan first, edit the plan, write the post: in the dashboard, without JavaScript."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from flask import Flask

from app.infra.db import db
from app.pages.service import add_page
from app.projects.model import Project
from tests.dashboard.conftest import Visitor
from tests.dashboard.test_dashboard_generation import GRINDERS
from tests.support.forms import page_of, payload_of, wrong

ASKED = {"topic": "Espresso grinder", "write_anyway": "Espresso grinder", "length": "500", "plan": "yes"}

_AREA = r'<textarea[^>]* name="({name})"[^>]*>\s*([^<]*)</textarea>'


@pytest.fixture
def form(app: Flask, project_id: int) -> str:
    """The address of the form of a generation, in a project with a page on grinders."""
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        add_page(project, {"url": f"{project.url}grinders", "title": "Grinders", "content": GRINDERS})
    return f"/projects/{project_id}/posts/generate"


@pytest.fixture
def plan(alice: Visitor, form: str) -> str:
    """The address of a plan that is made."""
    location: str = alice.send(form, ASKED).location
    alice.run(location)
    return location


def typed(text: str) -> dict[str, str]:
    """What the form of a plan on a page would send as it is."""
    form = text[text.index('<form class="fields wide"') :]
    fields = re.findall(r'<input[^>]* name="([^"]+)"[^>]* value="([^"]*)"', form)
    fields += re.findall(_AREA.format(name='[^"]+'), form)
    return {name: unescape(value) for name, value in fields if not name.startswith("csrf")}


def headings(text: str) -> list[str]:
    return [unescape(value) for _, value in re.findall(_AREA.format(name=r"sections-\d+-heading"), text)]


def focused(text: str) -> str:
    (found,) = re.findall(r"<(?:input|textarea)[^>]* autofocus[^>]* name=\"([^\"]+)\"", text)
    return str(found)


def press(alice: Visitor, plan: str, act: str, **fields: str) -> Any:
    return alice.send(plan, {**typed(alice.get(plan).text), "act": act, **fields})


def test_a_plan_is_followed_until_it_is_there(alice: Visitor, form: str) -> None:
    location = alice.send(form, ASKED).location
    waiting = alice.get(location).text
    assert 'data-final="no"' in waiting
    since = re.search(r'data-since="([^"]+)"', waiting)
    assert since is not None
    assert alice.client.get(f"{location}/live", query_string={"since": since[1]}).status_code == 204
    alice.run(location)
    ready = alice.client.get(f"{location}/live", query_string={"since": since[1]}).text
    assert 'data-final="yes"' in ready
    assert "Write the article" in ready


def test_a_plan_shows_each_section_with_its_evidence(alice: Visitor, plan: str) -> None:
    text = alice.get(plan).text
    assert "Choosing an espresso grinder" in headings(text)
    assert re.search(r"1 passage, 1\d words on your pages", text)
    assert "One passage only." in text
    assert "<blockquote" in text
    assert 'href="https://alice.example.com/grinders"' in text
    assert not re.search(r">[^<]*\d+:b\d+", text)


def test_what_a_person_changed_is_what_is_written(
    app: Flask, alice: Visitor, plan: str, project_id: int
) -> None:
    fields = typed(alice.get(plan).text)
    before = headings(alice.get(plan).text)
    moved = alice.send(plan, {**fields, "act": "down-0", "title": "Grinders for us"})
    assert headings(moved.text)[:2] == [before[1], before[0]]
    fields = {**typed(moved.text), "sections-0-heading": "In our words", "act": "write"}
    location = alice.send(plan, fields).location
    payload = payload_of(app, location)
    assert (payload["topic"], payload["target_words"]) == ("Espresso grinder", 500)
    outline = payload["outline"]
    assert outline["title"] == "Grinders for us"
    assert [each["heading"] for each in outline["sections"]][:2] == ["In our words", before[0]]
    assert all(each["evidence_ids"] for each in outline["sections"])
    alice.run(location)
    text = alice.get(f"/projects/{project_id}/posts").text
    assert "Grinders for us" in text


def test_sections_are_moved_removed_and_added_by_buttons(alice: Visitor, plan: str) -> None:
    before = headings(alice.get(plan).text)
    up = press(alice, plan, "up-1").text
    assert headings(up) == [before[1], before[0], *before[2:]]
    assert focused(up) == "sections-0-heading"
    removed = press(alice, plan, "remove-0").text
    assert headings(removed) == before[1:]
    assert focused(removed) == "sections-0-heading"
    added = press(alice, plan, "add").text
    assert headings(added) == [*before, ""]
    assert focused(added) == f"sections-{len(before)}-heading"
    assert "No passage yet" in added


def test_what_was_typed_stays_when_a_button_is_pressed(alice: Visitor, plan: str) -> None:
    fields = {"title": "Mine", "sections-0-key_points": "the burrs\nthe noise", "slug": "my-post"}
    text = press(alice, plan, "add", **fields).text
    for words in ("Mine", "the burrs\nthe noise", "my-post"):
        assert words in text


@pytest.mark.parametrize("act", ["", "look", "up-99", "down-x", "remove-12", "fly", "up-0"])
def test_a_button_that_there_is_not_changes_nothing(alice: Visitor, plan: str, act: str) -> None:
    answer = press(alice, plan, act)
    assert answer.status_code == 200
    assert headings(answer.text) == headings(alice.get(plan).text)


def test_questions_are_added_and_removed(app: Flask, alice: Visitor, plan: str) -> None:
    added = press(alice, plan, "add-question").text
    assert focused(added) == "questions-0-question"
    fields = {**typed(added), "questions-0-question": "Is it loud?"}
    removed = alice.send(plan, {**fields, "act": "remove-question-0"}).text
    assert 'name="questions-0-question"' not in removed
    outline = payload_of(app, alice.send(plan, {**fields, "act": "write"}).location)["outline"]
    assert [each["question"] for each in outline["questions"]] == ["Is it loud?"]


def test_a_section_left_empty_is_no_section(app: Flask, alice: Visitor, plan: str) -> None:
    added = press(alice, plan, "add").text
    outline = payload_of(app, alice.send(plan, {**typed(added), "act": "write"}).location)["outline"]
    assert [each["heading"] for each in outline["sections"]] == headings(added)[:-1]


def test_errors_of_a_plan_are_shown_beside_their_fields(alice: Visitor, plan: str) -> None:
    fields = {"sections-1-heading": "", "sections-1-key_points": "the burrs", "slug": "Not a slug"}
    answer = press(alice, plan, "write", **fields)
    assert answer.status_code == 422
    assert "Give it a heading" in wrong(answer.text, "sections-1-heading")
    answer = press(alice, plan, "write", **{"slug": "Not a slug", "sections-0-heading": "x" * 151})
    assert answer.status_code == 422
    assert "Must be 1 to 80" in wrong(answer.text, "slug")
    assert "Use 1 to 150 characters" in wrong(answer.text, "sections-0-heading")
    answer = press(alice, plan, "write", **{"sections-0-key_points": f"short\n{'x' * 301}"})
    assert wrong(answer.text, "sections-0-key_points").count("No. 2: ") == 1


def test_slug_and_least_kind_wait_for_the_writing(app: Flask, alice: Visitor, form: str) -> None:
    asked = {**ASKED, "slug": "grinders", "minimum_kind": "extractive"}
    location = alice.send(form, asked).location
    alice.run(location.partition("?")[0])
    assert set(payload_of(app, location.partition("?")[0])) == {"topic", "target_words"}
    fields = typed(alice.get(location).text)
    assert (fields["slug"], fields["minimum_kind"]) == ("grinders", "extractive")
    payload = payload_of(app, alice.send(location, {**fields, "act": "write"}).location)
    assert (payload["slug"], payload["minimum_kind"]) == ("grinders", "extractive")


def test_plan_again_makes_another_plan_of_the_same_input(app: Flask, alice: Visitor, plan: str) -> None:
    location = alice.send(
        f"{plan}/again", {**typed(alice.get(plan).text), "slug": "mine"}, page=plan
    ).location
    assert location != plan
    assert location.endswith("?slug=mine")
    assert payload_of(app, location.partition("?")[0]) == payload_of(app, plan)


def test_two_clicks_write_one_article(alice: Visitor, plan: str) -> None:
    sent = {**alice.hidden(plan), **typed(alice.get(plan).text), "act": "write"}
    first = alice.client.post(plan, data=sent)
    assert alice.client.post(plan, data=sent).location == first.location


def test_a_topic_that_the_pages_do_not_cover_says_what_is_missing(alice: Visitor, form: str) -> None:
    location = alice.send(form, {**ASKED, "topic": "Submarine engines"}).location
    alice.run(location)
    text = alice.get(location).text
    assert "Your pages do not say enough about this" in text
    assert "Write the article" not in text
    assert "Add pages" in text
    assert alice.send(location, {"act": "write"}).status_code == 200


def test_the_form_can_be_filled_again_from_a_plan(alice: Visitor, plan: str, form: str) -> None:
    job_id = plan.rpartition("/")[2]
    assert f'href="{form}?like={job_id}"' in alice.get(plan).text
    assert 'value="Espresso grinder"' in alice.get(f"{form}?like={job_id}").text


def test_the_job_of_a_planned_post_fills_the_form_with_its_sections(
    alice: Visitor, plan: str, form: str
) -> None:
    job_id = page_of(press(alice, plan, "write").location).rpartition("/")[2]
    assert "Choosing an espresso grinder" in alice.get(f"{form}?like={job_id}").text


def test_the_jobs_page_leads_to_the_plan(alice: Visitor, plan: str) -> None:
    job_id = plan.rpartition("/")[2]
    text = alice.get(f"/executions/{job_id}").text
    assert f'href="{plan}">Open the plan</a>' in text
    assert "Planning a post" in text


def test_a_plan_job_that_failed_says_why_and_what_can_be_done(app: Flask, alice: Visitor, form: str) -> None:
    location = alice.send(form, ASKED).location
    job_id = location.rpartition("/")[2]
    alice.send(f"/executions/{job_id}/cancel", page=f"/executions/{job_id}")
    text = alice.get(location).text
    assert "Try again" in text
    assert "Write the article" not in text


def test_bob_finds_nothing_of_alices_plan(alice: Visitor, bob: Visitor, plan: str) -> None:
    token = bob.hidden("/settings")
    for path in (plan, f"{plan}/live"):
        assert bob.get(path).status_code == 404
    for path in (plan, f"{plan}/again"):
        assert bob.client.post(path, data={**token, "act": "write", "job_key": "k"}).status_code == 404


def test_a_job_that_plans_nothing_is_no_plan(alice: Visitor, form: str, plan: str) -> None:
    job_id = page_of(alice.send(form, {"length": "500"}).location).rpartition("/")[2]
    assert alice.get(plan.rpartition("/")[0] + f"/{job_id}").status_code == 404
