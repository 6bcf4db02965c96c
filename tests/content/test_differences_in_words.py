"""A figure that a sentence works out is not another thing's, though the evidence has the same of that."""

from __future__ import annotations

import pytest

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, model_says, unit


def table(unit_id: str, header: str, *rows: str, path: tuple[str, ...] = ()) -> EvidenceUnit:
    cells = tuple(tuple(row.split(" | ")) for row in rows)
    return unit(
        unit_id, "\n".join((header, *rows)), "table", path, header=tuple(header.split(" | ")), rows=cells
    )


TIERS = table(
    "1:b1", " | Bench | Wheel | Keyholder", "Monthly fee | £48 | £84 | £132", "Shelves | Half | 2 | 4"
)
FIRINGS = table(
    "1:b2", "Firing | Extra shelf | Full shelf", "Bisque | £11 | £16", "Earthenware | £13 | £18",
    "Stoneware | £17 | £24",
)  # fmt: skip
FAULTS = unit("1:b3", "Of 164 faulty pieces, 61 were crawling, 44 pinholes, 29 running and 18 crazing.")
APPS = table(
    "1:b4", " | Seedling | Grower", "Handsets | 1 | 4", "Tills | 1 | 3",
    path=("Log for four weeks before changing anything",),
)  # fmt: skip
VETO = Veto(evidence(TIERS, FIRINGS, FAULTS, APPS), "en")


def stopped(text: str, *ids: str) -> str:
    return "; ".join(VETO.violations(model_says(text, *ids)))


def test_a_difference_in_words_is_no_other_things_figure() -> None:
    right = "At £132 a month against £84, Keyholder costs £48 more than Wheel."
    assert stopped(right, "1:b1") == ""
    assert stopped(right.replace("Keyholder", "Bench"), "1:b1")


@pytest.mark.parametrize(
    "wrong",
    [
        "Bench costs £84 a month, Wheel £48 and Keyholder £132.",
        "For two people, Bench costs £48 a month and Wheel £132.",
        "A month costs £132 on Keyholder, £84 on Wheel; Bench at £84 is more.",
    ],
)
def test_a_figure_that_happens_to_be_a_sum_of_others_stays_that_of_its_owner(wrong: str) -> None:
    assert "belongs to" in stopped(wrong, "1:b1")


def test_a_figure_that_no_operation_gives_stays_that_of_its_owner() -> None:
    assert "48 belongs to Bench" in stopped("At £84 a month, Wheel costs less than Keyholder at £48.", "1:b1")


def test_a_sum_of_three_figures_with_their_signs_needs_no_evidence() -> None:
    right = "Crawling, pinholes and crazing made up 61 + 44 + 18 = 123 of the 164."
    assert stopped(right, "1:b3") == ""
    assert "133" in stopped(right.replace("123", "133"), "1:b3")
    assert "29" not in stopped(right, "1:b3")


def test_a_measure_that_a_heading_says_belongs_to_no_row_of_the_table_below_it() -> None:
    assert stopped("Count the tills for four weeks.", "1:b4") == ""
    assert "belongs to Handsets" in stopped("Seedling has four tills.", "1:b4")
