"""True sums, names and commands that rules once sent back pass, and the falsehoods beside them do not."""

from __future__ import annotations

import pytest

from app.content.drafts import Sentence
from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, left_out, model_says, unit


def table(
    unit_id: str, header: tuple[str, ...], *rows: tuple[str, ...], path: tuple[str, ...] = ()
) -> EvidenceUnit:
    text = "\n".join(" | ".join(cells) for cells in (header, *rows))
    return unit(unit_id, text, "table", path, header=header, rows=rows)


LETTER = unit("1:b1", "Denise wrote to 400 keepers. Eleven complained and three left the club.")
LOSSES = table(
    "1:b2", ("Feed", "Lost hives per 100", "Weak hives"), ("None", "7.1", "9.4"), ("25%", "1.7", "8.2")
)
PLANS = table(
    "1:b3",
    ("", "Solo", "House"),
    ("Units (hives, nuclei)", "up to 20", "up to 60"),
    ("Per year", "£290", "£720"),
)
GRADES = table(
    "1:b4", ("Hive", "Wood", "Grade B", "Grade A"), ("Langstroth", "Pine", "£145", "£185"),
    ("Dadant", "Pine", "£175", "£225"),
)  # fmt: skip
SERVICE = table("1:b5", ("Service", "Hive", "Nucleus"), ("Sieving, per sieve", "+£2.50", "+£3.10"))
VETO = Veto(evidence(LETTER, LOSSES, PLANS, GRADES, SERVICE), "en")


def stopped(text: str, *ids: str) -> str:
    return "; ".join(VETO.violations(model_says(text, *ids)))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("Three keepers left, which is 3 ÷ 400 = 0.75%.", ("0.75%", "7.5%")),
        ("The share of those who left is 3 : 400 = 0.75%.", ("0.75%", "75%")),
    ],
)
def test_a_part_may_be_given_in_per_cent(right: str, wrong: tuple[str, str]) -> None:
    assert stopped(right, "1:b1") == ""
    assert wrong[1].rstrip("%") in stopped(right.replace(*wrong), "1:b1")


def test_a_difference_with_its_sign_says_of_no_figure_whose_it_is() -> None:
    right = "Keepers who feed 25% lost 7.1 − 1.7 = 5.4 fewer hives per 100 than those who feed none."
    assert stopped(right, "1:b2") == ""
    assert "5.6" in stopped(right.replace("5.4", "5.6"), "1:b2")
    assert "7.1" in left_out("Keepers who feed 25% lost 7.1 hives per 100.", LOSSES)


def test_an_amount_of_money_may_be_rounded_where_it_is_said_to_be_about_so_much() -> None:
    club = unit("7:b1", "The club saved £9,600 in a year, with 88 hives.")
    assert name_stopped("£9,600 divided by 88 hives comes to about £109 each.", club) == ""
    assert "109" in name_stopped("£9,600 divided by 88 hives comes to £109 each.", club)
    assert "119" in name_stopped("£9,600 divided by 88 hives comes to about £119 each.", club)


def test_a_factor_may_stand_in_the_words_before_its_operation() -> None:
    assert stopped("Four sieves cost 4 × £2.50 = £10.00.", "1:b5") == ""
    assert "Four" in stopped("Four sieves cost 3 × £2.50 = £7.50.", "1:b5")


@pytest.mark.parametrize(
    ("text", "figure"),
    [
        ("The warranty lasts 5 years, and 5 × £2.50 = £12.50 covers the sieves.", "5"),
        ("With a 10% discount, 10 × £2.50 = £25.00.", "10"),
        ("We won four awards, and sieving costs 4 × £2.50 = £10.00.", "four"),
        ("Three of 400 left; the fee rose by 0.75%.", "0.75"),
    ],
)
def test_figures_that_have_only_the_value_of_a_factor_or_share_do_not_pass(text: str, figure: str) -> None:
    assert figure in stopped(text, "1:b1", "1:b5")


def test_a_sum_of_the_figures_of_another_plan_does_not_pass() -> None:
    year = table("8:b1", ("Plan", "Per year", "Set-up"), ("Solo", "£290", "£40"), ("House", "£720", "£90"))
    assert "720" in left_out("The Solo plan costs £720 + £90 = £810 in the first year.", year)


def test_a_small_price_that_some_figures_give_by_chance_does_not_pass() -> None:
    club = unit("7:b1", "A hive costs £240, and the club has 37 members.")
    assert "6" in name_stopped(
        "A hive costs £240, the club has 37 members, and a smoker costs about £6.", club
    )


def test_a_remark_in_brackets_is_no_part_of_a_name() -> None:
    right = "The Solo plan is for up to 20 units, and the House plan for up to 60."
    assert stopped(right, "1:b3") == ""
    assert "20" in left_out("The House plan is for up to 20 units.", PLANS)


def test_a_word_that_several_columns_share_names_none_of_them() -> None:
    assert stopped("A Langstroth is £145 or £185, depending on its grade.", "1:b4") == ""
    assert left_out("A Langstroth of Grade A is £145.", GRADES) == {"Langstroth", "Grade A"}


def name_stopped(text: str, *units: EvidenceUnit) -> str:
    veto = Veto(evidence(*units), "en")
    return "; ".join(veto.violations(model_says(text, *(each.id for each in units))))


def test_a_row_may_join_two_tables_and_name_a_column_like_their_first() -> None:
    films = table(
        "6:b1",
        ("Film", "Type", "Format", "Price per roll"),
        ("Ilford HP5 Plus 400", "Black and white", "35mm, 36 exp.", "£8.90"),
        ("Kodak Portra 400", "Colour negative", "35mm, 36 exp.", "£17.80"),
    )
    lab = table(
        "6:b2",
        ("Service", "35mm", "Turnaround"),
        ("Black and white (D-76)", "£9.00", "3 days"),
        ("Colour negative (C-41)", "£7.50", "2 days"),
        path=("Developing",),
    )
    veto = Veto(evidence(films, lab), "en")
    header = ("Film", "Type", "Format", "Film (£)", "Developing (£)")

    def row(*cells: str) -> tuple[str, ...]:
        sentence = Sentence(" | ".join(cells), ("6:b1", "6:b2"), "model", cells=cells)
        return veto.violations(sentence, "table", header=header)

    hp5 = ("Ilford HP5 Plus 400", "Black and white", "35mm")
    assert row(*hp5, "8.90", "9.00") == ()
    assert row(*hp5, "17.80", "9.00") != ()
    assert row(*hp5, "8.90", "7.50") != ()
    assert row(*hp5, "9.00", "8.90") != (), "in each other's place"
    assert row("Ilford HP5 Plus 400", "Colour negative", "35mm", "8.90", "7.50") != (), "of another type"


def test_a_result_that_is_written_out_may_be_a_figure_of_something_else_too() -> None:
    years = table(
        "1:b6", ("", "Pine", "Oak"), ("Service", "£69", "£89"), ("Years", "10 and more", "20 and more")
    )
    veto = Veto(evidence(years), "en")
    assert veto.violations(model_says("A service of oak is £89 − £69 = £20 dearer.", "1:b6")) == ()
    assert "10" in left_out("A service of oak is £89 − £69 = £10 dearer.", years)
    assert left_out("A service costs £20.", years) == {"20"}


def test_an_age_with_a_plural_is_no_time_in_seconds() -> None:
    ages = unit("1:b6", "Hives of more than 25 years get a brass tag, the frame takes 40 seconds.")
    veto = Veto(evidence(ages), "en")
    assert veto.violations(model_says("The over-25s get a brass tag.", "1:b6")) == ()
    assert veto.violations(model_says("The frame takes 25s.", "1:b6")) != ()
    assert veto.violations(model_says("The sub-25s frame gets a brass tag.", "1:b6")) != ()


def test_a_clause_of_nothing_but_a_figure_gives_it_to_no_thing() -> None:
    said = "14 days, money back, for any reason. A used hive can go on the plan if you join within 30 days."
    veto = Veto(evidence(unit("1:b6", said)), "en")
    assert veto.violations(model_says("A used hive comes back within 14 days for your money.", "1:b6")) == ()
