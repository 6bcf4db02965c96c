"""What the API promises of a post holds whatever its language model answers, on both databases."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest

from app.infra.db import db
from app.pages.service import add_page
from tests.executions.conftest import Garden
from tests.support import model_answers
from tests.support.beehives import generated, post_of_job, project_of
from tests.support.model_exchange import Exchange
from tests.support.model_jobs import ASKED
from tests.support.model_scenarios import added
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


def citing_the_point_without_saying_it(data: dict[str, Any]) -> None:
    for paragraph in data["paragraphs"]:
        told = [each for each in paragraph["sentences"] if "order" not in each["text"]]
        paragraph["sentences"] = [{**each, "evidence": [*each["evidence"], "key:1"]} for each in told]


@pytest.mark.parametrize("instead", ["", "Delivery of every order is free within 9 miles."])
def test_a_key_point_stands_in_the_post_though_it_is_cited_and_not_said(
    garden: Garden, page_ids: list[int], model_server: ModelServer, instead: str
) -> None:
    def change(data: dict[str, Any]) -> None:
        citing_the_point_without_saying_it(data)
        if instead:
            data["paragraphs"][0]["sentences"].append({"text": instead, "evidence": ["key:1", "key:2"]})

    model_server.respond = changing("write one section", change)
    point, other = "Delivery of every order is free within 90 miles.", "An order has 9 frames at most."
    content = post_of_job(generated(garden, **ASKED, key_points=[point, other])).content
    assert f"- {point.removesuffix('.')}" in content
    assert instead in content


def test_a_key_point_that_a_sentence_says_in_another_order_is_not_listed_too(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    said = "Within 90 miles the delivery of every order is free"

    def change(data: dict[str, Any]) -> None:
        citing_the_point_without_saying_it(data)
        data["paragraphs"][0]["sentences"].append({"text": f"{said}.", "evidence": ["key:1"]})

    model_server.respond = changing("write one section", change)
    point = "Delivery of every order is free within 90 miles."
    content = post_of_job(generated(garden, **ASKED, key_points=[point])).content
    assert said in content
    assert point.removesuffix(".") not in content


def test_only_the_questions_of_the_plan_are_answered_and_each_once(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    asked: list[str] = []

    def change(data: dict[str, Any]) -> None:
        asked.extend(each["question"] for each in data["answers"])
        first, told = data["answers"][0], "It holds a beehive, and bees live in the beehive."
        again = {"text": told, "evidence": first["sentences"][0]["evidence"]}
        data["answers"] += [
            {"question": first["question"].upper(), "sentences": [again]},
            {"question": "Choosing a beehive", "sentences": [again]},
        ]

    model_server.respond = changing("answer questions", change)
    post = post_of_job(generated(garden, **ASKED))
    answered = [each["question"] for each in post.faq]
    assert answered
    assert len(set(answered)) == len(answered)
    assert set(answered) <= set(asked)
    refused = [note for note in post.editor_notes if note.startswith("An answer to ")]
    assert len(refused) == 2
    assert "“Choosing a beehive”" in refused[1]


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
    assert any("9 were wanted, and no other page speaks on the topic" in note for note in post.editor_notes)


def test_a_note_that_is_promised_is_kept_however_many_sentences_are_removed(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    model_server.respond = added(*(f"A beehive weighs {number} kg." for number in range(1001, 1051)))
    post = post_of_job(generated(garden, **ASKED, required_page_ids=[add_team_page(garden)]))
    assert sum(note.startswith("Removed") for note in post.editor_notes) > 30
    assert any(note.startswith("https://alice.example/team had to be used") for note in post.editor_notes)


def test_a_model_that_writes_on_and_on_makes_no_post_of_more_than_twice_the_length(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    """Each section, answer and introduction says the same in hundreds of ways."""
    order = count(1)

    def respond(asked: Exchange) -> None:
        data = model_answers.grounded(asked.body["messages"])
        told_in = [data.get("introduction", []), *(each["sentences"] for each in parts_of(data))]
        for told in filter(None, told_in):
            told += [wordy(next(order), told[0]) for _ in range(50)]
        asked.say(json.dumps(data))

    model_server.respond = respond
    job = generated(garden, **ASKED, length="short")
    post = post_of_job(job)
    sections = model_server.tasks.count("write one section")
    cut = [note for note in post.editor_notes if "were asked for" in note]
    assert len(cut) == sections
    answers = 120 * len(post.faq)
    assert 500 < post.word_count < 2 * 500 + 120 + answers + 100
    assert post.quality["decision"] != "block"


def test_the_sections_of_a_post_end_at_the_most_words_that_one_has(
    garden: Garden, page_ids: list[int], model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.content.writing.article.draft.MOST_WORDS", 60)
    post = post_of_job(generated(garden, **ASKED))
    told = "a post has 60 words at most, and there was no room for it."
    assert any(note.endswith(told) for note in post.editor_notes)
    assert post.content.count("\n## ") < model_server.tasks.count("write one section") + 1


def parts_of(data: dict[str, Any]) -> list[dict[str, Any]]:
    return [*data.get("paragraphs", ()), *data.get("answers", ())]


def wordy(number: int, first: dict[str, Any]) -> dict[str, Any]:
    """One of many sentences that say with the same words what a first one says."""
    told = ["bees", "honey", "colony", "box", "wind", "water", "morning", "sun"]
    mixed = " ".join(told[number // 8**place % 8] for place in range(6))
    return {**first, "text": f"{first['text'].removesuffix('.')} and {mixed}."}
