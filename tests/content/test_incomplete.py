"""What cannot stay when sentences of an article are removed, and what its editor reads about them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.drafts import Paragraph, Sentence
from app.content.writing.article.checking import Checked, Fault, Finder
from app.content.writing.article.draft import Draft, Part, Place
from app.content.writing.article.editor_notes import warning_of_removed
from app.content.writing.article.incomplete import (
    announcements,
    rest_of_listings,
    rest_of_tables,
    shortened_tables,
)
from tests.support.article_material import model_says

ENDS = (("1", "Red scores 2"), ("2", "Yellow scores 3"), ("3", "Blank"))
AGES = (("Up to 38 cm", "98"), ("38 to 46 cm", "118"), ("46 to 56 cm", "145"))
BILL = (("Labour", "£1,051"), ("Lorry", "£136"), ("Cost", "£1,187"), ("Price", "£1,940"))
CHAIRS = (("Chair with 72 holes", "165"), ("Bench with 84 holes", "193"), ("Stool with 90 holes", "239"))
TWO = CHAIRS[:2]
Rows = tuple[tuple[str, str], ...]


def draft_of(rows: Rows) -> Draft:
    sentences = tuple(Sentence(" | ".join(cells), ("1:b1",), "model", cells=cells) for cells in rows)
    return Draft((Part("section", "Sizes", (Paragraph("table", sentences, header=("What", "How")),)),))


@pytest.mark.parametrize(
    ("rows", "lost", "left"),
    [(ENDS, 1, 0), (ENDS, 2, 0), (AGES, 0, 0), (BILL, 1, 0), (TWO, 0, 0), (CHAIRS, 0, 2), (CHAIRS, 2, 2)],
)
def test_a_table_goes_as_a_whole_if_its_rows_need_each_other(rows: Rows, lost: int, left: int) -> None:
    draft, removed = draft_of(rows), {Place(0, 0, lost)}
    removed |= {each.place for each in rest_of_tables(draft, removed, "en")}
    assert len(draft.without(removed).statements) == left


def test_a_table_without_a_removed_row_stays() -> None:
    assert list(rest_of_tables(draft_of(ENDS), (), "en")) == []
    assert list(shortened_tables(draft_of(ENDS), ())) == []


def test_the_editor_reads_which_table_lost_rows() -> None:
    [lost] = shortened_tables(draft_of(CHAIRS), {Place(0, 0, 1)})
    assert lost == "The table “What | How” in “Sizes” lost 1 of its 3 rows."
    [gone] = shortened_tables(draft_of(ENDS), {Place(0, 0, n) for n in range(3)})
    assert gone == "The table “What | How” in “Sizes” was removed."


def checked(*found: Finder) -> Checked:
    faults = {Place(0, 0, n): Fault(model_says("It hums."), ("why",), by) for n, by in enumerate(found)}
    return Checked(Draft(()), {}, faults)


def test_the_warning_says_what_found_the_removed_sentences() -> None:
    assert warning_of_removed(checked()) == ""
    by_rules = "1 sentence was removed: 1 stopped by rules for figures, names and words."
    assert warning_of_removed(checked("veto")) == by_rules
    assert warning_of_removed(checked("veto", "verification", "veto", "dependence")) == (
        "4 sentences were removed: 2 stopped by rules for figures, names and words; "
        "1 that a model found unsupported by the evidence; 1 that needed a removed one."
    )


def test_a_piece_of_code_stays_if_another_of_its_listing_loses_a_line() -> None:
    lines = ("{+inspect}", ".example.com", "", "{+block}", ".ads.example.com")
    code = Paragraph("code", tuple(model_says(line, "1:b1") for line in lines))
    lead = Paragraph("p", (model_says("Put your own host in place of this one:", "1:b1"),))
    draft = Draft((Part("section", "Rules", (lead, code)),))
    last, first = Place(0, 1, 4), Place(0, 1, 0)
    assert [each.sentence.text for each in rest_of_listings(draft, {last})] == ["", "{+block}"]
    assert [each.sentence.text for each in rest_of_listings(draft, {first})] == [".example.com"]
    all_lines = {Place(0, 1, n) for n in range(len(lines))}
    assert [each.kind for each in announcements(draft, all_lines)] == ["p"]
    assert list(announcements(draft, {last})) == []


def test_what_leads_into_a_lost_listing_goes_unless_it_shows_code_itself() -> None:
    code = Paragraph("code", (model_says("scale purge '!hive'", "1:b1"),))
    step = model_says("Spare a hive by an exclamation mark. Here the purge spares it.", "1:b1")
    steps = Paragraph("ol", (model_says("Read the list.", "1:b1"), step))
    lost = {Place(0, 1, 0)}
    draft = Draft((Part("section", "Rules", (steps, code)),))
    assert [each.sentence for each in announcements(draft, lost)] == [step]
    shows = replace(step, code=(("Spare", 0),))
    draft = Draft((Part("section", "Rules", (replace(steps, sentences=(steps.sentences[0], shows)), code)),))
    assert list(announcements(draft, lost)) == []
