"""A name, label or listed thing of the evidence does not stand in the place of another."""

from __future__ import annotations

import pytest

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, model_says, unit

TEAM = unit("1:b1", "Two keepers, Ewan Strick and Paula Duhamel, look after 260 hives a year.")
FRANK = unit("1:b2", "Ewan will tell you frankly what a hive is worth, and has talked people out of forty.")
DESK = unit("1:b3", "Book with Tamsin at the front desk, or write.")
SHED = unit("1:b4", "Máire Flynn teaches in the shed on Mondays.")
FARM = unit("2:b1", "Am Hang bei Sulzbach mäht Florian Wenzl mit der Sense um die Stämme.")
WIFE = unit("2:b2", "Seit 2022 bewirtschaftet Katharina Wenzl die Wiese.")
ADVICE = unit(
    "3:b1",
    "- Little money: the fine stone. Beginners like it best.\n- Keen edges: sandstone and slate.\n"
    "- Only brambles and nettles: the coarse stone is enough.",
    "list",
    items=(
        "Little money: the fine stone. Beginners like it best.",
        "Keen edges: sandstone and slate.",
        "Only brambles and nettles: the coarse stone is enough.",
    ),
)
FIRST = unit("4:b1", "First year: Much grass.", "definition", lead_in="First year", items=("Much grass.",))
SECOND = unit(
    "4:b2",
    "Second year: Clover, yarrow and bedstraw spread.",
    "definition",
    lead_in="Second year",
    items=("Clover, yarrow and bedstraw spread.",),
)
PLANS = (
    unit("5:b1", "Nuc: £9\n- One yard", "price", ("Prices", "Nuc"), lead_in="Nuc: £9", items=("One yard",)),
    unit(
        "5:b2",
        "Colony: £29\n- Radio tags and pump included",
        "price",
        ("Prices", "Colony"),
        lead_in="Colony: £29",
        items=("Radio tags and pump included",),
    ),
)
BLADES = unit(
    "6:b1",
    "Blade | Made for\nMeadow blade | open meadows, clover\nBush blade | brambles, nettles, reed",
    "table",
    header=("Blade", "Made for"),
    rows=(("Meadow blade", "open meadows, clover"), ("Bush blade", "brambles, nettles, reed")),
    row_heads=1,
)
STONES = unit(
    "8:b1",
    "Stone | Price\nSlate | £30\nFine corundum | £9",
    "table",
    header=("Stone", "Price"),
    rows=(("Slate", "£30"), ("Fine corundum", "£9")),
    row_heads=1,
)
WHETTING = unit(
    "8:b2",
    "- Fine corundum: beginners get on best with it, for it sharpens at any angle.\n- Slate: thin edges.",
    "list",
    items=(
        "Fine corundum: beginners get on best with it, for it sharpens at any angle.",
        "Slate: thin edges.",
    ),
)
COVER = unit("5:b3", "Repairs of radio tags are covered on Colony, provided they were fitted after 2018.")
ALL = (TEAM, FRANK, DESK, SHED, FARM, WIFE, ADVICE, FIRST, SECOND, *PLANS, BLADES, STONES, WHETTING, COVER)


def stopped(text: str, *told: EvidenceUnit, language: str = "en") -> tuple[str, ...]:
    return Veto(evidence(*ALL), language).violations(model_says(text, *(each.id for each in told)))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Ewan Strick, one of the two keepers, will tell you frankly what a hive is worth.", (FRANK, TEAM)),
        ("Paula Duhamel and Ewan Strick will tell you frankly what a hive is worth.", (FRANK, TEAM)),
        ("Paula Duhamel is one of two keepers who look after 260 hives.", (TEAM, FRANK)),
        ("Book at the front desk; Máire Flynn teaches in the shed.", (DESK, SHED)),
    ],
)
def test_a_name_in_its_own_place_passes(text: str, told: tuple[EvidenceUnit, ...]) -> None:
    assert stopped(text, *told) == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Paula Duhamel, one of the keepers, will tell you frankly what a hive is worth.", (FRANK, TEAM)),
        ("Book with Máire at the front desk.", (DESK, SHED)),
    ],
)
def test_a_name_in_the_place_of_another_is_stopped(text: str, told: tuple[EvidenceUnit, ...]) -> None:
    assert any("names another" in each for each in stopped(text, *told))


def test_two_people_of_one_family_are_two() -> None:
    right = "Um die Stämme am Hang mäht Florian Wenzl mit der Sense."
    assert stopped(right, FARM, WIFE, language="de") == ()
    assert stopped(right.replace("Florian", "Katharina"), FARM, WIFE, language="de") != ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("If you cut only brambles and nettles, the coarse stone is enough.", (ADVICE,)),
        ("For only brambles and nettles take the coarse stone, for keen edges sandstone.", (ADVICE,)),
        ("Colony includes radio tags and the pump.", PLANS),
        ("Nuc has one yard, Colony has radio tags.", PLANS),
        ("The bush blade is made for brambles and nettles.", (BLADES,)),
    ],
)
def test_what_is_said_of_a_label_is_from_there(text: str, told: tuple[EvidenceUnit, ...]) -> None:
    assert stopped(text, *told) == ()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("If you cut only brambles and nettles, slate is the one.", (ADVICE,)),
        ("Nuc includes radio tags and the pump.", PLANS),
        ("The meadow blade cuts brambles and nettles.", (BLADES,)),
    ],
)
def test_what_is_said_of_another_label_is_stopped(text: str, told: tuple[EvidenceUnit, ...]) -> None:
    assert any("says this of" in each for each in stopped(text, *told))


def test_words_that_other_evidence_has_too_may_be_from_there() -> None:
    other = unit("7:b1", "In our trial the meadow blade cut brambles and nettles well.")
    veto = Veto(evidence(*ALL, other), "en")
    assert veto.violations(model_says("The meadow blade cuts brambles and nettles.", "6:b1", "7:b1")) == ()


def test_a_list_has_no_thing_that_its_evidence_has_not() -> None:
    assert stopped("In the second year clover, yarrow and bedstraw spread.", FIRST, SECOND) == ()
    assert stopped("In the second year clover, yarrow and tall bedstraw spread.", FIRST, SECOND) == ()
    wrong = stopped("In the second year heather, yarrow and bedstraw spread.", FIRST, SECOND)
    assert any("“heather” is not in the evidence" in each for each in wrong)


def test_what_is_said_of_one_priced_thing_is_not_said_of_another() -> None:
    assert stopped("Fine corundum sharpens at any angle, so beginners get on best with it.", WHETTING) == ()
    assert stopped("Slate sharpens at any angle, so beginners get on best with it.", WHETTING) != ()
    assert (
        stopped("On Colony, repairs of radio tags are covered if they were fitted after 2018.", COVER) == ()
    )
    assert stopped("Slate is for thin edges, while beginners get on best with fine corundum.", WHETTING) == ()
    told = (COVER, *PLANS)
    wrong = stopped("On Nuc, repairs of radio tags are covered if they were fitted after 2018.", *told)
    assert any("of another than Nuc" in each for each in wrong)
    assert stopped("Nuc has one yard, Colony covers repairs of radio tags fitted after 2018.", *told) == ()
    slate = stopped("A slate roof of the shed sharpens nothing at any angle.", WHETTING)
    assert not any("of another than" in each for each in slate)
