"""What happens where a model finds that the evidence does not cover a topic."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.content.artefacts import SourcePage, SourceSnapshot
from app.content.writing.article.answers import NotCovered
from app.content.writing.article.planning import Planned, plan_article
from app.pages.extraction.blocks import Block
from tests.support import model_answers
from tests.support.article_material import ScriptedModel, calls_to, material_of


def outcome(snapshot: SourceSnapshot, model: ScriptedModel) -> Planned | NotCovered:
    return plan_article(material_of(snapshot, topic="beehive"), calls_to(model))


def page_on_the_office(bees: SourceSnapshot) -> SourcePage:
    said = (Block("paragraph", 0, "The ticket office opens at nine and closes at noon."),)
    return replace(bees.pages[0], page_id=9, title="Visit", blocks=said)


def test_the_model_may_say_that_the_pages_do_not_cover_the_topic(bees: SourceSnapshot) -> None:
    lacks = {
        "not_covered": True,
        "missing": ["what a queen costs", ""],
        "links": [{"page": 3, "section": ""}],
    }
    model = ScriptedModel({"plan the article": lambda prompt: model_answers.plan(prompt) | lacks})
    assert outcome(bees, model) == NotCovered(("what a queen costs",), page_ids=(3,))
    assert model.asked == ["plan the article"]


def test_a_model_that_misses_something_is_asked_once_more_with_what_the_site_says_of_it(
    bees: SourceSnapshot,
) -> None:
    office = page_on_the_office(bees)
    snapshot = replace(bees, pages=(*bees.pages, office))

    def answer(prompt: str) -> dict[str, Any]:
        lacks = {"not_covered": "at noon" not in prompt, "missing": ["when the ticket office opens"]}
        return model_answers.plan(prompt) | lacks

    model = ScriptedModel({"plan the article": answer})
    assert isinstance(outcome(snapshot, model), Planned)
    assert ["at noon" in prompt for prompt in model.prompts] == [False, True]


def test_it_is_asked_with_further_pages_of_a_site_with_more_than_were_taken_along(
    bees: SourceSnapshot,
) -> None:
    office = page_on_the_office(bees)
    searched: list[str] = []

    def further(gaps: str) -> tuple[SourcePage, ...]:
        searched.append(gaps)
        return (office,)

    def answer(prompt: str) -> dict[str, Any]:
        lacks = {"not_covered": "at noon" not in prompt, "missing": ["ticket office", "opening hours"]}
        return model_answers.plan(prompt) | lacks

    model = ScriptedModel({"plan the article": answer})
    material = replace(material_of(bees, topic="beehive"), further=further)
    found = plan_article(material, calls_to(model))
    assert isinstance(found, Planned)
    assert searched == ["ticket office opening hours"]
    assert office in found.material.snapshot.pages
