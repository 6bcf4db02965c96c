"""What is right by a table, a date, a sum or a command is not stopped, and the falsehood beside it is."""

from __future__ import annotations

import pytest

from app.content.drafts import Paragraph, Sentence
from app.content.evidence.units import EvidenceUnit
from app.content.writing.article.draft import Draft, Part
from app.content.writing.article.surroundings import Surroundings
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, left_out, model_says, unit


def table(unit_id: str, header: tuple[str, ...], *rows: tuple[str, ...]) -> EvidenceUnit:
    """A table whose first column names the rows."""
    text = "\n".join(" | ".join(row) for row in (header, *rows) if row)
    return unit(unit_id, text, "table", header=header, rows=rows, row_heads=1)


POST = table(
    "1:b1",
    ("Service", "Cost", "Time"),
    ("Royal Mail Tracked 48", "£3.95, free from £45", "2–3 working days"),
    ("Royal Mail Tracked 24", "£5.80", "1–2 working days"),
)
PLANS = table(
    "1:b2",
    ("", "Shallow", "Middle"),
    ("Active swimmers", "up to 150", "up to 500"),
    ("Price per month", "£29", "£69"),
    ("Price per year, paid at once", "£290", "£690"),
)
DOCK = unit(
    "1:b3",
    "For months without lessons there is the dry-dock rate: £9 a month, "
    "for up to three calendar months in a year.",
)
BOTTLE = table("1:b4", (), ("Dose", "2.5 ml"), ("Vegetarian", "Yes"), ("Storage", "2–8 °C"))
CARE = unit(
    "1:b5",
    "In the fridge, upright, away from light. Unopened until the date on the bottle, usually 12 months; "
    "opened 9 months.",
    path=("Vegetarian rennet",),
)
CALF = unit(
    "2:b1", "Unopened until the date on the bottle (18 months), opened 12 months.", path=("Calf rennet",)
)
DOSE = unit("1:b6", "The usual dose is 2.5 ml for 10 litres. Never go above 4 ml.")
FEE = unit("1:b7", "It shows the fee to parents: £8.50 × 48 weeks ÷ 12 = £34.00. The third child gets 15%.")
PANINI = unit("1:b8", "The picture shows Panini(70,50,50).")
ENFUSE = unit(
    "1:b9", "Enfuse is a program. It reads blend.conf. A high number such as 20 helps, since version 3.0.9."
)
ALL = (POST, PLANS, DOCK, BOTTLE, CARE, CALF, DOSE, FEE, PANINI, ENFUSE)


def stopped(text: str, *ids: str, header: tuple[str, ...] = ()) -> bool:
    kind = "table" if header else "p"
    return Veto(evidence(*ALL), "en").violations(model_says(text, *ids), kind, header=header) != ()


@pytest.mark.parametrize(
    ("right", "wrong", "ids"),
    [
        (
            "So take dry-dock if you close for three full months, else the yearly price.",
            "So take dry-dock if you close for four full months, else the yearly price.",
            ["1:b3"],
        ),
        (
            "Stand it upright in the fridge, at 2–8 °C, and keep the vegetarian kind away from light.",
            "Stand it upright in the fridge, at 2–6 °C, and keep the vegetarian kind away from light.",
            ["1:b4", "1:b5"],
        ),
        (
            "Unopened, vegetarian rennet keeps 12 months; for calf rennet that is 18 months.",
            "Unopened, vegetarian rennet keeps 12 months; for calf rennet that is 19 months.",
            ["1:b5", "2:b1"],
        ),
        (
            "Going from 2.5 ml to 4 ml means 4 ÷ 2.5 = 1.6 times the dose.",
            "Going from 2.5 ml to 4 ml means 4 ÷ 2.5 = 1.7 times the dose.",
            ["1:b6"],
        ),
        ("For the third, 15% of £34.00 is £5.10.", "For the third, 15% of £34.00 is £6.10.", ["1:b7"]),
        (
            "At £8.50 and 48 teaching weeks, it is £34.00.",
            "At £8.50 and 46 teaching weeks, it is £34.00.",
            ["1:b7"],
        ),
        ("The first value is 70, the others are 50.", "The first value is 70, the others are 60.", ["1:b8"]),
        ("It is there since 3.0.9.", "It is there since 3.0.8.", ["1:b9"]),
        ("A number such as 20 may help.", "A number such as 30 may help.", ["1:b9"]),
    ],
)
def test_what_the_evidence_gives_is_not_stopped(right: str, wrong: str, ids: list[str]) -> None:
    assert not stopped(right, *ids)
    assert stopped(wrong, *ids)


HEADER = ("Plan", "Active swimmers", "Month with lessons (£)", "Month in dry-dock (£)", "Year (£)")


@pytest.mark.parametrize(
    ("row", "is_right"),
    [
        ("Shallow | up to 150 | 29 | 9 | 290", True),
        ("Shallow | up to 150 | 69 | 9 | 690", False),
        ("Shallow | up to 150 | 29 | 8 | 290", False),
    ],
)
def test_a_column_of_plans_may_become_a_row_with_a_figure_of_the_text(row: str, is_right: bool) -> None:
    assert stopped(row, "1:b2", "1:b3", header=HEADER) is not is_right


def test_a_sentence_may_end_in_the_word_file_before_a_colon() -> None:
    assert not stopped("Check each of these settings in the main config file:")
    assert stopped("Open file:///etc/passwd now.")


def with_code(text: str, *ids: str, run: str) -> Sentence:
    return Sentence(text, ids, "model", code=((run, text.index(run)),))


def test_a_program_is_called_by_its_name_in_small_letters() -> None:
    veto = Veto(evidence(*ALL), "en")
    assert veto.violations(with_code("Type enfuse in a terminal.", "1:b9", run="enfuse")) == ()
    assert veto.violations(with_code("Type enblend in a terminal.", "1:b9", run="enblend")) != ()


def test_an_instruction_may_name_the_code_of_its_section() -> None:
    known = with_code("Enfuse reads blend.conf.", "1:b9", run="blend.conf")
    advice = with_code("Begin with blend.conf.", run="blend.conf")
    part = Part("section", "Levels", (Paragraph("p", (known, advice)),))
    elsewhere = Part("section", "Other", (Paragraph("p", (advice,)),))
    draft = Draft((part, elsewhere))
    found = [Surroundings(draft, Veto(evidence(*ALL), "en")).violations(each) for each in draft.statements]
    assert [bool(each) for each in found] == [False, False, True]
    wrong = with_code("Enfuse reads wipe.conf.", "1:b9", run="wipe.conf")
    advice = with_code("Begin with wipe.conf.", run="wipe.conf")
    draft = Draft((Part("section", "Levels", (Paragraph("p", (wrong, advice)),)),))
    found = [Surroundings(draft, Veto(evidence(*ALL), "en")).violations(each) for each in draft.statements]
    assert [bool(each) for each in found] == [True, True]


BOXES = unit("1:b1", "The small box costs £10, the large box costs £20.")
DELIVERY = unit("2:b1", "Delivery is £10 everywhere.")
LOCKER = unit("1:b1", "Membership costs £120 a year. A locker costs £20 a month.")
EXPRESS = table("1:b1", ("Service", "Cost"), ("Standard", "£3.20"), ("Express", "£5.80"))
TRACKED = table("1:b1", ("Service", "Cost"), ("Royal Mail Tracked 48", "£44"), ("Evri Tracked 48", "£26"))
PRICE = unit("1:b1", "The price is £34.00, VAT is 15%. Two weeks, 30 minutes, 4 ml, 2.5 ml.")


@pytest.mark.parametrize(
    ("text", "units"),
    [
        ("£34.00 + 15% = £49.00.", [PRICE]),
        ("£34.00 × 15% = £510.00.", [PRICE]),
        ("2 weeks + 30 minutes = 32 hours.", [PRICE]),
        ("4 ÷ 2.5 = 2 times the dose.", [PRICE]),
        ("2 × 4 × 2.5 = 10 times.", [PRICE]),
        ("It closes on 3 may.", [unit("1:b1", "It closes on 3 June.")]),
    ],
)
def test_a_wrong_sum_or_date_is_stopped(text: str, units: list[EvidenceUnit]) -> None:
    said = model_says(text, *(each.id for each in units))
    assert Veto(evidence(*units), "en").violations(said) != ()


@pytest.mark.parametrize(
    ("text", "units", "figures"),
    [
        ("The small box costs £20, the large box £10.", [BOXES, DELIVERY], {"10", "20"}),
        ("The locker costs £120 a year.", [LOCKER], {"120"}),
        ("Is Express for you? It is £3.20.", [EXPRESS], {"3.20"}),
        ("Take Royal Mail Tracked 48, it is £26.", [TRACKED], {"26"}),
    ],
)
def test_a_figure_of_another_thing_has_to_be_read(
    text: str, units: list[EvidenceUnit], figures: set[str]
) -> None:
    assert left_out(text, *units) == figures


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Take 3 each day.", "Take 3 capsules each day."),
        ("Feed 2 every week.", "Feed 2 litres every week."),
        ("We open on 20 May 2027.", "We open on 20 may 2027."),
        ("The dose is 2.5.", "The dose is 2.5 in all."),
        ("4 : 2.5 = 1.6 times the dose.", "The dose is 4 ml or 2.5 ml."),
    ],
)
def test_a_figure_in_other_surroundings_is_not_stopped(text: str, said: str) -> None:
    veto = Veto(evidence(unit("1:b1", said)), "en")
    assert veto.violations(model_says(text, "1:b1")) == ()


def test_a_choice_of_two_figures_is_not_crossed() -> None:
    sizes = unit("1:b1", "With FourThirds sensors (factor 2.0)\nWith an APS-C sensor (factor 1.5 or 1.6)")
    said = model_says("The factor is 2.0 with a FourThirds sensor, 1.5 or 1.6 with an APS-C sensor.", "1:b1")
    assert Veto(evidence(sizes), "en").violations(said) == ()


def test_the_last_of_several_days_belongs_to_the_first_ones() -> None:
    days = unit("1:b1", "Birnen pressen wir vom 5. September an, Quitten nur am 9., 16. und 23. Oktober.")
    hours = unit("1:b2", "Gepresst wird vom 29. August bis zum 31. Oktober 2026, freitags von 13 bis 19 Uhr.")
    veto = Veto(evidence(days, hours), "de")
    said = "Quitten haben wir in der Saison 2026 nur am {}. Oktober gepresst, jeweils von 13 bis 19 Uhr."
    assert veto.violations(model_says(said.format("9., 16. und 23"), "1:b1", "1:b2")) == ()
    assert veto.violations(model_says(said.format("9., 16. und 24"), "1:b1", "1:b2")) != ()


def test_the_parts_of_a_telephone_number_are_not_crossed_with_hours() -> None:
    phone = unit("1:b1", "Call 01539 496 0112.")
    hours = unit("1:b2", "We answer the telephone from Monday to Friday, 8:30 to 17:30.")
    said = "You reach us on 01539 496 0112 from Monday to Friday, 8:30 to 17:30."
    assert Veto(evidence(phone, hours), "en").violations(model_says(said, "1:b1", "1:b2")) == ()
