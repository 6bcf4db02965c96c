"""From a plan to its form, and from the form to the input of a generation."""

from __future__ import annotations

from typing import Any

import pytest

from app.dashboard.forms.plan import MadePlan, PlanForm, changed
from app.failures import ServiceFailure
from tests.operations.test_plan_input import PLAN, SECTION

SECOND = {**SECTION, "heading": "What it weighs", "words": 0, "format": "prose", "key_points": []}
LINKS = [{"page_id": 12, "section": "What it costs"}, {"page_id": 13, "section": "What it weighs"}]


def made(engine: str = "llm", **payload: Any) -> MadePlan:
    plan = {**PLAN, "sections": [SECTION, SECOND], "links": LINKS}
    passages = [
        {"id": "12:b3", "text": "It costs 150 euros.", "title": "Prices", "page_id": 12, "url": "https://x"}
    ]
    return MadePlan(payload, {"plan": plan, "evidence": passages, "engine": engine, "topic": "Beehives"})


def form_of(plan: MadePlan, **typed: Any) -> PlanForm:
    return PlanForm(data={**plan.shown({}), **typed})


@pytest.mark.parametrize("engine", ["llm", "extractive"])
def test_a_form_sent_as_it_is_gives_the_plan_as_it_was(engine: str) -> None:
    plan = made(engine)
    assert plan.generation_payload(form_of(plan))["outline"] == plan.plan


def test_what_a_person_typed_takes_the_place_of_what_was_planned() -> None:
    plan = made()
    sections = plan.shown({})["sections"]
    sections[0] |= {"heading": "The price", "words": "1,200", "format": "list", "key_points": ["new", "used"]}
    outline = plan.generation_payload(form_of(plan, sections=sections, closing_purpose="say goodbye"))[
        "outline"
    ]
    first = outline["sections"][0]
    assert (first["heading"], first["words"], first["format"]) == ("The price", 1200, "list")
    assert first["key_points"] == ["new", "used"]
    assert first["evidence_ids"] == SECTION["evidence_ids"]
    assert outline["closing"] == {"heading": "What to do next", "purpose": "say goodbye"}


def test_links_follow_their_sections() -> None:
    plan = made()
    second = {**plan.shown({})["sections"][1], "heading": "Its weight"}
    outline = plan.generation_payload(form_of(plan, sections=[second]))["outline"]
    assert outline["links"] == [{"page_id": 13, "section": "Its weight"}]


def test_an_added_section_has_no_evidence() -> None:
    plan = made()
    sections = [*plan.shown({})["sections"], {"heading": "Honey"}]
    outline = plan.generation_payload(form_of(plan, sections=sections))["outline"]
    assert outline["sections"][2] == {
        "heading": "Honey", "key_points": [], "purpose": None, "format": "prose", "words": 0,
    }  # fmt: skip


@pytest.mark.parametrize("of", ["", "2", "99", "-1", "x", None])
def test_a_number_that_no_section_has_means_an_added_one(of: str | None) -> None:
    assert made().passages("sections", of) == []


def test_passages_are_those_of_the_section() -> None:
    assert [each["text"] for each in made().passages("sections", "0")] == ["It costs 150 euros."]


@pytest.mark.parametrize(("topic", "order"), [("茶", "茶"), ("VAT", "VAT"), ("IT", None), ("x" * 201, None)])
def test_a_topic_that_the_pages_gave_is_kept_if_a_caller_could_have_given_it(
    topic: str, order: str | None
) -> None:
    plan = made()
    plan.result["topic"] = topic
    assert plan.generation_payload(form_of(plan)).get("topic") == order


def test_the_topic_is_kept_where_it_was_left_open_and_the_planned_title_is_the_title() -> None:
    plan = made(keyword_ids=[4], title="An older title")
    order = plan.generation_payload(form_of(plan, title="Mine", slug="mine"))
    assert (order["topic"], order["keyword_ids"], order["slug"]) == ("Beehives", [4], "mine")
    assert "title" not in order
    assert order["outline"]["title"] == "Mine"
    asked = made(topic="Bees")
    assert asked.generation_payload(form_of(asked))["topic"] == "Bees"


@pytest.mark.parametrize("words", ["many", "-5", "1.5", "9999999", "१"])
def test_a_length_that_is_no_whole_number_is_rejected_beside_it(words: str) -> None:
    plan = made()
    sections = plan.shown({})["sections"]
    sections[1]["words"] = words
    form = form_of(plan, sections=sections)
    with pytest.raises(ServiceFailure) as refused:
        plan.generation_payload(form)
    form.show_failure(refused.value)
    assert form.sections[1].form.words.errors == ["Give a whole number."]
    assert form.status == 422


def test_a_full_plan_takes_no_further_section() -> None:
    plan = made()
    form = form_of(plan, sections=plan.shown({})["sections"] * 6)
    assert len(changed(form, "add").sections) == 12
