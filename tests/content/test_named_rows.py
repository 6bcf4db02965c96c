"""A row that an article repeats, and words that are also names of a table, are no moved figures."""

from __future__ import annotations

import pytest

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, left_out, model_says, unit


def table(header: tuple[str, ...], *rows: tuple[str, ...]) -> EvidenceUnit:
    text = "\n".join(" | ".join(cells) for cells in (header, *rows))
    return unit("1:b1", text, "table", header=header, rows=rows)


def plan(unit_id: str, name: str, text: str) -> EvidenceUnit:
    return unit(unit_id, f"{name}: {text}", "price", ("Prices", name))


PLANS = table(
    ("", "Starter", "Kitchen", "Group"),
    ("Price per month, paid monthly", "£39", "£89", "£219"),
    ("Kitchens", "1", "1", "5, then £35 each"),
    ("Recipes", "150", "unlimited", "unlimited"),
)
SEATS = table(("", "Starter", "Group"), ("Guests", "4", "9"), ("Seats", "2, more with Group", "any number"))
OPTIONS = table(
    ("Option", "Default", "Meaning"),
    ("listen", "0.0.0.0:8480", "Address for the webhooks that come in"),
    ("max_body", "2MB", "Larger bodies than this are refused with 413"),
    ("read_timeout", "15s", "Time allowed to send a whole request"),
)
STARTER = plan("1:b2", "Starter", "£39 a month; one kitchen, up to 150 recipes")
KITCHEN = plan("1:b3", "Kitchen", "£89 a month; one kitchen, unlimited recipes")


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("Kitchens | 1 | 1 | 5, then £35 each", [PLANS]),
        ("Seats | 2, more with Group | any number", [SEATS]),
        ("Seats | 2, more with Group | many", [SEATS]),
        ("Kitchens | 1 | 1 | five, then £35 each", [PLANS]),
        ("One kitchen pays £39 or £89, and a group with up to five kitchens pays £219.", [PLANS]),
        ("With our recipe software, you pay £39 or £89.", [PLANS]),
        ("No, Starter has costing, at £39 a month for one kitchen with 150 recipes.", [STARTER, KITCHEN]),
        ("By default, bodies above 2MB are refused with a 413.", [OPTIONS]),
        ("By default bodies above 2MB get a 413.", [OPTIONS]),
    ],
)
def test_a_true_figure_passes_beside_a_word_that_is_also_a_name(text: str, units: list[EvidenceUnit]) -> None:
    assert Veto(evidence(*units), "en").violations(model_says(text, *(each.id for each in units))) == ()


@pytest.mark.parametrize(
    ("text", "units", "figure"),
    [
        ("The Kitchen plan costs £219.", [PLANS], "219"),
        ("Starter costs £89.", [PLANS], "89"),
        ("Recipes: £39.", [PLANS], "39"),
        ("For Recipes, you pay £39.", [PLANS], "39"),
        ("Kitchens of Starter: 150.", [PLANS], "150"),
        ("A kitchen costs £39 a month.", [STARTER, KITCHEN], "39"),
        ("Starter costs £89 a month for one kitchen.", [STARTER, KITCHEN], "89"),
        ("Kitchen costs £39 a month.", [STARTER, KITCHEN], "39"),
        ("The default of listen is 15s.", [OPTIONS], "15"),
    ],
)
def test_a_figure_of_another_name_has_to_be_read(text: str, units: list[EvidenceUnit], figure: str) -> None:
    assert figure in left_out(text, *units)


@pytest.mark.parametrize(
    ("text", "is_stopped"),
    [
        ("For two kitchens, separate plans cost less.", False),
        ("For six kitchens, separate plans cost less.", True),
        ("For two shops, separate plans cost less.", True),
        ("We run two kitchens.", True),
        ("For 2 kitchens, separate plans cost less.", True),
    ],
)
def test_a_number_that_a_sentence_supposes_is_between_those_of_its_row(text: str, is_stopped: bool) -> None:
    found = Veto(evidence(PLANS), "en").violations(model_says(text, PLANS.id))
    assert any("the number" in each for each in found) is is_stopped
