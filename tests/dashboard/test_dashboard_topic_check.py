"""The form of a generation checks its topic: coverage by the pages, and similar posts and pages."""

from __future__ import annotations

import pytest
from flask import Flask

from app.content import topic_check
from app.executions.model import ExecutionJob
from app.infra.db import db
from app.keywords.service import add_keyword
from app.projects.model import Project
from tests.dashboard.conftest import Visitor
from tests.support.forms import payload_of

PAINT = "Painting a beehive"


@pytest.fixture
def form(bees_id: int) -> str:
    """The address of the form, in a project with two pages on bees."""
    return f"/projects/{bees_id}/posts/generate"


def jobs(app: Flask) -> int:
    with app.app_context():
        return db.session.query(ExecutionJob).count()


def test_a_covered_topic_says_so_and_makes_nothing(app: Flask, alice: Visitor, form: str) -> None:
    answer = alice.send(form, {"topic": PAINT, "check": "yes"})
    assert answer.status_code == 200
    assert "A draft would quote them from 1 page." in " ".join(answer.text.split())
    assert "Write anyway" not in answer.text
    assert f'value="{PAINT}"' in answer.text
    assert jobs(app) == 0


def test_a_length_that_the_pages_do_not_carry_is_reported_before_writing(alice: Visitor, form: str) -> None:
    text = alice.send(form, {"topic": "Choosing a beehive", "words": "3000", "check": "yes"}).text
    assert "Covered, but briefly" in text
    assert "words on this; you asked for 3,000." in " ".join(text.split())


def test_a_model_that_is_not_set_up_is_not_said_to_write(alice: Visitor, form: str) -> None:
    checked = alice.send(form, {"topic": PAINT, "engine": "llm", "check": "yes"}).text
    assert "A draft would quote them from 1 page." in " ".join(checked.split())


def test_the_form_says_that_a_draft_without_a_model_is_to_be_reworded(alice: Visitor, form: str) -> None:
    assert "Reword it before you publish it" in " ".join(alice.get(form).text.split())


def test_long_pages_are_not_read_while_somebody_types(
    alice: Visitor, form: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(topic_check, "QUICKLY_READ", 10)
    typed = alice.client.get(f"{form}/check", query_string={"topic": "Beehives"}).text
    assert "Your pages are long." in typed
    assert "You have a page about this:" in typed
    assert "<meter" in alice.send(form, {"topic": "Beehives", "check": "yes"}).text


def test_an_absent_topic_says_that_it_would_be_an_outline(alice: Visitor, form: str) -> None:
    text = alice.send(form, {"topic": "Kayak rental", "check": "yes"}).text
    assert "No page says anything about “Kayak rental”. A draft would be an outline" in text


def test_a_check_without_a_topic_asks_for_one(app: Flask, alice: Visitor, form: str) -> None:
    assert "Enter a topic to check." in alice.send(form, {"check": "yes"}).text
    assert jobs(app) == 0


def test_a_topic_that_a_page_is_about_needs_a_confirmation(app: Flask, alice: Visitor, form: str) -> None:
    held = alice.send(form, {"topic": "Beehives", "audience": "beginners"})
    assert held.status_code == 200
    assert "You have a page about this:" in held.text
    assert 'name="write_anyway" value="Beehives"' in held.text
    assert 'value="beginners"' in held.text
    assert jobs(app) == 0
    made = alice.send(form, {"topic": "Beehives", "write_anyway": "Beehives", "length": "500"})
    assert payload_of(app, made.location) == {"topic": "Beehives", "target_words": 500}


def test_somebody_may_write_between_the_check_of_a_topic_and_its_job(
    app: Flask, form: str, project_id: int
) -> None:
    renamed = db.update(Project).where(Project.id == project_id)
    with app.app_context():
        topic_check.check_topic(project_id, {"topic": PAINT})
        with db.engine.begin() as somebody:
            somebody.execute(renamed.values(name="Theirs"))
        db.session.execute(renamed.values(name="Ours"))
        db.session.commit()
        assert db.session.get_one(Project, project_id).name == "Ours"


def test_the_tick_is_for_the_topic_that_was_shown(app: Flask, alice: Visitor, form: str) -> None:
    other = alice.send(form, {"topic": "Caring for bees", "write_anyway": "Beehives"})
    assert "You have a page about this:" in other.text
    assert jobs(app) == 0


def test_a_topic_that_a_post_is_about_names_the_post(app: Flask, alice: Visitor, form: str) -> None:
    alice.run(alice.send(form, {"topic": PAINT, "length": "500"}).location)
    again = alice.send(form, {"topic": PAINT, "length": "500"})
    assert "You have a post about this:" in again.text
    assert jobs(app) == 1


def test_a_keyword_alone_is_checked_like_a_topic(
    app: Flask, alice: Visitor, form: str, project_id: int
) -> None:
    with app.app_context():
        keyword = add_keyword(db.session.get_one(Project, project_id), {"keyword_text": "beehives"})[0].id
    assert "You have a page about this:" in alice.send(form, {"keyword": str(keyword)}).text


def test_what_is_wrong_with_another_field_does_not_ask_again(alice: Visitor, form: str) -> None:
    answer = alice.send(form, {"topic": "Beehives", "write_anyway": "Beehives", "words": "many"})
    assert answer.status_code == 422
    assert 'name="write_anyway" type="hidden" value="Beehives"' in answer.text


def test_a_topic_is_checked_while_it_is_typed(alice: Visitor, bob: Visitor, form: str) -> None:
    covered = alice.client.get(f"{form}/check", query_string={"topic": PAINT}).text
    assert "by your pages" in covered
    assert 'class="chip page"' in covered
    assert "Write anyway" not in covered
    similar = alice.client.get(f"{form}/check", query_string={"topic": "Beehives"}).text
    assert 'name="write_anyway" value="Beehives"' in similar
    assert "<meter" not in alice.get(f"{form}/check").text
    assert bob.get(f"{form}/check?topic=Beehives").status_code == 404
