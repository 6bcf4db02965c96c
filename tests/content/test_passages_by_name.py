"""What a plan is shown by name only, and how it gets to know it: by the id of a heading, or of a page."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from app.content.artefacts import SourcePage, SourceSnapshot
from app.content.evidence.units import EvidenceUnit
from app.content.plan import PlannedSection, PostPlan
from app.content.retrieval.evidence import EvidenceIndex
from app.content.retrieval.named_passages import NamedPassages
from app.content.retrieval.passages import library_of
from app.content.writing.article.named_evidence import with_named
from app.content.writing.article.planning import Planned, plan_article
from app.content.writing.article.prompt_parts import heading_lines
from tests.content.conftest import PageMaker, Part, page
from tests.support import model_answers
from tests.support.article_material import ScriptedModel, calls_to, material_of

pytestmark = pytest.mark.usefixtures("impatient")

WORDS = " ".join(["in the garden of the old school behind the village"] * 12)
"""About 150 tokens that say nothing on bees."""


def index_of(*pages: SourcePage) -> EvidenceIndex:
    return EvidenceIndex(library_of(pages, "en", "Bee School"))


def manual(*parts: Part) -> EvidenceIndex:
    return index_of(page(1, "manual", [("h1", "Manual"), *parts]))


def names_beyond(index: EvidenceIndex, *shown: EvidenceUnit, subject: str = "paint") -> list[str]:
    return list(NamedPassages(index).beyond(shown, subject).values())


def texts_of(index: EvidenceIndex, first: EvidenceUnit, subject: str) -> list[str]:
    return [unit.text for unit in NamedPassages(index).whole(first, subject)]


def long_page(page_id: int) -> SourcePage:
    """A page of 40 paragraphs."""
    parts = [("p", f"No. {n} says nothing {WORDS}.") for n in range(40)]
    return page(page_id, f"long{page_id}", [("h1", f"Page {page_id}"), *parts])


def evidence_of_first_section(snapshot: SourceSnapshot, ids: str) -> tuple[tuple[str, ...], str]:
    """Return the evidence of a planned section that names what ``ids`` finds in the prompt, else ``ids``.

    The prompt comes with it.
    """

    def answer(prompt: str) -> dict[str, Any]:
        data = model_answers.plan(prompt)
        data["sections"][0]["evidence"] = re.findall(ids, prompt) or [ids]
        return data

    model = ScriptedModel({"plan the article": answer})
    found = plan_article(material_of(snapshot, topic="beehive"), calls_to(model))
    assert isinstance(found, Planned)
    return found.plan.sections[0].evidence_ids, model.prompts[0]


@pytest.fixture
def visited(bees: SourceSnapshot, make_page: PageMaker) -> SourceSnapshot:
    parts = [("h1", "Visit"), ("h2", "Ticket office"), ("p", "The left window shuts at noon.")]
    office = make_page(9, "visit", [*parts, ("p", "The right window shuts at noon.")])
    return replace(bees, pages=(*bees.pages, office))


def test_a_section_gets_the_whole_passage_of_which_the_plan_saw_the_heading(visited: SourceSnapshot) -> None:
    found, prompt = evidence_of_first_section(visited, r"\[(9:b\d+)\] Ticket office")
    assert "shuts at noon" not in prompt
    assert found == ("9:b2", "9:b3")


@pytest.mark.parametrize("name", ["page 9", "page:9", "page9"])
def test_a_section_gets_how_a_page_begins_that_the_plan_names(visited: SourceSnapshot, name: str) -> None:
    assert evidence_of_first_section(visited, name)[0] == ("9:b2", "9:b3")


def test_a_page_that_is_not_there_gives_way_to_the_nearest_evidence(visited: SourceSnapshot) -> None:
    found, _ = evidence_of_first_section(visited, "page 77")
    assert found
    assert all(each in {unit.id for unit in material_of(visited).index.units} for each in found)


def test_of_a_long_page_its_beginning_and_what_says_most_on_the_section_are_taken() -> None:
    parts = [("p", f"Paragraph {n} stands {WORDS}.") for n in range(30)]
    index = manual(*parts, ("p", "A hive is painted white."))
    found = NamedPassages(index).of_page(1, "painting a hive")
    assert (found[0], found[-1]) == (index.units[0], index.units[-1])
    assert len(found) < 12
    assert NamedPassages(index).of_page(7, "painting a hive") == ()


def test_the_list_says_what_passages_hold_besides_text_and_of_which_a_part_is_shown() -> None:
    index = manual(
        ("h2", "Smoker"),
        ("p", "Light it."),
        ("code", "smoke --start"),
        ("h2", "Feeding"),
        ("li", "Boil syrup."),
        ("h2", "Law"),
        ("p", "Ask first."),
    )
    light = next(unit for unit in index.units if unit.text == "Light it.")
    assert names_beyond(index, light) == [
        "Smoker (rest, code)",
        "Feeding",
        "Law",
    ]


def test_a_page_whose_name_is_its_heading_is_named_once() -> None:
    pages = [page(n, f"p{n}", [("h1", f"Question {n}?"), ("p", f"Answer {n}.")]) for n in (1, 2)]
    listed = heading_lines(NamedPassages(index_of(*pages)).beyond((), "bees"))
    assert listed[1:-1] == [
        "[1:b1] Question 1?",
        "[2:b1] Question 2?",
    ]


def large(*sections: Part) -> EvidenceIndex:
    """A page too large to be shown whole, with other sections."""
    return manual(*(("p", f"No. {n} {WORDS}.") for n in range(60)), *sections)


def test_a_short_section_is_shown_whole_if_one_passage_of_it_is() -> None:
    index = large(("h2", "Smoker"), ("p", "Light it far from the hive."), ("code", "smoke --start"))
    assert "smoke --start" in {unit.text for unit in index.pack("hive")}


def test_of_a_long_section_only_what_is_on_the_subject_is_shown() -> None:
    others: list[Part] = [("p", f"Smoker number {n} stands {WORDS}.") for n in range(9)]
    index = large(("h2", "Smoker"), ("p", "Light it far from the hive."), *others)
    assert [unit.text for unit in index.pack("hive")] == ["Light it far from the hive."]


def titled(page_id: int, *sections: tuple[str, str]) -> SourcePage:
    parts = [("h1", f"Page {page_id}")]
    for heading, text in sections:
        parts += [("h2", heading), ("p", text), ("p", f"{text} Twice.")]
    return page(page_id, f"page{page_id}", parts)


def test_of_passages_that_are_not_shown_the_first_unit_under_each_heading_is_known() -> None:
    index = index_of(
        titled(1, ("Paint", "Paint a hive."), ("Wax", "Melt the wax.")), titled(2, ("Law", "Ask first."))
    )
    shown = [each for each in index.units if each.heading == "Paint"][:1]
    assert names_beyond(index, *shown) == ["Paint (rest)", "Wax", "Law"]
    rest, wax, _ = NamedPassages(index).beyond(shown, "paint")
    assert texts_of(index, rest, "paint") == ["Paint a hive. Twice."]
    assert texts_of(index, wax, "wax") == [
        "Melt the wax.",
        "Melt the wax. Twice.",
    ]


def test_of_too_many_headings_those_on_the_subject_stay_in_reading_order() -> None:
    sections = [
        (f"Section number {n}", f"In case {n} {'paint' if n % 40 == 0 else 'nothing'}.") for n in range(400)
    ]
    index = index_of(titled(1, *sections))
    found = NamedPassages(index).beyond((), "paint")
    assert {f"Section number {n}" for n in range(0, 400, 40)} <= {each.heading for each in found}
    assert 50 < len(found) < 300
    assert [each for each in index.units if each in found] == list(found)


def test_a_long_passage_is_named_as_far_as_a_section_needs_it() -> None:
    index = index_of(long_page(1))
    found = NamedPassages(index).whole(index.units[3], "")
    assert found[0] == index.units[3]
    assert 2 <= len(found) < 8


def test_a_passage_has_what_is_below_headings_further_down() -> None:
    parts = [
        ("h1", "Import"),
        ("h2", "Matcher"),
        ("p", "It matches rows."),
        ("h3", "One row"),
        ("p", "Click it."),
    ]
    index = index_of(page(1, "import", [*parts, ("h2", "Panel"), ("p", "It shows columns.")]))
    matcher = next(each for each in index.units if each.heading == "Matcher")
    assert texts_of(index, matcher, "rows") == [
        "It matches rows.",
        "Click it.",
    ]


def test_a_heading_too_long_for_the_list_keeps_no_other_out_of_it() -> None:
    index = index_of(titled(1, ("Paint " * 2_500, "Paint a hive."), ("Wax", "Melt the wax.")))
    assert [each.heading for each in NamedPassages(index).beyond((), "paint")] == ["Wax"]


def test_the_names_of_pages_count_in_the_list_of_headings() -> None:
    name = "A very long name of a page about bees and hives in the garden of the old school "
    pages = [page(n, f"p{n}", [("h1", f"{name}{n}"), ("p", f"Text {n}.")]) for n in range(1, 200)]
    index = EvidenceIndex(library_of(pages, "en", "Bee School"))
    assert 0 < len(NamedPassages(index).beyond((), "bees")) < 80


def test_of_too_many_headings_the_few_below_and_beside_one_on_the_subject_stay() -> None:
    others = [part for n in range(400) for part in (("h2", f"No. {n}"), ("p", f"In case {n} nothing."))]
    options = ["The brush that is to be taken for it", "The can that is to be taken for it"]
    setup = [("h2", "The set-up"), ("p", "How to paint a hive."), ("h3", options[0]), ("p", "Which one.")]
    parts = [("h1", "Manual"), *others, *setup, ("h3", options[1]), ("p", "Where it stands.")]
    found = NamedPassages(index_of(page(1, "manual", parts))).beyond((), "paint")
    assert [each.heading for each in found][-3:] == ["The set-up", *options]


def test_of_a_long_passage_what_says_most_on_the_subject_is_taken() -> None:
    parts = [
        ("h1", "Settings"),
        ("h2", "Request"),
        *(("p", f"Setting {n} says how it works. " * 20) for n in range(9)),
    ]
    index = index_of(page(1, "settings", [*parts, ("p", "Ignore the lid where a hive is painted.")]))
    found = NamedPassages(index).whole(index.units[0], "ignore the lid")
    assert found[0] == index.units[0]
    assert found[-1].text == "Ignore the lid where a hive is painted."
    assert len(found) < 8


def test_the_last_section_of_a_plan_has_its_evidence_like_the_first() -> None:
    parts = [
        part
        for n in range(40)
        for part in (("h2", f"Chapter {n}"), *(("p", f"Rule {k} of {n} {WORDS}.") for k in range(4)))
    ]
    passages = NamedPassages(manual(*parts))
    listed = passages.beyond((), "hive")
    sections = tuple(PlannedSection(unit.heading, evidence_ids=(unit.id,)) for unit in listed)
    found = with_named(PostPlan(sections=sections), listed, passages)
    assert len(sections) > 30
    assert passages.size_of(found.evidence_ids) <= 8_200
    assert {len(section.evidence_ids) for section in found.sections} == {1}
    few = with_named(PostPlan(sections=sections[:2]), listed, passages)
    assert {len(section.evidence_ids) for section in few.sections} == {3}


def test_a_listing_is_as_near_to_a_subject_as_what_explains_it() -> None:
    parts: list[Part] = [("h2", "Set-up"), ("p", "The hive is set up so.")]
    parts += [("p", f"Fence number {n} stands there.") for n in range(60)]
    parts += [("p", "The doors open to the south."), ("code", "listen 3493")]
    index = manual(*parts)
    first = next(unit for unit in index.units if unit.text.startswith("The hive"))
    assert "listen 3493" in texts_of(index, first, "which doors open")
