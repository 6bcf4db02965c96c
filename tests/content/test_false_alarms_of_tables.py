"""True rows and sentences on tables that the rules keep, each beside a falsehood that they stop."""

import pytest

from app.content.drafts import Sentence
from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, left_out, unit


def table(unit_id: str, header: str, *rows: str, heads: int = 1) -> EvidenceUnit:
    cells = tuple(tuple(row.split(" | ")) for row in rows)
    text = "\n".join((header, *rows))
    return unit(unit_id, text, "table", header=tuple(header.split(" | ")), rows=cells, row_heads=heads)


FITTINGS = table(
    "1:b1",
    "Fitting | Fits | Price fitted",
    "Child seat with adapter | Fell, Cob | £165",
    "Rain tent | Shire | £345",
    "Rain capes for tail passengers, pair | Cob | £110",
)
WINTER = table(
    "2:b1",
    "Air temperature at the start | Range | Compared with 20 °C",
    "20 °C | 46 miles | 100 per cent",
    "10 °C | 42 miles | 91 per cent",
    "−5 °C | 28 miles | 61 per cent",
)
SIDE_BY_SIDE = table(
    "3:b1",
    "Question | Longtail (Cob) | Front-loader (Shire)",
    "Price | £4,490 | £5,850",
    "Small children | two | three",
    "Resale after 3 years | about 55 per cent | about 45 per cent",
)
HIRE = table(
    "4:b1",
    "Model | Price | Deposit on card",
    "Fell | £55 | £200",
    "Cob | £75 | £200",
    "Clydesdale | £95 | £300",
)


def stopped(text: str, told: EvidenceUnit, header: str = "") -> tuple[str, ...]:
    row = tuple(text.split(" | ")) if header else ()
    sentence = Sentence(text, (told.id,), "model", cells=row)
    veto = Veto(evidence(told), "en")
    return veto.violations(
        sentence, "table" if header else "p", header=tuple(header.split(" | ")) if header else ()
    )


def judged(text: str, told: EvidenceUnit, is_right: bool, header: str = "") -> bool:
    """Return whether no rule stops what is right, and what is wrong is stopped or has to be read."""
    found = stopped(text, told, header)
    if is_right:
        return found == ()
    return found != () or left_out(text, told, header=header.split(" | ") if header else ()) != set()


@pytest.mark.parametrize(
    ("row", "is_right"),
    [
        ("Rain cover, fitted | rain capes for tail passengers, pair, £110 | rain tent, £345", True),
        ("Rain cover, fitted | rain capes, pair, £110 | rain tent, £345", True),
        ("Rain cover, fitted | rain capes, pair, £345 | rain tent, £110", False),
        ("Rain tent | £345 | £345", True),
        ("Rain tent | £110 | £110", False),
        ("Rain tent | rain tent, pair, £110 | –", False),
    ],
)
def test_a_cell_that_names_a_row_may_have_its_figure(row: str, is_right: bool) -> None:
    assert judged(row, FITTINGS, is_right, "Fitting | Cob (longtail) | Shire (front loader)")


@pytest.mark.parametrize(
    ("row", "is_right"),
    [
        ("10 | 42 | 91", True),
        ("-5 | 28 | 61", True),
        ("10 | 91 | 42", False),
        ("10 | 28 | 61", False),
        ("5 | 28 | 61", False),
        ("-10 | 42 | 91", False),
    ],
)
def test_a_row_is_named_by_its_figure_when_the_header_has_the_unit(row: str, is_right: bool) -> None:
    header = "Air temperature at the start (°C) | Mean range (miles) | Compared with 20 °C (per cent)"
    assert judged(row, WINTER, is_right, header)


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("A Cob fetches about 55 per cent of its price after three years.", True),
        ("A Cob sells for about 55 per cent of its price.", False),
        ("A longtail takes three small children.", False),
        ("A longtail takes three small children, year after year.", False),
    ],
)
def test_half_of_a_rows_name_with_its_number_is_that_row(text: str, is_right: bool) -> None:
    assert judged(text, SIDE_BY_SIDE, is_right)


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("A Cob costs £75 with a deposit of £200 on the card.", True),
        ("A Cob takes a deposit of £200 on the card and costs £75.", True),
        ("A Cob takes a deposit of £75 on the card.", False),
        ("A Clydesdale costs £300, with a deposit of £95 on the card.", False),
    ],
)
def test_a_column_that_is_named_for_another_figure_does_not_own_this_one(text: str, is_right: bool) -> None:
    assert judged(text, HIRE, is_right)


@pytest.mark.parametrize(
    ("text", "is_right"),
    [("Basic costs £10.", True), ("Pro costs £10.", False), ("In Pro, storage costs £2 for 10 GB.", False)],
)
def test_a_plan_whose_price_is_on_request_has_not_the_price_of_another(text: str, is_right: bool) -> None:
    plans = table(
        "5:b1", "Feature | Basic | Pro", "Price | £10 | on request", "Storage | £2 for 10 GB | included"
    )
    assert judged(text, plans, is_right)


BLOCKS = table(
    "5:b1",
    "Block | Discount | Price at £38 an hour | Per hour",
    "Single hour | None | £38.00 | £38.00",
    "5 hours | None | £190.00 | £38.00",
    "10 hours | 5% | £361.00 | £36.10",
)


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("A block of ten hours is sold at £361, while a single hour is £38.", True),
        ("A block of ten hours is sold at £190, while a single hour is £38.", False),
        ("With used hours at the single price, five hours cost £190.", True),
        ("With used hours at the single price, ten hours cost £190.", False),
        ("Of ten hours at £36.10 each, five unused hours come to £180.50.", True),
        ("Of ten hours at £36.10 each, five unused hours come to £182.50.", False),
    ],
)
def test_a_row_may_be_named_by_its_number_in_words(text: str, is_right: bool) -> None:
    assert judged(text, BLOCKS, is_right)


def test_a_name_inside_another_is_not_named() -> None:
    plans = table(
        "6:b1",
        "Plan | Has",
        "Team | a diary",
        "Team Plus | reminders by text message",
        "Depot | accountant login and exports",
    )
    assert judged("Team Plus has an accountant login and exports.", plans, is_right=False)
    assert judged("Depot has an accountant login and exports.", plans, is_right=True)


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("A straight flight of stairs adds £40 and each turn £25.", True),
        ("A straight flight of stairs adds £40 and each half-landing £25.", True),
        ("A straight flight of stairs adds £25.", False),
    ],
)
def test_a_row_of_two_things_is_named_by_one_of_them(text: str, is_right: bool) -> None:
    stairs = table(
        "1:b1",
        "Part of the way | Upright | Grand",
        "Each straight flight of stairs | £40 | £60",
        "Each turn or half-landing | £25 | £45",
        "More than 3 outside steps | £15 | £25",
    )
    assert judged(text, stairs, is_right)


FEES = table(
    "5:b1", " | Rower | Sailor", "Price per year | £126 | £168", "Joining fee | none | £40", "Guests | 2 | 4"
)


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("For a Sailor, the price per year and the one-off joining fee come to £168 + £40 = £208.", True),
        ("A Sailor pays £168 a year, and with the joining fee the first year is £168 + £40 = £208.", True),
        ("A Rower pays £126 with no joining fee.", True),
        ("A Rower pays a joining fee of £126.", False),
        ("For a Sailor, the joining fee is £168.", False),
    ],
)
def test_an_amount_says_that_its_row_is_a_price_and_no_fee_owns_none(text: str, is_right: bool) -> None:
    assert judged(text, FEES, is_right)


YARD = table(
    "6:b1",
    "Work | Price",
    "Lift out | £180",
    "Wash | £80.46",
    "Five months ashore | £385.25",
    "Sum | £645.71",
)


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("Laying up a boat comes to £645.71, and £385.25 of it is for five months ashore.", True),
        ("A lift out costs £645.71.", False),
    ],
)
def test_a_sum_of_a_table_is_that_of_a_clause_without_a_row(text: str, is_right: bool) -> None:
    assert judged(text, YARD, is_right)


SHOPPING = table(
    "7:b1", "Item | What to buy | About", "Cash drawer | Driven by the printer | £55", "Printer | Any | £210"
)


@pytest.mark.parametrize(
    ("row", "is_right"),
    [
        ("Cash drawer | Driven by the printer | 55 | 55", True),
        ("Cash drawer | Driven by the printer | 55 | 210", False),
    ],
)
def test_a_row_may_say_one_figure_of_its_row_below_two_columns(row: str, is_right: bool) -> None:
    veto = Veto(evidence(SHOPPING), "en")
    header = ("Item", "What to buy", "Windows till, £", "Tablet till, £")
    found = veto.violations(Sentence(row, (SHOPPING.id,), "model"), "row", header=header)
    assert (found == ()) is is_right


TILLS = table("8:b1", " | Seedling | Grower", "Price a month | £49 | £119", "Tills | 1 | 3")
EXTRA = unit("8:b2", "For Grower, an extra till costs £18 a month.")


@pytest.mark.parametrize(
    ("row", "is_right"), [("Grower | 119 | 3 | 18", True), ("Grower | 119 | 18 | 18", False)]
)
def test_a_figure_that_prose_says_stands_below_no_other_column(row: str, is_right: bool) -> None:
    veto = Veto(evidence(TILLS, EXTRA), "en")
    header = ("Plan", "Price a month, £", "Tills", "Extra till, £ a month")
    found = veto.violations(Sentence(row, (TILLS.id, EXTRA.id), "model"), "row", header=header)
    assert (found == ()) is is_right


def test_a_price_beside_the_name_of_another_row_is_left_to_the_rules_for_figures() -> None:
    rows = table("9:b1", "What you get | Acorn", "Price per year | £36", "Tool library | 2 tools at a time")
    said = "For a loan of the tool library you need a membership, from £36 a year."
    assert stopped(said, rows) == ()


def test_what_stands_behind_a_label_is_about_it() -> None:
    said = unit("9:b2", "Wild Days open six weeks before. Oak members are 14 days earlier, Hazel members 7.")
    assert stopped("Oak: you want the Wild Days 14 days before the public.", said) == ()
