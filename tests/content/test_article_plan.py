"""The plan of an article: what a model or a person planned, held against the evidence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.plan import PlannedSection, PostPlan, plan_from
from app.content.request import Include
from app.content.writing.article.answers import NotCovered
from app.content.writing.article.planning import Planned, plan_article
from app.content.writing.article.prompts import draft
from app.failures import ServiceFailure
from tests.support import model_answers
from tests.support.article_material import ScriptedModel, calls_to, material_of

pytestmark = pytest.mark.usefixtures("impatient")

COMPLETE = {
    "title": "Where a beehive stands",
    "sections": [
        {"heading": "In the sun", "evidence_ids": ["1:b7"], "words": 80},
        {"heading": "Its price", "evidence_ids": ["3:b3", "3:b3"], "format": "table"},
    ],
}


def changed(change: Callable[[dict[str, Any]], object]) -> ScriptedModel:
    """A model whose good plan was changed."""

    def answer(prompt: str) -> dict[str, Any]:
        data = model_answers.plan(prompt)
        change(data)
        return data

    return ScriptedModel({"plan the article": answer})


def outcome(snapshot: SourceSnapshot, model: ScriptedModel, **wanted: Any) -> Planned | NotCovered:
    return plan_article(material_of(snapshot, topic="beehive", **wanted), calls_to(model))


def planned(snapshot: SourceSnapshot, model: ScriptedModel | None = None, **wanted: Any) -> Planned:
    found = outcome(snapshot, model or ScriptedModel(), **wanted)
    assert isinstance(found, Planned)
    return found


def headings(found: Planned) -> list[str]:
    return [section.heading for section in found.plan.sections]


def test_one_call_makes_a_plan_whose_evidence_is_known(bees: SourceSnapshot) -> None:
    model = ScriptedModel()
    found = planned(bees, model)
    assert model.asked == ["plan the article"]
    assert len(found.plan.sections) > 1
    shown = {each.id for each in model_answers.evidence_in(model.prompts[0])}
    assert set(found.plan.evidence_ids) <= shown
    assert found.notes == ()


def test_a_plan_sees_the_pages_and_posts_that_it_must_not_compete_with(bees: SourceSnapshot) -> None:
    model = ScriptedModel()
    planned(bees, model)
    titles = model.prompts[0].split("<titles>")[1].split("</titles>")[0].split("\n")
    assert "page 1: Beehives" in titles


def test_no_address_of_a_page_is_shown(bees: SourceSnapshot) -> None:
    model = ScriptedModel()
    planned(bees, model)
    assert "https://" not in model.prompts[0]


def test_requested_headings_are_kept_and_planned_around(bees: SourceSnapshot) -> None:
    model = ScriptedModel()
    outline = {
        "sections": [{"heading": "Sun or Shade in 2031", "key_points": ["2031 rules"]}, {"heading": "Paint"}]
    }
    found = planned(bees, model, plan=plan_from(outline))
    assert headings(found) == ["Sun or Shade in 2031", "Paint"]
    assert "1. Sun or Shade in 2031: 2031 rules" in model.prompts[0]
    assert all(section.evidence_ids for section in found.plan.sections)


def test_a_plan_with_other_sections_than_the_requested_ones_is_no_plan(bees: SourceSnapshot) -> None:
    model = changed(lambda data: data["sections"].pop())
    outline = plan_from({"sections": [{"heading": "Sun"}, {"heading": "Paint"}]})
    with pytest.raises(ServiceFailure) as caught:
        outcome(bees, model, plan=outline)
    assert caught.value.failure.details is not None
    assert caught.value.failure.details["reason"] == "wrong_schema"
    assert len(model.asked) == 3


def test_members_of_a_callers_plan_replace_the_models(bees: SourceSnapshot) -> None:
    asked = plan_from({"reader_question": "Sun or shade?", "angle": "for a garden", "title": "Sun or shade"})
    found = planned(bees, plan=asked).plan
    assert (found.reader_question, found.angle, found.title) == (
        "Sun or shade?",
        "for a garden",
        "Sun or shade",
    )


@pytest.mark.parametrize(
    ("chosen", "wanted", "keyphrase"),
    [
        ("Beehive for beginners", {}, "beehive for beginners"),
        ("", {}, "beehive"),
        ("wasp nest", {}, "beehive"),
        ("beehive " * 7, {}, "beehive"),
        ("beehive for beginners", {"keywords": ("honey",)}, "honey"),
        ("beehive for beginners", {"plan": plan_from({"keyphrase": "cheap hives"})}, "cheap hives"),
    ],
)
def test_the_plan_chooses_a_keyphrase_of_the_topic_where_the_caller_names_none(
    bees: SourceSnapshot, chosen: str, wanted: dict[str, Any], keyphrase: str
) -> None:
    model = changed(lambda data: data.update(keyphrase=chosen))
    assert planned(bees, model, **wanted).plan.keyphrase == keyphrase


def test_a_complete_plan_needs_no_call(bees: SourceSnapshot) -> None:
    model = ScriptedModel()
    found = planned(bees, model, plan=plan_from(COMPLETE))
    assert model.asked == []
    assert headings(found) == ["In the sun", "Its price"]
    assert found.plan.sections[1].evidence_ids == ("3:b3",)
    assert found.plan.sections[1].format == "table"
    assert found.plan.title == "Where a beehive stands"


def test_a_persons_own_words_are_not_judged(bees: SourceSnapshot) -> None:
    plan = {**COMPLETE, "title": "Beehives in 2031", "questions": [{"question": "Why 73 euros?"}]}
    found = planned(bees, plan=plan_from(plan))
    assert (found.plan.title, found.plan.questions[0].question) == ("Beehives in 2031", "Why 73 euros?")
    assert found.notes == ()


def test_made_up_evidence_is_dropped_and_a_section_without_any_gets_the_nearest(
    bees: SourceSnapshot,
) -> None:
    def change(data: dict[str, Any]) -> None:
        data["sections"] = [
            {**data["sections"][0], "heading": "Painting a beehive", "key_points": [], "evidence": ["9:b9"]},
            {**data["sections"][0], "heading": "Sun", "evidence": ["9:b9", "1:b7"]},
        ]
        data["highlights"] = ["9:b9", "3:b3"]
        data["questions"] = [{"question": "Why?", "evidence": ["9:b9"]}]

    found = planned(bees, changed(change)).plan
    assert found.sections[0].evidence_ids[0] == "1:b13", "the paragraph on painting"
    assert found.sections[1].evidence_ids == ("1:b7",)
    assert found.highlights == ("3:b3",)
    assert found.questions[0].evidence_ids == ()


def test_a_heading_that_the_evidence_does_not_allow_gives_way_to_the_sites_own(bees: SourceSnapshot) -> None:
    def change(data: dict[str, Any]) -> None:
        data["sections"][0].update(heading="What you pay in 2031", evidence=["3:b3"])

    found = planned(bees, changed(change))
    assert headings(found)[0] == "How much does a beehive cost?"
    assert found.notes == (
        "The planned heading “What you pay in 2031” was not used: "
        "the number “2031” is not in the evidence it names.",
    )


def test_titles_descriptions_questions_and_key_points_are_judged_too(bees: SourceSnapshot) -> None:
    stranger, worked_out = "what the keeper Karl Ostrow says of winter", "the other 2,400 of 2,900 frames"

    def change(data: dict[str, Any]) -> None:
        data.update(
            title="Why 73 of 100 keepers fail",
            meta_title="Why 73 of 100 keepers of bees fail in winter",
            description="Why 73 of 100 keepers fail in their first winter, and what the others do in summer.",
            questions=[{"question": "Why do 73 of 100 fail?", "evidence": ["3:b3"]}],
        )
        data["sections"][0]["key_points"] = [stranger, worked_out]

    found = planned(bees, changed(change))
    assert "73" not in str(found.plan)
    assert found.plan.sections[0].key_points == (worked_out,)
    for what in ("title", "search title", "description", "question", "key point"):
        assert any(note.startswith(f"The planned {what} “") for note in found.notes), what


def test_a_title_of_the_request_is_used_as_it_is(bees: SourceSnapshot) -> None:
    found = planned(bees, title="My 73 beehives")
    assert found.plan.title == "My 73 beehives"


def test_two_sections_of_one_heading_are_one(bees: SourceSnapshot) -> None:
    def change(data: dict[str, Any]) -> None:
        data["sections"].append({**data["sections"][0], "heading": data["sections"][0]["heading"].upper()})

    found = headings(planned(bees, changed(change)))
    assert len({heading.lower() for heading in found}) == len(found)


def test_links_go_to_pages_of_the_project_each_once_and_no_more_than_asked_for(bees: SourceSnapshot) -> None:
    def change(data: dict[str, Any]) -> None:
        data["links"] = [{"page": number, "section": "Sun"} for number in (2, 99, 2, 1, 3)]

    found = planned(bees, changed(change), most_links=2).plan.links
    assert [link.page_id for link in found] == [2, 1]


def test_no_questions_are_planned_where_none_are_wanted(bees: SourceSnapshot) -> None:
    assert planned(bees, include=Include(faq=False)).plan.questions == ()


def test_what_no_page_says_is_kept_for_the_editor(bees: SourceSnapshot) -> None:
    found = planned(bees, changed(lambda data: data.update(gaps=["what a queen costs"])))
    assert found.plan.gaps == ("what a queen costs",)


def test_a_plan_comes_back_from_what_was_stored_of_it(bees: SourceSnapshot) -> None:
    plan = planned(bees).plan
    assert plan_from(plan.to_dict()) == plan
    assert plan.is_complete
    assert not PostPlan().is_complete


def test_a_writer_knows_what_to_do_where_a_page_has_nearly_the_topic(bees: SourceSnapshot) -> None:
    model = ScriptedModel()
    planned(bees, model)
    (asked,) = model.prompts
    assert "tells it in full" in asked
    assert "links the page" in asked


def test_one_rule_says_how_figures_are_written(bees: SourceSnapshot) -> None:
    found = material_of(bees, topic="beehive")
    rules = found.system()["content"]
    assert "A figure has the value that the evidence gives, its unit one form in the whole post" in rules
    assert "as the evidence writes them" not in rules
    asked = draft(found.request, found.brief, PostPlan(), (), (), pages=(), sample=())["content"]
    assert "amounts and units" not in asked


def test_the_plan_knows_whether_it_may_choose_another_search_phrase(bees: SourceSnapshot) -> None:
    model = ScriptedModel()
    planned(bees, model)
    planned(bees, model, keywords=("hive stand",))
    free, given = model.prompts
    assert "\nMain search phrase, cut out of the topic: beehive\n" in free
    assert "\nMain search phrase, chosen by the site: keyphrase is exactly this: hive stand\n" in given


def test_titles_that_rules_made_are_known(bees: SourceSnapshot) -> None:
    def unusable(data: dict[str, Any]) -> None:
        data.update(title="A beehive for 999 euros", meta_title="Too short", description="")

    found = planned(bees, changed(unusable))
    assert found.made_titles == {"title", "meta_title"}
    usable = changed(lambda data: data.update(meta_title="A beehive: a guide for every beginner"))
    assert planned(bees, usable).made_titles == set()


@pytest.mark.parametrize(("words", "times"), [(0, "5"), (600, "4"), (10, "1 to 2")])
def test_the_draft_knows_how_often_the_search_phrase_is_wanted(
    bees: SourceSnapshot, words: int, times: str
) -> None:
    found = material_of(bees, topic="beehive")
    sections = (PlannedSection("Where it stands", words=words),) if words else ()
    asked = draft(found.request, found.brief, PostPlan(sections=sections), sections, (), pages=(), sample=())
    assert f"Its words stand together {times} times in all" in asked["content"]


def test_a_writer_knows_the_day(bees: SourceSnapshot) -> None:
    assert "Today is" not in material_of(bees, topic="beehive").system()["content"]
    rules = material_of(replace(bees, day="2026-11-28"), topic="beehive").system()["content"]
    assert "Today is 2026-11-28: what is over is said to be over, and is not the next step" in rules
