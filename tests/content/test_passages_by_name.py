"""What a plan is shown by name only, and how it gets to know it: by the id of a heading, or of a page."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.retrieval.evidence import EvidenceIndex
from app.content.retrieval.passages import library_of
from app.content.writing.article.planning import Planned, plan_article
from app.content.writing.article.prompt_parts import heading_lines
from tests.content.conftest import PageMaker, Part, page
from tests.support import model_answers
from tests.support.article_material import ScriptedModel, calls_to, material_of

pytestmark = pytest.mark.usefixtures("impatient")

WORDS = " ".join(["in the garden of the old school behind the village"] * 12)
"""About 150 tokens that say nothing on bees."""


def index_of(*parts: Part) -> EvidenceIndex:
    return EvidenceIndex(library_of([page(1, "manual", [("h1", "Manual"), *parts])], "en", "Bee School"))


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
    index = index_of(*parts, ("p", "A hive is painted white."))
    found = index.of_page(1, "painting a hive")
    assert (found[0], found[-1]) == (index.units[0], index.units[-1])
    assert len(found) < 12
    assert index.of_page(7, "painting a hive") == ()


def test_the_list_says_what_passages_hold_besides_text_and_of_which_a_part_is_shown() -> None:
    index = index_of(
        ("h2", "Smoker"),
        ("p", "Light it."),
        ("code", "smoke --start"),
        ("h2", "Feeding"),
        ("li", "Boil syrup."),
        ("h2", "Law"),
        ("p", "Ask first."),
    )
    light = next(unit for unit in index.units if unit.text == "Light it.")
    assert list(index.beyond([light], "bees").values()) == ["Smoker (rest, code)", "Feeding", "Law"]


def test_a_page_whose_name_is_its_heading_is_named_once() -> None:
    pages = [page(n, f"p{n}", [("h1", f"Question {n}?"), ("p", f"Answer {n}.")]) for n in (1, 2)]
    index = EvidenceIndex(library_of(pages, "en", "Bee School"))
    assert heading_lines(index.beyond((), "bees"))[1:-1] == ["[1:b1] Question 1?", "[2:b1] Question 2?"]


def large(*sections: Part) -> EvidenceIndex:
    """A page too large to be shown whole, with other sections."""
    return index_of(*(("p", f"No. {n} {WORDS}.") for n in range(60)), *sections)


def test_a_short_section_is_shown_whole_if_one_passage_of_it_is() -> None:
    index = large(("h2", "Smoker"), ("p", "Light it far from the hive."), ("code", "smoke --start"))
    assert "smoke --start" in {unit.text for unit in index.pack("hive")}


def test_of_a_long_section_only_what_is_on_the_subject_is_shown() -> None:
    others: list[Part] = [("p", f"Smoker number {n} stands {WORDS}.") for n in range(9)]
    index = large(("h2", "Smoker"), ("p", "Light it far from the hive."), *others)
    assert [unit.text for unit in index.pack("hive")] == ["Light it far from the hive."]
