"""SUGGEST_TITLES with a language model: one call, and what its answer has to stand."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from flask import Flask

from tests.executions.conftest import Garden
from tests.operations.test_suggest_titles import keyword, result_of, topics
from tests.support.model_exchange import Exchange
from tests.support.model_server import ModelServer
from tests.support.publishing import alice_project
from tests.support.refreshing import generated

GOOD = "Where should your first beehive stand in winter?"
OF_THE_PAGES = "Where to put a beehive"
"""The idea that the pages of the school give without a model."""


@pytest.fixture
def settings_overrides(model_settings: dict[str, str]) -> dict[str, str]:
    return model_settings


def evidence_of(prompt: str, words: str) -> str:
    """The id of the evidence that holds these words."""
    shown = re.findall(r'<evidence id="([^"]+)"[^>]*>\n(.*?)\n</evidence>', prompt, re.DOTALL)
    return next(name for name, text in shown if words in text)


def idea(title: str, *evidence: str, why: str = "Beginners ask this first.") -> dict[str, Any]:
    return {"title": title, "question": "Where do I put it?", "why": why, "evidence": list(evidence)}


def proposing(model_server: ModelServer, *made: dict[str, Any]) -> None:
    """Let the model answer with these ideas; the evidence "sun" stands for the passage on the morning sun."""

    def respond(asked: Exchange) -> None:
        sun = evidence_of(asked.body["messages"][-1]["content"], "morning sun")
        ideas = [
            {**each, "evidence": [sun if name == "sun" else name for name in each["evidence"]]}
            for each in made
        ]
        asked.say(json.dumps({"ideas": ideas}))

    model_server.respond = respond


def test_the_models_angles_come_first_with_question_pages_and_cost(
    school: Garden, model_server: ModelServer
) -> None:
    keyword(school, "warm day")
    proposing(model_server, idea(GOOD, "sun"))
    result = result_of(school)
    first, second = result["ideas"]
    assert (first["title"], first["origin"], first["question"]) == (GOOD, "model", "Where do I put it?")
    assert first["why"] == "Beginners ask this first."
    assert first["pages"][0]["url"].endswith("/hives")
    assert second["origin"] == "keyword"
    assert (result["engine"], result["usage"]["calls"]) == ("llm", 1)
    assert result["usage"]["cost_usd"] == 0.002
    assert result["warnings"] == []


def test_one_call_shows_evidence_names_and_keywords(school: Garden, model_server: ModelServer) -> None:
    keyword(school, "warm day")
    proposing(model_server)
    result_of(school, count=7)
    (body,) = model_server.bodies
    asked = body["messages"][-1]["content"]
    assert "Propose 7 posts" in asked
    assert "Search phrases without a post: warm day" in asked
    assert "- Caring for bees" in asked
    assert 'kind="list"' in asked
    assert "https://" not in asked


@pytest.mark.parametrize(
    "made",
    [
        idea("Beehives", "sun"),
        idea(GOOD),
        idea(GOOD, "9:unknown"),
        idea("7 places where a beehive stands well in winter", "sun"),
        idea(GOOD, "sun", why="It raises sales by 40 %."),
        idea("x", "sun"),
    ],
)
def test_what_names_a_page_lacks_evidence_or_invents_a_figure_is_dropped(
    school: Garden, model_server: ModelServer, made: dict[str, Any]
) -> None:
    proposing(model_server, made)
    assert topics(result_of(school)) == [OF_THE_PAGES]


def test_an_unknown_evidence_id_is_passed_over(school: Garden, model_server: ModelServer) -> None:
    proposing(model_server, idea(GOOD, "9:unknown", "sun"))
    assert topics(result_of(school)) == [GOOD]


def test_what_a_post_or_another_idea_is_about_is_dropped(school: Garden, model_server: ModelServer) -> None:
    generated(school, topic=GOOD, engine="extractive")
    other = "How a hive is opened on a warm day"
    proposing(model_server, idea(GOOD, "sun"), idea(other, "sun"), idea(f"{other}!", "sun"))
    assert topics(result_of(school)) == [other]


def test_with_chosen_keywords_other_angles_are_left_out(school: Garden, model_server: ModelServer) -> None:
    chosen = keyword(school, "warm day")
    proposing(model_server, idea(GOOD, "sun"), idea("What a warm day does to a hive", "sun"))
    assert topics(result_of(school, keyword_ids=[chosen])) == ["What a warm day does to a hive", "warm day"]
    assert "must be about one of these" in model_server.prompts[-1]


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("status", "why"),
    [
        (401, "The text provider refused the service's credentials"),
        (500, "The text provider did not return a usable answer"),
    ],
)
def test_when_the_model_fails_the_other_ideas_come_with_a_warning(
    school: Garden, model_server: ModelServer, status: int, why: str
) -> None:
    keyword(school, "warm day")
    model_server.respond = lambda asked: asked.refuse(status)
    result = result_of(school)
    assert topics(result) == ["warm day"]
    assert result["engine"] == "extractive"
    assert result["usage"]["calls"] == len(model_server.bodies)
    (warning,) = result["warnings"]
    assert warning == f"{why}, so these ideas come from the pages and keywords alone."


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("text", ['{"ideas": 1}', '{"ideas": [{"title": "x"}]}', "[]"])
def test_an_answer_of_another_shape_is_none(school: Garden, model_server: ModelServer, text: str) -> None:
    model_server.respond = lambda asked: asked.say(text)
    (warning,) = result_of(school)["warnings"]
    assert warning.startswith("The text provider's answer did not have the form that was asked for, so ")


def test_without_pages_the_model_is_not_asked(db_app: Flask, model_server: ModelServer) -> None:
    project = alice_project()
    result_of(Garden(project.account_id, project.id))
    assert model_server.bodies == []
