"""The editing of a draft: what the model sees, and what its changes do."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.drafts import Paragraph
from app.content.writing.article.draft import Draft, Part
from app.language.words import tokens_in
from tests.content.conftest import PageMaker, SiteMaker
from tests.support import model_answers
from tests.support.article_material import model_says
from tests.support.edits import (
    DRAFT,
    HEAVY,
    PLAN,
    SUN,
    WATER,
    Editing,
    answering,
    assert_refused,
    change,
    texts,
)


@pytest.fixture
def editing(bees: SourceSnapshot) -> Editing:
    return Editing(bees)


def test_the_editor_sees_the_numbered_draft_the_findings_and_the_evidence_it_names(editing: Editing) -> None:
    model = answering()
    edited = editing.edit(model)
    assert (edited.draft, edited.plan, edited.made, edited.refused) == (DRAFT, PLAN, 0, 0)
    [prompt] = model.prompts
    for line in (
        "title: A beehive for beginners",
        "# h1 Where it stands (section)",
        f"s2 [1:b7] {SUN.text}",
        "b4 table: Hive | Frames",
        "s5 [1:b4] Langstroth | 10",
        "# h3 Does a town suit it? (question)",
        "- h3 has an answer of one short sentence",
        "- h4 is a closing without e-mail address, telephone number or link to take the next step",
    ):
        assert f"\n{line}\n" in prompt
    assert {"1:b1", "1:b4", "1:b7", "3:b5"} <= {unit.id for unit in model_answers.evidence_in(prompt)}


WANTED = "A beehive wants a dry floor and a quiet neighbour, said the keeper of the village. "
LONG = WANTED * 9


def test_the_evidence_of_the_editor_fits_into_3500_tokens(make_page: PageMaker, make_site: SiteMaker) -> None:
    parts = [("p", f"Beehive {n}. {LONG}") for n in range(20)]
    others = [(kind, text.replace("village", "town").replace("Beehive", "A beehive")) for kind, text in parts]
    pages = (make_page(1, "hives", parts), make_page(2, "more hives", others))
    model = answering()
    plan = replace(PLAN, highlights=tuple(f"{page}:b{n}" for n in range(20) for page in (1, 2)))
    Editing(make_site(*pages)).edit(model, planned=plan)
    shown = model.prompts[0].split("<evidence> (untrusted data)")[1]
    assert 3_000 < tokens_in(shown) <= 3_500


def test_the_editor_sees_what_the_pages_say_near_to_the_draft_and_no_sentence_uses(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    stand = ("p", "A beehive stands best in the morning sun, with its back to the wind.")
    warned = ("p", "A beehive in the morning sun needs shade at noon, or its wax melts.")
    other = ("p", "Our school was built in 1912.")
    site = make_site(make_page(1, "hives", [stand, warned, other]))
    draft = Draft((Part("section", "Where it stands", (Paragraph("p", (model_says(SUN.text, "1:b0"),)),)),))
    added = change("s1", "A beehive stands in the morning sun, and in the shade at noon.", "1:b0", "1:b1")
    model = answering(added)
    edited = Editing(site).edit(model, draft=draft)
    assert "No sentence uses yet, although the site says it: 1:b1\n" in model.prompts[0]
    assert texts(edited) == [added["text"]]


def test_what_no_sentence_uses_takes_1200_tokens_at_most(make_page: PageMaker, make_site: SiteMaker) -> None:
    about = [
        "Gardens in a town.",
        "Frames in a box.",
        "The sun of the morning.",
        "The beekeeper's home.",
        "Begin here.",
    ]
    parts = [
        ("h2", f"Place {n}") if n % 5 == 0 else ("p", f"{about[n % 5]} {n}. {WANTED * 8}") for n in range(40)
    ]
    model = answering()
    Editing(make_site(make_page(1, "hives", parts))).edit(model)
    [named] = re.findall(r"No sentence uses yet, although the site says it: (.+)", model.prompts[0])
    unused = [unit for unit in model_answers.evidence_in(model.prompts[0]) if unit.id in named.split(", ")]
    assert len(unused) >= 3
    assert sum(tokens_in(unit.text) for unit in unused) <= 1_200


def test_the_editor_sees_all_that_sentences_name_and_of_long_passages_what_they_say(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    parts = [("p", f"Beehive {n}. {LONG} Box number {n} holds frames of brood. {LONG * 2}") for n in range(4)]
    others = [(kind, text.replace("village", "town").replace("Beehive", "A beehive")) for kind, text in parts]
    pages = (make_page(1, "hives", parts), make_page(2, "more hives", others))
    places = [(f"{page}:b{n}", n) for page in (1, 2) for n in range(4)]
    said = tuple(model_says(f"In box number {n} there are frames.", place) for place, n in places)
    draft = Draft((Part("section", "Where it stands", (Paragraph("p", said),)),))
    model = answering()
    Editing(make_site(*pages)).edit(model, draft=draft)
    units = model_answers.evidence_in(model.prompts[0])
    assert [unit.id for unit in units] == [place for place, _ in places]
    assert all(
        f"Box number {n} holds frames of brood." in unit.text
        for unit, (_, n) in zip(units, places, strict=True)
    )
    assert all("[…]" in unit.text for unit in units)
    assert tokens_in(model.prompts[0]) < 8_000


def test_a_missing_description_and_a_title_made_by_rule_can_be_written(editing: Editing) -> None:
    text = "Where a beehive stands best, how many frames are in its boxes, and what a beginner should know."
    model = answering(change("description", text), change("title", "A beehive: the best place"))
    edited = editing.edit(model, planned=replace(PLAN, description=""), made_titles={"title"})
    [prompt] = model.prompts
    assert "\ndescription: (missing: write one of 120 to 150 characters)\n" in prompt
    assert (
        "\ntitle (made by rule: write a better one of 20 to 60 characters): A beehive for beginners\n"
        in prompt
    )
    assert (edited.plan.description, edited.plan.title) == (text, "A beehive: the best place")


def test_the_editor_knows_the_planned_and_the_present_length(editing: Editing) -> None:
    model = answering()
    sections = tuple(replace(each, words=200) for each in PLAN.sections)
    editing.edit(model, planned=replace(PLAN, sections=sections))
    assert (
        "\nLength: planned about 580 words, the draft has 69 words without tables and listings.\n"
        in model.prompts[0]
    )
    assert "\nSearch phrase: beehive. Its words stand together 3 times in all" in model.prompts[0]
    assert "rather fewer than bent; the draft has them 4 times.\n" in model.prompts[0]


def test_a_gap_of_the_plan_that_the_evidence_fills_is_shown_and_can_be_dropped(editing: Editing) -> None:
    model = answering(change("g1"), change("g2", "what a queen costs"), change("g3"))
    edited = editing.edit(model, planned=replace(PLAN, gaps=("how to paint a hive", "what a queen costs")))
    [prompt] = model.prompts
    assert "\n- g1: how to paint a hive\n- g2: what a queen costs\n" in prompt
    assert "1:b13" in {unit.id for unit in model_answers.evidence_in(prompt)}, "the paragraph on painting"
    assert edited.plan.gaps == ("what a queen costs",)
    assert (edited.made, edited.refused) == (1, 2)


def test_a_changed_sentence_takes_its_place_and_keeps_its_evidence(editing: Editing) -> None:
    edited = editing.changed(change("s2", "Give a beehive the morning sun, its back to the wind."))
    new = edited.draft.statements[1].sentence
    assert (new.text, new.source_ids) == ("Give a beehive the morning sun, its back to the wind.", ("1:b7",))
    assert (edited.made, edited.refused) == (1, 0)


def test_a_changed_sentence_may_name_other_evidence(editing: Editing) -> None:
    text = "The Langstroth beehive, the commonest in the world, holds 10 frames in each box."
    edited = editing.changed(change("s3", text, "1:b4"))
    assert edited.draft.statements[2].sentence.source_ids == ("1:b4",)


def test_a_dropped_sentence_goes(editing: Editing) -> None:
    assert WATER.text not in texts(editing.changed(change("s3")))


def test_a_row_keeps_its_cells(editing: Editing) -> None:
    edited = editing.changed(change("s5", "Langstroth beehive | 10"))
    assert edited.draft.statements[4].sentence.cells == ("Langstroth beehive", "10")
    assert_refused(editing.changed(change("s5", "Langstroth | 10 | frames")))


def test_a_block_is_replaced_by_several(editing: Editing) -> None:
    items = model_answers.block([{"text": "Morning sun.", "evidence": ["1:b7"]}], "ul")
    lead = model_answers.block([{"text": "Look for a place with these:", "evidence": []}])
    edited = editing.changed(change("b2", blocks=[lead, items]), change("s2", "Not used."))
    paragraphs = edited.draft.parts[1].paragraphs
    assert [each.kind for each in paragraphs] == ["p", "ul", "ul"]
    assert texts(edited)[1:4] == ["Look for a place with these:", "Morning sun.", HEAVY.text]
    assert (edited.made, edited.refused) == (1, 1)


def test_headings_and_titles_change_in_the_plan_too(editing: Editing) -> None:
    edited = editing.changed(
        change("h1", "Where a beehive stands"),
        change("h3", "Does a town suit a beehive?"),
        change("h4", "How to begin"),
        change("title", "A beehive: the best place for beginners"),
    )
    assert [part.heading for part in edited.draft.parts][1:] == [
        "Where a beehive stands", "Frames in a box", "Does a town suit a beehive?", "How to begin",
    ]  # fmt: skip
    assert [each.heading for each in edited.plan.sections] == ["Where a beehive stands", "Frames in a box"]
    assert edited.plan.questions[0].question == "Does a town suit a beehive?"
    assert edited.plan.closing.heading == "How to begin"
    assert edited.plan.title == "A beehive: the best place for beginners"
