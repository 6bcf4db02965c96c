"""What the API promises of a post holds whatever its language model answers, on both databases."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from app.infra.db import db
from app.pages.service import add_page
from tests.executions.conftest import Garden
from tests.support import model_answers
from tests.support.beehives import generated, post_of_job, project_of
from tests.support.model_exchange import Exchange
from tests.support.model_jobs import ASKED
from tests.support.model_scenarios import credulous, paragraphs_in
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
def settings_overrides(model_settings: dict[str, str]) -> dict[str, str]:
    return model_settings


def changing(task: str, change: Callable[[dict[str, Any]], None]) -> Callable[[Exchange], None]:
    """Answer as a good model does, with the answers to one task changed."""

    def respond(asked: Exchange) -> None:
        data = model_answers.grounded(asked.body["messages"])
        if asked.task == task:
            change(data)
        asked.say(json.dumps(data))

    return respond


def citing_the_point_without_saying_it(data: dict[str, Any], instead: str = "", *points: str) -> None:
    """Cite the first point everywhere, and say at most something ``instead``, by other ``points``."""
    for paragraph in paragraphs_in(data):
        paragraph[:] = [each for each in paragraph if "order" not in each["text"]]
        for each in paragraph:
            each["evidence"].append("key:1")
    if instead:
        paragraphs_in(data)[-1].append({"text": instead, "evidence": list(points)})


@pytest.mark.parametrize("instead", ["", "Delivery of every order is free within 9 miles."])
def test_a_key_point_is_in_the_post_even_if_it_is_cited_but_not_said(
    garden: Garden, page_ids: list[int], model_server: ModelServer, instead: str
) -> None:
    def draft(data: dict[str, Any]) -> None:
        citing_the_point_without_saying_it(data, instead, "key:1", "key:2")

    model_server.respond = credulous(changing("write the article", draft))
    point, other = "Delivery of every order is free within 90 miles.", "An order has 9 frames at most."
    content = post_of_job(generated(garden, **ASKED, key_points=[point, other])).content
    assert f"- {point.removesuffix('.')}" in content
    assert not instead or instead not in content, "the other point counts frames, not miles"


def test_a_key_point_that_a_sentence_says_in_another_order_is_not_listed_too(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    said = "Within 90 miles the delivery of every order is free"

    def draft(data: dict[str, Any]) -> None:
        citing_the_point_without_saying_it(data, f"{said}.", "key:1")

    model_server.respond = credulous(changing("write the article", draft))
    point = "Delivery of every order is free within 90 miles."
    content = post_of_job(generated(garden, **ASKED, key_points=[point])).content
    assert said in content
    assert point.removesuffix(".") not in content


def add_team_page(garden: Garden, **members: Any) -> int:
    """A page that says nothing on beehives."""
    text = "# Our team\n\nWe are four people who love cooking and long walks in the hills behind our village."
    fields = {"url": "https://alice.example/team", "title": "Our team", "content": text, **members}
    team = add_page(project_of(garden), fields)[0].id
    db.session.commit()
    return team


@pytest.mark.parametrize("engine", ["llm", "extractive"])
@pytest.mark.parametrize("always_use", [True, False])
def test_a_page_that_has_to_be_used_and_is_off_the_topic_is_named_to_the_editor_and_not_linked(
    garden: Garden, page_ids: list[int], engine: str, always_use: bool
) -> None:
    team = add_team_page(garden, always_use=always_use)
    required = {} if always_use else {"required_page_ids": [team]}
    wanted = {"topic": "beehive", "internal_links": {"min": 9}}
    post = post_of_job(generated(garden, **wanted, **required, engine=engine))
    assert "alice.example/team" not in post.content
    assert "https://alice.example/team had to be used, but says nothing on “beehive”." in post.editor_notes
    assert any("9 were wanted: link what helps the reader further" in note for note in post.editor_notes)


def test_a_note_that_is_promised_is_kept_however_many_sentences_are_removed(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    def change(data: dict[str, Any]) -> None:
        paragraph = paragraphs_in(data)[-1]
        made_up = [f"A beehive weighs {number} kg." for number in range(1001, 1051)]
        paragraph += [{"text": text, "evidence": paragraph[0]["evidence"]} for text in made_up]

    model_server.respond = changing("write the article", change)
    post = post_of_job(generated(garden, **ASKED, required_page_ids=[add_team_page(garden)]))
    assert sum(note.startswith("Removed") for note in post.editor_notes) > 30
    assert any(note.startswith("https://alice.example/team had to be used") for note in post.editor_notes)
