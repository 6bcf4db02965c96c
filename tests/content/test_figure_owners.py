"""A figure stays with the plan, the row and the column that it belongs to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.figure_owners import FigureOwners
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, model_says, unit


def table(unit_id: str, header: tuple[str, ...], *rows: tuple[str, ...]) -> EvidenceUnit:
    """A table whose rows begin with their name."""
    text = "\n".join(" | ".join(cells) for cells in (header, *rows))
    return unit(unit_id, text, "table", header=header, rows=rows, row_heads=1)


STARTER = unit("1:b1", "Starter: £9 a month\n- 1 hive", "price", ("Prices", "Starter"), items=("1 hive",))
TEAM = unit(
    "1:b4", "Team Plus: £29 a month\n- 20 hives", "price", ("Prices", "Team Plus"), items=("20 hives",)
)
RAIL = unit("1:b7", "Both plans can be left within 14 days.", path=("Prices",))
TABLE = table("2:b1", ("Box", "Frames", "Weight"), ("Langstroth", "10", "27 kg"), ("Dadant", "12", "35 kg"))
VETO = Veto(evidence(STARTER, TEAM, RAIL, TABLE), "en")


def moved(text: str, *ids: str) -> list[str]:
    ids = ids or tuple(each.id for each in (STARTER, TEAM, RAIL, TABLE))
    return [each for each in VETO.violations(model_says(text, *ids)) if "belongs to" in each]


@pytest.mark.parametrize(
    "text",
    [
        "Starter costs £9 a month.",
        "Team Plus is £29 a month and watches 20 hives.",
        "Starter costs £9 and Team Plus £29.",
        "Starter costs £9 a month, while Team Plus costs £29.",
        "You pay £9 or £29 a month.",
        "Starter can be left within 14 days.",
        "A Langstroth box holds 10 frames.",
        "Dadant weighs 35 kg with 12 frames.",
        "The weight of a Dadant box is 35 kg.",
        "Every box weighs 27 kg or more.",
    ],
)
def test_a_figure_beside_its_owner_passes(text: str) -> None:
    assert moved(text) == []


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Starter costs £29 a month.", "the figure 29 belongs to Team Plus"),
        ("Team Plus is only £9 a month.", "the figure 9 belongs to Starter"),
        ("With Starter you watch 20 hives.", "the figure 20 belongs to Team Plus"),
        ("Starter costs £29 and Team Plus £9.", "the figure 29 belongs to Team Plus"),
        ("Starter costs £9, whereas Team Plus costs £9.", "the figure 9 belongs to Starter"),
        ("A Langstroth box holds 12 frames.", "the figure 12 belongs to Dadant"),
        ("Dadant weighs 27 kg.", "the figure 27 belongs to Langstroth"),
        ("A Dadant box has 35 frames.", "the figure 35 belongs to Weight"),
    ],
)
def test_a_figure_that_was_moved_to_another_owner_is_stopped(text: str, reason: str) -> None:
    assert any(each.startswith(reason) for each in moved(text)), moved(text)


def test_a_column_is_named_by_a_unit_and_a_statement_has_no_column() -> None:
    header = ("Grade", "What you get", "Per month", "Deposit")
    starter = ("A. Starter", "A modern 30-button Anglo or 30-button English one", "£16", "£60")
    better = ("B. Improver", "A restored 26-button Anglo with reeds of brass", "£26", "£120")
    veto = Veto(evidence(table("3:b1", header, starter, better)), "en")
    for text in (
        "Our starter, grade A | 30 buttons: £16 a month, £60 deposit | 30 buttons: £16 a month, £60 deposit",
        "Our starter, grade A | £16 a month, £60 deposit | £16 a month, £60 deposit",
    ):
        assert veto.violations(model_says(text, "3:b1")) == ()
    assert veto.violations(model_says("The deposit of grade A, Starter, is £16.", "3:b1")) == (
        "the figure 16 belongs to Per month in the evidence",
    )


def test_a_plan_that_the_sentence_names_no_evidence_of_keeps_its_price() -> None:
    assert moved("Starter costs £29 a month.", TEAM.id) == [
        "the figure 29 belongs to Team Plus in the evidence"
    ]


def test_plans_of_another_page_are_no_rivals() -> None:
    other = unit("9:b1", "Gold: £9 a month", "price", ("Prices", "Gold"))
    by = Veto(evidence(STARTER, other), "en")
    assert by.violations(model_says("Starter and Gold cost £9 each.", STARTER.id, other.id)) == ()


POLICY = table(
    "4:b1",
    ("Step", "Count"),
    ("Did not arrive", "253"),
    ("Average fee", "£49"),
    ("Used by somebody else", "61"),
)
REMINDERS = table(
    "4:b2",
    ("Kind", "First", "Second", "On the day"),
    ("Vaccination", "7 days before", "24 hours before", "–"),
)
RECALLS = table(
    "4:b4",
    ("When", "How"),
    ("Two weeks after", "text"),
    ("Six weeks after", "call"),
    ("Ten weeks after", "letter, 6 lines"),
)
VISITS = table(
    "4:b3",
    ("Leistung", "Basis", "Voll"),
    ("Preis pro Rad und Jahr", "59 €", "89 €"),
    ("Besuche am Standort", "2", "4"),
)


@pytest.mark.parametrize(
    ("text", "of", "language"),
    [
        ("In all, 253 missed visits at an average fee of £49 were counted.", POLICY, "en"),
        ("It gets one 7 days before and one 24 hours before.", REMINDERS, "en"),
        ("We ask again two, six and ten weeks after it.", RECALLS, "en"),
        ("Wir kommen 2-mal im Jahr oder 4-mal im Jahr.", VISITS, "de"),
    ],
)
def test_a_name_that_belongs_to_another_figure_moves_none(text: str, of: EvidenceUnit, language: str) -> None:
    by = Veto(evidence(of), language)
    assert by.violations(model_says(text, of.id)) == ()


PERSONS = table("4:b5", ("Table", "Deposit"), ("up to 4 persons", "£40"), ("up to 8 persons", "£80"))


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("For £29 Starter is yours.", (STARTER, TEAM)),
        ("You pay £29 a month, with Starter.", (STARTER, TEAM)),
        ("Up to 8 persons pay £40.", (PERSONS,)),
        ("Dadant weighs 27 kg with 12 frames.", (TABLE,)),
    ],
)
def test_a_figure_of_another_thing_is_rejected_wherever_the_name_is(
    text: str, of: tuple[EvidenceUnit, ...]
) -> None:
    by = Veto(evidence(*of), "en")
    assert "belongs to" in "".join(by.violations(model_says(text, *(each.id for each in of))))


def test_a_german_plan_may_be_called_pro() -> None:
    plans = (
        unit("5:b1", "Basis: 29 € im Monat", "price", ("Preise", "Basis")),
        unit("5:b4", "Pro: 59 € im Monat", "price", ("Preise", "Pro")),
    )
    by = Veto(evidence(*plans), "de")
    assert by.violations(model_says("Pro kostet 59 € im Monat.", "5:b1", "5:b4")) == ()
    assert "belongs to Basis" in "".join(
        by.violations(model_says("Pro kostet 29 € im Monat.", "5:b1", "5:b4"))
    )


TAGS = unit(
    "4:b1", "One person fixes 110 tags an hour by heat-seal, 75 by sewing. A house at 21 °C can fall to 28%."
)
TOLD = Veto(evidence(TAGS), "en")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("One person fixes 75 tags an hour by heat-seal.", "the figure 75 is another thing's"),
        ("Sewing is quick: 110 by sewing.", "the figure 110 is another thing's"),
        ("A house at 28 °C can fall to 21%.", "the number “28” (°) is not in the evidence"),
    ],
)
def test_a_figure_of_prose_stays_with_the_words_of_its_clause(text: str, reason: str) -> None:
    found = TOLD.violations(model_says(text, TAGS.id))
    assert any(each.startswith(reason) for each in found), found


@pytest.mark.parametrize(
    "text",
    [
        "One person fixes 110 tags an hour by heat-seal, or 75 by sewing.",
        "Sewing takes longer: 75 an hour.",
        "Heat-sealing 110 tags takes an hour.",
        "A person can do 75 or 110 an hour.",
        "At 21 °C a house may fall to 28%.",
    ],
)
def test_a_figure_of_prose_may_be_stated_in_other_words(text: str) -> None:
    assert TOLD.violations(model_says(text, TAGS.id)) == ()


ACCOUNT = table(
    "1:b1",
    ("Item", "Sum"),
    ("Captions, 410 slides", "£49.20"),
    ("Four USB sticks", "£48.00"),
    ("Return of originals", "£29.00"),
    ("Total", "£126.20"),
)


@pytest.mark.parametrize(
    ("said", "owner"),
    [
        ("With captions, sticks and return postage the account came to £126.20.", ""),
        ("The captions came to £126.20.", "Total"),
        ("The return of originals came to £49.20.", "Captions, 410 slides"),
    ],
)
def test_the_total_of_a_table_may_stand_beside_the_rows_that_it_adds_up(said: str, owner: str) -> None:
    found = FigureOwners([ACCOUNT], "en").misattributed(said, [ACCOUNT])
    assert [name for _, name in found] == ([owner] if owner else [])


def test_words_of_a_figures_own_cell_name_no_other_row() -> None:
    orders = table(
        "1:b1",
        ("Order", "Standard"),
        ("Slides, prints", "25 working days"),
        ("Tapes", "30 working days"),
        ("Preview", "15 working days, from 5,000 slides 20"),
    )
    owners = FigureOwners([orders], "en")
    assert not list(owners.misattributed("The preview takes 15 days, from 5,000 slides 20.", [orders]))
    assert list(owners.misattributed("Tapes take 15 working days.", [orders])) == [("15", "Preview")]


def test_a_column_named_by_small_words_alone_owns_nothing() -> None:
    ways = table("1:b1", ("Way", "Up to", "Cost"), ("By post", "20 plates", "£23"), ("Van", "99", "£38"))
    owners = FigureOwners([ways], "en")
    assert not list(owners.misattributed("By post | up to 20 (Plates) | £23 (Cost)", [ways]))
    assert list(owners.misattributed("The van takes 20 plates.", [ways])) == [("20", "By post")]


def test_the_last_step_of_a_ladder_of_prices_is_no_total() -> None:
    plans = table("1:b1", ("Plan", "Price"), ("Starter", "€10"), ("Team", "€20"), ("Business", "€30"))
    owners = FigureOwners([plans], "en")
    assert list(owners.misattributed("Starter, like Team, costs €30.", [plans])) == [("30", "Business")]


def test_the_days_of_the_sentence_before_a_table_belong_to_no_column() -> None:
    lead = "From 20 October on standard turnaround is 40 working days."
    days = table("1:b1", ("Order", "Standard", "Express"), ("Film", "16 October", "20 November"))
    days = replace(days, lead_in=lead, text=f"{lead}\n{days.text}")
    owners = FigureOwners([days], "en")
    assert not list(owners.misattributed("From 20 October on standard turnaround is 40 days.", [days]))
    plans = table("1:b1", ("Plan", "Price"), ("Starter", "€10"), ("Business", "€30"))
    plans = replace(plans, lead_in="Our plans start at €10.", text=f"Our plans start at €10.\n{plans.text}")
    owners = FigureOwners([plans], "en")
    assert list(owners.misattributed("Business costs €10.", [plans])) == [("10", "Starter")]
