"""The outline of a generation's input: a list of sections, or a whole plan."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from marshmallow import RAISE, ValidationError

from app.content.plan import PlannedSection, PostPlan, plan_from, within_limits
from app.executions.idempotency import fingerprint
from app.operations.registry import operation_named

SECTION: Mapping[str, Any] = {
    "heading": "What it costs",
    "purpose": "name the price",
    "key_points": ["the price of a new one"],
    "evidence_ids": ["12:b3", "key:1", "project:summary"],
    "words": 150,
    "format": "table",
}
PLAN: Mapping[str, Any] = {
    "title": "Beehives, in short",
    "meta_title": "Beehives in short for beginners",
    "description": "What a beginner has to know.",
    "keyphrase": "beehive for beginners",
    "reader_question": "Which beehive do I need?",
    "angle": "what the neighbours use",
    "sections": [SECTION],
    "highlights": ["12:b3"],
    "questions": [{"question": "Does it sting?", "evidence_ids": ["12:b4"]}],
    "closing": {"heading": "What to do next", "purpose": "lead to the course"},
    "links": [{"page_id": 12, "section": "What it costs"}],
    "gaps": ["what a repair costs"],
}


def loaded(outline: Any, operation: str = "GENERATE_BLOG_POST") -> Any:
    return operation_named(operation).schema(unknown=RAISE).load({"outline": outline}).get("outline")


def wrong(outline: Any) -> Any:
    with pytest.raises(ValidationError) as refused:
        loaded(outline)
    return refused.value.messages_dict["outline"]


@pytest.mark.parametrize("operation", ["GENERATE_BLOG_POST", "PLAN_BLOG_POST"])
def test_an_outline_is_a_list_of_sections_or_a_plan(operation: str) -> None:
    sections = [{"heading": "Why", "key_points": ["because"]}, {"heading": "How"}]
    assert loaded(sections, operation) == sections
    assert loaded(PLAN, operation) == PLAN


@pytest.mark.parametrize("member", PLAN)
def test_each_member_of_a_plan_may_be_left_out_or_null(member: str) -> None:
    left = {name: value for name, value in PLAN.items() if name != member}
    assert loaded(left) == left
    assert loaded({**PLAN, member: None}) == left


def test_nothing_said_is_the_same_request_however_it_is_written() -> None:
    bare = [{"heading": "Why"}]
    with_null = [{"heading": "Why", "key_points": None}]
    assert fingerprint("X", {"outline": loaded(bare)}) == fingerprint("X", {"outline": loaded(with_null)})
    empty = {"title": "", "closing": {"heading": "", "purpose": ""}, "links": [], "gaps": []}
    assert loaded({"sections": bare, **empty}) == {"sections": bare}


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"title": "x" * 151}, "title"),
        ({"title": "***"}, "title"),
        ({"meta_title": 5}, "meta_title"),
        ({"description": "x" * 301}, "description"),
        ({"reader_question": "x" * 301}, "reader_question"),
        ({"angle": "a\x00b"}, "angle"),
        ({"sections": [SECTION] * 13}, "sections"),
        ({"sections": "Why"}, "sections"),
        ({"questions": [{"question": "Why?"}] * 6}, "questions"),
        ({"highlights": ["12:b3"] * 21}, "highlights"),
        ({"links": [{"page_id": 1}] * 16}, "links"),
        ({"gaps": ["x"] * 16}, "gaps"),
        ({"gaps": [""]}, "gaps"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_wrong_member_of_a_plan_is_named(change: dict[str, Any], place: str) -> None:
    assert list(wrong({**PLAN, **change})) == [place]


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"heading": ""}, "heading"),
        ({"heading": "x" * 151}, "heading"),
        ({"purpose": "x" * 301}, "purpose"),
        ({"key_points": ["x"] * 16}, "key_points"),
        ({"evidence_ids": ["12:b3"] * 21}, "evidence_ids"),
        ({"words": 3001}, "words"),
        ({"words": -1}, "words"),
        ({"words": "150"}, "words"),
        ({"format": "poem"}, "format"),
        ({"level": 3}, "level"),
    ],
)
def test_a_wrong_member_of_a_section_is_named_with_its_place(change: dict[str, Any], place: str) -> None:
    assert list(wrong({"sections": [SECTION, {**SECTION, **change}]})["sections"][1]) == [place]


@pytest.mark.parametrize(
    "evidence_id",
    [
        "",
        "12",
        "12:3",
        "b3",
        "0:b1",
        "12:b3\n",
        "१:b1",
        f"{10**18}:b1",
        "key:0",
        "key:100",
        "project:",
        "x:b1",
        5,
    ],
)
def test_what_is_no_evidence_id_is_refused(evidence_id: Any) -> None:
    errors = wrong({"sections": [{**SECTION, "evidence_ids": ["12:b3", evidence_id]}]})
    assert list(errors["sections"][0]["evidence_ids"]) == [1]


@pytest.mark.parametrize("outline", ["Why", 5, True])
def test_an_outline_that_is_neither_is_refused_with_what_it_may_be(outline: Any) -> None:
    assert wrong(outline) == ["Must be a list of sections, or a plan."]


def test_a_section_of_a_list_has_no_members_of_a_plan() -> None:
    assert set(wrong([SECTION])[0]) == {"purpose", "evidence_ids", "words", "format"}


@pytest.mark.parametrize("member", ["slug", "minimum_kind"])
def test_a_plan_takes_nothing_that_is_for_the_written_post_alone(member: str) -> None:
    with pytest.raises(ValidationError) as refused:
        operation_named("PLAN_BLOG_POST").schema(unknown=RAISE).load({member: "full"})
    assert list(refused.value.messages_dict) == [member]


def test_a_plan_cut_to_the_limits_is_an_outline() -> None:
    section = PlannedSection(
        "h" * 200, "p" * 900, ("k" * 900,) * 40, tuple(f"1:b{n}" for n in range(1, 60)), 9000, "list"
    )
    links = [{"page_id": n, "section": "s" * 400} for n in range(1, 40)]
    questions = [{"question": "q" * 400, "evidence_ids": section.evidence_ids}] * 9
    closing = {"heading": "h" * 400, "purpose": "p" * 400}
    names = ("title", "meta_title", "description", "keyphrase", "reader_question", "angle")
    long = plan_from(
        {
            **dict.fromkeys(names, "x" * 900), "sections": [section.to_dict()] * 20, "links": links,
            "highlights": section.evidence_ids, "questions": questions, "closing": closing,
            "gaps": ["g" * 900] * 40,
        }
    )  # fmt: skip
    cut = within_limits(long)
    assert plan_from(loaded(cut.to_dict())) == cut
    assert cut.sections[0].heading.endswith("…")


def test_a_plan_within_the_limits_is_not_changed() -> None:
    plan = plan_from(PLAN)
    assert within_limits(plan) == plan
    assert within_limits(PostPlan()) == PostPlan()
