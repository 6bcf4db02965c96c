"""A figure that a sentence works out passes if the sum is right and starts from figures of the evidence."""

from __future__ import annotations

import pytest

from app.content.drafts import Sentence
from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, model_says, unit

TREES = unit(
    "1:b1",
    "Tree | Tree alone | Tree with post\nApple | €41.50 | €59.20\nPear | €45.00 | €64.90",
    "table",
    header=("Tree", "Tree alone", "Tree with post"),
    rows=(("Apple", "€41.50", "€59.20"), ("Pear", "€45.00", "€64.90")),
    row_heads=1,
)
PRESS = unit("1:b2", "A load of 100 kg gives 65 litres of juice; pressing costs €18.40 a load.")
COURSE = unit(
    "1:b3", "The course costs €624 for 16 evenings; members pay 12 % less. Planting takes 45 min a tree."
)
PLANS = (
    unit("2:b1", "Basic\n€14 a month", "price", path=("Prices", "Basic")),
    unit("2:b2", "Grower\n€32 a month", "price", path=("Prices", "Grower")),
)
ALL = (TREES, PRESS, COURSE, *PLANS)
TOPIC = "What 5 apple trees with posts cost, and what 800 kg of apples give, for 12 months and 128 trees"


def stopped(
    text: str,
    *ids: str,
    topic: str = TOPIC,
    language: str = "en",
    header: tuple[str, ...] = (),
    units: tuple[EvidenceUnit, ...] = ALL,
) -> str:
    veto = Veto(evidence(*units, given=topic), language)
    cells = tuple(text.split(" | ")) if header else ()
    said = Sentence(text, ids, "model", cells=cells) if cells else model_says(text, *ids)
    return "; ".join(veto.violations(said, "table" if header else "p", (), header))


@pytest.mark.parametrize(
    ("text", "source", "wrong"),
    [
        ("With posts at €59.20, 5 apple trees cost €296.", "1:b1", "€298"),
        ("With posts at €59.20, five apple trees cost €296.00.", "1:b1", "€295.90"),
        ("5 × €59.20 = €296 for the apple trees with posts.", "1:b1", "€269"),
        ("An apple tree alone is €41.50, one with post €59.20: the post adds €17.70.", "1:b1", "€17.50"),
        ("100 kg give 65 litres, so 800 kg give 520 litres.", "1:b2", "530 litres"),
        ("100 kg cost €18.40 to press, so 800 kg cost €147.20.", "1:b2", "€147"),
        ("At €624 for 16 evenings, an evening costs €39.", "1:b3", "€38"),
        ("Members pay 12 % less than €624, which saves €74.88.", "1:b3", "€75.88"),
        ("Members pay 12 % less than €624, which is €549.12.", "1:b3", "€539.12"),
        ("At 45 min a tree, 5 trees take 225 min.", "1:b3", "235 min"),
        ("Basic at €14 a month is €168 for 12 months.", "2:b1", "€186"),
    ],
)
def test_a_result_passes_if_the_sum_is_right_and_another_does_not(text: str, source: str, wrong: str) -> None:
    assert stopped(text, source) == ""
    result = next(each for each in RESULTS if each in text)
    assert wrong.strip("€").split()[0] in stopped(text.replace(result, wrong), source)


RESULTS = (
    "€296.00",
    "€296",
    "€17.70",
    "520 litres",
    "€147.20",
    "€39",
    "€74.88",
    "€549.12",
    "225 min",
    "€168",
)


def test_sums_are_repeated_in_other_languages() -> None:
    units = (unit("1:b1", "Ein Baum mit Pfahl kostet 59,20 €, die Lieferung 45 €."),)
    for text, right in (
        ("5 Bäume zu 59,20 € kosten 296 €.", True),
        ("5 Bäume zu 59,20 € kosten 286 €.", False),
        ("Ein Baum für 59,20 € kommt mit der Lieferung für 45 € auf 104,20 €.", True),
        ("Ein Baum für 59,20 € kommt mit der Lieferung für 45 € auf 114,20 €.", False),
    ):
        assert (stopped(text, "1:b1", topic="5 Bäume", language="de", units=units) == "") is right


def test_the_figures_that_a_sum_starts_from_are_in_the_evidence_or_the_topic() -> None:
    assert "296" in stopped("Five apple trees with posts cost €296.", "1:b1"), "the price is not named"
    assert "414.40" in stopped("At €59.20, 7 apple trees with posts cost €414.40.", "1:b1"), "who has 7?"
    assert "295" in stopped("At €59, 5 apple trees with posts cost €295.", "1:b1"), "nobody says €59"
    assert "296" in stopped("At €59.20, 5 apple trees cost €296.", "1:b2"), "it is not in this evidence"


def test_a_result_has_no_owner() -> None:
    hedge = unit(
        "3:b1", "For a hedge, 3 × 59.20 euros = 177.60 euros. Delivery is 45 euros, or 53.55 euros with tax."
    )
    assert stopped("For 5 trees, 5 × 59.20 euros = 296 euros.", "3:b1", units=(hedge,)) == ""
    assert stopped("For 5 trees, 5 × 59.20 euros = 286 euros.", "3:b1", units=(hedge,)) != ""


def test_a_row_works_out_a_figure_from_its_cells_and_its_header() -> None:
    header = ("Tree", "With post", "5 trees")
    assert stopped("Apple | €59.20 | €296", "1:b1", header=header) == ""
    assert stopped("Apple | €59.20 | €286", "1:b1", header=header) != ""
    assert stopped("Apple | €64.90 | €324.50", "1:b1", header=header) != "", "that is the pear's price"
    assert stopped("Apple | 59.20 | 296", "1:b1", header=("Tree", "With post (€)", "5 trees (€)")) == ""
    assert stopped("Apple | €59.20 | €296", "1:b1", header=("Tree", "With post", "All trees")) != ""


def test_years_dates_and_times_of_day_are_no_part_of_a_sum() -> None:
    units = (unit("3:b1", "On 5 May 2024 at 5 pm and at 5 o'clock a tree costs €59.20, in 2031 €60."),)
    for text in (
        "In 2024 it is €59.20, later €2,083.20.",
        "On 5 May a tree is €59.20, and more are €296.",
        "At 5 pm a tree is €59.20, and more are €296.",
    ):
        assert "is not in the evidence" in stopped(text, "3:b1", topic="", units=units)


def test_a_number_of_two_digits_is_a_result_if_it_counts_what_another_figure_counts() -> None:
    units = (unit("3:b1", "A row has 12 trees, and the yard has 7 rows, and the field 25."),)
    for text, right, wrong in (
        ("With 7 rows of 12 trees, the yard has 84 trees.", "84", "83"),
        ("With 25 rows of 12 trees, the field has 300 trees.", "300", "310"),
        ("In 7 rows of 12 trees there are 84 trees.", "84", "19"),
    ):
        assert stopped(text, "3:b1", units=units) == ""
        assert wrong in stopped(text.replace(right, wrong), "3:b1", units=units)
    assert "84" in stopped("With 7 rows of 12 trees, the yard has 84 posts.", "3:b1", units=units)
    assert "84" in stopped("With 7 rows of 12 trees, the yard has 84.", "3:b1", units=units)
    same = "With 7 trees beside 12 trees, there are 84 trees."
    beside = (unit("3:b1", "There are 7 trees beside 12 trees."),)
    assert "84" in stopped(same, "3:b1", units=beside), "trees times trees are no trees"


def test_a_number_of_one_digit_without_a_unit_is_no_result() -> None:
    units = (unit("3:b1", "Ein Korb fasst 12 Hemden, und 48 Hemden sind gewaschen, 16 davon weiß."),)
    said = "Für 48 Hemden und 12 Hemden je Korb reichen 4 Wäschekörbe."
    assert "4" in stopped(said, "3:b1", language="de", topic="", units=units)
    assert "4" in stopped("16 Hemden und 12 Hemden: 4 Hemden.", "3:b1", language="de", topic="", units=units)


def test_two_figures_of_one_unit_differ_by_a_percentage() -> None:
    units = (unit("3:b1", "The course was 80 euros and is 100 euros; 60 members came, then 90 members."),)
    for text, right, wrong in (
        ("From 80 euros to 100 euros is 25 % more.", "25", "30"),
        ("At 80 euros instead of 100 euros it is 20 % less.", "20", "15"),
        ("From 60 members to 90 members is 50 % more.", "50", "66"),
    ):
        assert stopped(text, "3:b1", topic="", units=units) == ""
        assert wrong in stopped(text.replace(right, wrong), "3:b1", topic="", units=units)
    assert "25" in stopped("From 80 euros to 100 members is 25 % more.", "3:b1", topic="", units=units)
    three = "From 80 euros to 100 euros and for 90 euros it is 25 % more."
    more = (unit("3:b1", "It was 80 euros, then 90 euros, and is 100 euros."),)
    assert "25" in stopped(three, "3:b1", topic="", units=more), "of which two?"


def test_a_number_like_a_year_that_counts_things_is_no_year() -> None:
    units = (unit("3:b1", "In eine Kiste passen 500 Flaschen."),)
    for text, is_right in (
        ("4 Kisten mit 500 Flaschen sind 2000 Flaschen.", True),
        ("4 Kisten mit 500 Flaschen sind 2010 Flaschen.", False),
    ):
        assert (stopped(text, "3:b1", topic="4 Kisten", language="de", units=units) == "") is is_right


def test_a_year_is_no_operand_even_before_what_looks_counted() -> None:
    sites = unit("1:b7", "We have 5 sites. In 2025 customers came.")
    said = "With 5 sites in 2025 customers are served, in 2030 customers will be."
    assert "2030" in stopped(said, "1:b7", units=(sites,))


def test_german_am_before_a_day_is_no_time_of_day() -> None:
    text = "Wer 4 am Tag trinkt, trinkt in 125 Tagen 500 Flaschen."
    units = (unit("3:b1", "Man trinkt 4 Flaschen am Tag."),)
    assert stopped(text, "3:b1", topic="125 Tage", language="de", units=units) == ""
    assert "510" in stopped(text.replace("500", "510"), "3:b1", topic="125 Tage", language="de", units=units)
    for time in ("4 am", "4 a.m.", "4 AM", "4am"):
        said = f"Open at {time}: for 125 days it has 500 bottles."
        opens = (unit("3:b1", f"It opens at {time}."),)
        assert "500" in stopped(said, "3:b1", topic="125 days", units=opens)


def test_the_unit_of_a_result_is_that_of_a_figure_before_it() -> None:
    assert "520" in stopped("100 kg give 65 litres, so 800 kg give €520.", "1:b2")
    assert "2684.80" in stopped("€41.50 times €64.90 is €2684.80.", "1:b1"), "euros times euros are none"


def test_one_figure_may_rest_on_a_result_beside_it_and_none_on_that() -> None:
    units = (unit("3:b1", "A tree with post costs €59.20, delivery €45, planting €120."),)
    two = "5 trees at €59.20 cost €296, with delivery for €45 it is €341"
    assert stopped(f"{two}.", "3:b1", units=units) == ""
    assert "351" in stopped(f"{two.replace('341', '351')}.", "3:b1", units=units)
    three = "5 trees at €59.20 cost €296, with €45 it is €341, five times €1,705"
    assert "1,705" in stopped(f"{three}.", "3:b1", units=units)


def test_with_many_figures_nothing_is_worked_out() -> None:
    prices = "€59.20, €64.90, €41.50, €45.00"
    assert stopped(f"Of {prices}, 5 at €59.20 cost €296.", "1:b1") == ""
    assert "296" in stopped(f"Of {prices} and €18.40, 5 at €59.20 of 128 cost €296.", "1:b1", "1:b2")
