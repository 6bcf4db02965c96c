"""Names, plans and listed things that could be another's are left out for the verifier to read."""

from __future__ import annotations

import pytest

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, left_out, model_says, unit

TEAM = unit("1:b1", "Two keepers, Ewan Strick and Paula Duhamel, look after 260 hives a year.")
FRANK = unit("1:b2", "Ewan will tell you frankly what a hive is worth, and has talked people out of forty.")
DESK = unit("1:b3", "Book with Tamsin at the front desk, or write.")
SHED = unit("1:b4", "Máire Flynn teaches in the shed on Mondays.")
FARM = unit("2:b1", "Am Hang bei Sulzbach mäht Florian Wenzl mit der Sense um die Stämme.")
WIFE = unit("2:b2", "Seit 2022 bewirtschaftet Katharina Wenzl die Wiese.")
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
ALL = (TEAM, FRANK, DESK, SHED, FARM, WIFE, *PLANS, WHETTING, COVER)


def stopped(text: str, *told: EvidenceUnit, language: str = "en") -> tuple[str, ...]:
    return Veto(evidence(*ALL), language).violations(model_says(text, *(each.id for each in told)))


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        (
            "Ewan Strick, one of the two keepers, will tell you frankly what a hive is worth.",
            "Paula Duhamel",
            (FRANK, TEAM),
        ),
        ("Book with Tamsin at the front desk.", "Máire", (DESK, SHED)),
        ("Fine corundum sharpens at any angle, so beginners get on best with it.", "Slate", (WHETTING,)),
        ("Colony includes radio tags and the pump.", "Nuc", PLANS),
    ],
)
def test_a_name_that_could_be_anothers_has_to_be_read(
    right: str, wrong: str, told: tuple[EvidenceUnit, ...]
) -> None:
    (name,) = left_out(right, *told)
    assert stopped(right, *told) == ()
    assert left_out(right.replace(name, wrong), *told) == {wrong}


def test_which_of_two_people_of_one_family_has_to_be_read() -> None:
    right = "Um die Stämme am Hang mäht Florian Wenzl mit der Sense."
    assert stopped(right, FARM, WIFE, language="de") == ()
    assert left_out(right, FARM, WIFE, language="de") == {"Florian Wenzl"}


def test_a_plan_has_to_be_read_with_the_year_of_its_condition() -> None:
    said = "On Colony, repairs of radio tags are covered if they were fitted after 2018."
    assert stopped(said, COVER, *PLANS) == ()
    assert left_out(said, COVER, *PLANS) == {"Colony", "2018"}
