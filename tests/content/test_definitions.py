"""The units that explain the words which other units use often."""

from __future__ import annotations

import pytest

from app.content.evidence.units import EvidenceUnit
from app.content.retrieval.definitions import Definitions
from app.content.retrieval.indexed_units import indexed_units
from tests.support.article_material import unit

CHOSEN = (
    unit("1:b1", "Take the stone off if it was touched between the hog lines."),
    unit("1:b2", "Sweepers stand along the side between the hog lines. A hack is not for them."),
)


def explained(
    *others: EvidenceUnit, chosen: tuple[EvidenceUnit, ...] = CHOSEN, language: str = "en"
) -> list[str]:
    found = Definitions(indexed_units((*chosen, *others), language), language).explaining(chosen)
    return [each.id for each in found]


@pytest.mark.parametrize(
    "text",
    [
        "The hog line is the thick line 21 feet before the rings.",
        "The thick line beyond the middle of the near rings is the hog line. Let go before it.",
        "Let go of the stone before the thick coloured line called the hog line.",
        "Let go before the hog line (the thick one across the sheet), or it is taken off.",
        "At the hog line, the thick line across the sheet, you let go.",
    ],
)
def test_a_unit_that_says_what_an_often_used_term_is_explains_it(text: str) -> None:
    assert explained(unit("2:b1", text)) == ["2:b1"]


@pytest.mark.parametrize(
    "text",
    [
        "The hog line is 21 feet from the middle of the rings.",
        "Near the hog line, the stone slows down.",
        "There are two lines, and this is the hog line and the tee line.",
        "A hack is the foothold from which you push off.",
    ],
)
def test_a_unit_that_only_uses_the_term_or_defines_a_rare_one_does_not(text: str) -> None:
    assert explained(unit("2:b1", text)) == []


def test_a_list_of_definitions_explains_its_terms() -> None:
    text = "Das abgewinkelte Ende des Blatts, mit dem es am Stiel sitzt."
    hamme = unit("2:b1", f"Hamme: {text}", "definition", lead_in="Hamme", items=(text,))
    opened = unit("2:b3", "Hamme: Mo bis Fr", "definition", lead_in="Hamme", items=("Mo bis Fr",))
    chosen = tuple(unit(f"1:b{n}", f"Schritt {n}: Die Hamme liegt auf.") for n in range(3))
    assert explained(hamme, chosen=chosen, language="de") == ["2:b1"]
    assert explained(opened, chosen=chosen, language="de") == []


def test_what_the_chosen_units_explain_themselves_is_not_explained_again() -> None:
    first = unit("2:b1", "The hog line is the thick line across the sheet.")
    again = unit("2:b2", "The thick line across the whole sheet is the hog line.")
    assert explained(again, chosen=(*CHOSEN, first)) == []


def test_at_most_three_units_explain() -> None:
    names = ("hack", "button", "hammer", "skip")
    chosen = tuple(unit(f"1:b{n}", f"{n}: hack, then button, then hammer, then skip.") for n in range(3))
    others = [unit(f"2:b{n}", f"The {name} is a thing of the curling club.") for n, name in enumerate(names)]
    assert len(explained(*others, chosen=chosen)) == 3


def test_a_unit_too_long_for_a_definition_is_not_shown() -> None:
    told = "It was painted by the members in the summer of the flood. " * 20
    assert explained(unit("2:b1", f"The hog line is the thick line across the sheet. {told}")) == []
