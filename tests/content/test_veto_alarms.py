"""What a careful writer says is not stopped, and the falsehood beside it is."""

from __future__ import annotations

import pytest

from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, left_out, model_says, unit


def test_no_name_goes_on_from_the_text_into_a_link() -> None:
    linked = model_says("Die Gründe stehen im Ratgeber [[page:7|Mähen, ohne Tieren zu schaden]].")
    veto = Veto(evidence(unit("7:b1", "Warum wir spät mähen.")), "de")
    assert veto.violations(linked) == ()
    assert veto.violations(model_says("Das schreibt [[page:7|Anna Berger]].")) != ()


def test_a_row_is_judged_with_the_names_of_its_columns() -> None:
    prices = unit(
        "5:b1",
        "Work | Price, each\nBlind holes | £3.10\nDouble caning | £4.20",
        "table",
        header=("Work", "Price, each"),
        rows=(("Blind holes", "£3.10"), ("Double caning", "£4.20")),
        row_heads=1,
    )
    veto = Veto(evidence(prices), "en")
    row = model_says("Blind holes | per hole | 3.10", "5:b1")
    assert veto.violations(row, header=("Work", "Counted", "Price (£)")) == ()
    wrong = model_says("Blind holes | per hole | 4.20", "5:b1")
    assert veto.violations(wrong, header=("Work", "Counted", "Price (£)")) != ()


def test_a_price_with_and_without_zeros_is_one() -> None:
    reduction = unit(
        "5:b2",
        "Leistung | Preis | Dauer\nZuschlag | 9,00 € | plus 3 Werktage\nNachlass | −2,00 € | 10 Werktage",
        "table",
        header=("Leistung", "Preis", "Dauer"),
        rows=(("Zuschlag", "9,00 €", "plus 3 Werktage"), ("Nachlass", "−2,00 €", "10 Werktage")),
        row_heads=1,
    )
    veto = Veto(evidence(reduction), "de")
    assert veto.violations(model_says("Der Nachlass beträgt 2 €.", "5:b2")) == ()
    assert left_out("Der Zuschlag beträgt 2 €.", reduction, language="de") == {"2"}


def test_the_year_of_a_date_may_stand_in_the_heading() -> None:
    veto = Veto(evidence(unit("5:b3", "Saturday 18 April, £98", path=("Dates for 2026",))), "en")
    assert veto.violations(model_says("The next one is on Saturday 18 April 2026 for £98.", "5:b3")) == ()
    assert veto.violations(model_says("The next one is on Saturday 18 May 2026 for £98.", "5:b3")) != ()
    assert veto.violations(model_says("The next one is on Saturday 18 April 2027 for £98.", "5:b3")) != ()


def test_a_range_takes_its_unit_from_the_column() -> None:
    hours = unit(
        "5:b4",
        "Seat | First-timer's hours\nShaped chair | 20 to 25\nStool | 4",
        "table",
        header=("Seat", "First-timer's hours"),
        rows=(("Shaped chair", "20 to 25"), ("Stool", "4")),
        row_heads=1,
    )
    veto = Veto(evidence(hours), "en")
    assert veto.violations(model_says("Shaped chair | 20 to 25 hours", "5:b4")) == ()
    assert veto.violations(model_says("Shaped chair | 30 hours", "5:b4")) != ()


def test_people_between_two_heights_have_both() -> None:
    told = unit("5:b5", "Die Kleinste ist 1,58 Meter groß, der Größte 1,92. Sie teilen sich drei Stiele.")
    said = "Drei Stiele teilen sich Leute zwischen 1,58 und 1,92 Metern."
    assert Veto(evidence(told), "de").violations(model_says(said, "5:b5")) == ()


def test_twenty_one_days_are_21() -> None:
    veto = Veto(evidence(unit("7:b1", "Twenty-one days on Nuc or Colony, without a card.")), "en")
    assert veto.violations(model_says("The trial of Nuc or Colony runs 21 days.", "7:b1")) == ()
    assert veto.violations(model_says("The trial of Nuc or Colony runs one day.", "7:b1")) != ()


def test_a_fraction_of_the_evidence_counts_whatever_follows_it() -> None:
    veto = Veto(evidence(unit("7:b1", "Of the missing pieces about a third were lying in cupboards.")), "en")
    assert veto.violations(model_says("About a third of them lay in cupboards.", "7:b1")) == ()
    assert veto.violations(model_says("About a quarter of them lay in cupboards.", "7:b1")) != ()


SCORES = unit(
    "5:b8",
    "A six-end game won by yellow, 7 to 5\n"
    "End | What happened | Card | Hang it at | Red | Yellow\n"
    "1 | Red scores 2 | 1 | red, over 2 | 2 | 0\n"
    "6 | Yellow scores 4 | 6 | yellow, under 7 | 5 | 7",
    "table",
    caption="A six-end game won by yellow, 7 to 5",
    header=("End", "What happened", "Card", "Hang it at", "Red", "Yellow"),
    rows=(
        ("1", "Red scores 2", "1", "red, over 2", "2", "0"),
        ("6", "Yellow scores 4", "6", "yellow, under 7", "5", "7"),
    ),
    row_heads=1,
)
LEAGUES = unit(
    "6:b1",
    "League | Ends\nDaytime | 6\nLadies' | 8",
    "table",
    header=("League", "Ends"),
    rows=(("Daytime", "6"), ("Ladies'", "8")),
    row_heads=1,
)
SUMS = unit(
    "5:b9",
    "Item | Sum | Amount\nLabour | 42.9 h × £24.50, with on-costs | £1,051\nLorry | 2 visits × £68 | £136",
    "table",
    header=("Item", "Sum", "Amount"),
    rows=(("Labour", "42.9 h × £24.50, with on-costs", "£1,051"), ("Lorry", "2 visits × £68", "£136")),
    row_heads=1,
)


@pytest.mark.parametrize(
    ("row", "is_right"),
    [
        ("1 | Red scores 2 | red, over 2 | 2 | 0", True),
        ("6 | Yellow scores 4 | yellow, under 7 | 5 | 7", True),
        ("6 | Yellow scores 4, hang card 6 under 7 | 5 | 7", True),
        ("6 | Yellow scores 4 | yellow, under 7 | 5 | 0", False),
    ],
)
def test_a_row_with_fewer_or_merged_columns_is_taken_from_one_row(row: str, is_right: bool) -> None:
    found = Veto(evidence(SCORES), "en").violations(model_says(row, "5:b8"), "table")
    assert (found == ()) is is_right


@pytest.mark.parametrize(
    ("row", "is_right"),
    [
        ("Labour | 42.9 h × £24.50, with on-costs | 1,051", True),
        ("Lorry | 2 visits × £68 | 136", True),
        ("Lorry | 2 visits × £68 | 1,051", False),
        ("Lorry | 2 visits × £136 | 68", False),
    ],
)
def test_a_row_may_have_its_own_names_of_columns(row: str, is_right: bool) -> None:
    header = ("Item", "How it is worked out", "Amount (£)")
    found = Veto(evidence(SUMS), "en").violations(model_says(row, "5:b9"), "table", header=header)
    assert (found == ()) is is_right


def test_a_taken_row_has_its_figures_below_their_columns() -> None:
    hanks = unit(
        "5:b10",
        "Number | Full hank | Half hank\nNo. 1 | £23.50 | £13.00\nNo. 2 | £21.00 | £11.75",
        "table",
        header=("Number", "Full hank", "Half hank"),
        rows=(("No. 1", "£23.50", "£13.00"), ("No. 2", "£21.00", "£11.75")),
    )
    veto = Veto(evidence(hanks), "en")
    row = model_says("No. 2 | 21.00 | 11.75", "5:b10")
    assert veto.violations(row, "table", header=("Cane", "Full hank (£)", "Half hank (£)")) == ()
    assert veto.violations(row, "table", header=("Cane", "Half hank (£)", "Full hank (£)")) != ()


def test_a_figure_may_be_from_a_caption_with_words_of_the_sentence() -> None:
    told = unit(
        "5:b11",
        "Measured with six members\nShot | Steps\nGuard | 3",
        "table",
        caption="Measured with six members",
        header=("Shot", "Steps"),
        rows=(("Guard", "3"),),
        row_heads=1,
    )
    veto = Veto(evidence(SCORES, LEAGUES, told), "en")
    assert veto.violations(model_says("Yellow wins this six-end game, 7 to 5.", "5:b8")) == ()
    measured = "Those of the Daytime league measured it with six members."
    assert veto.violations(model_says(measured, "5:b11", "6:b1")) == ()
    assert left_out("The Daytime league plays eight ends.", told, LEAGUES) != set()


@pytest.mark.parametrize(
    ("row", "is_right"),
    [
        ("Labour | 1,051", True),
        ("Labour | 136", False),
        ("Labour | 7", True),
    ],
)
def test_a_figure_alone_is_that_of_the_row_of_this_name(row: str, is_right: bool) -> None:
    told = unit("5:b12", "The gang of seven comes first.")
    veto = Veto(evidence(SUMS, told), "en")
    found = veto.violations(model_says(row, "5:b9", "5:b12"), "table", header=("Item", "People or £"))
    assert (found == ()) is is_right


def test_a_german_noun_is_no_name() -> None:
    bench = unit("5:b13", "In jeder dritten sitzt die falsche Nadel. Zu uns nach Köln kommen 180 im Jahr.")
    prices = unit("6:b2", "Preise der Werkstatt: Inspektion 89 €. Jonas Riedl näht.")
    veto = Veto(evidence(bench, prices), "de")
    of_place = "In unserer Kölner Theke sitzt in jeder dritten die falsche Nadel."
    assert veto.violations(model_says(of_place, "5:b13")) == ()
    behind_article = "Fragen Sie die Kölner Nadel Werkstatt."
    assert veto.violations(model_says(behind_article, "5:b13")) == ()
    assert veto.violations(model_says("In jeder dritten fand Jonas Riedl die falsche Nadel.", "5:b13")) != ()
    assert veto.violations(model_says("In unserer Bonner Theke sitzt die falsche Nadel.", "5:b13")) != ()


def test_a_german_compound_of_the_evidence_is_what_its_last_part_says() -> None:
    veto = Veto(evidence(unit("5:b14", "Halten Sie Ausschau nach Warnzeichen.")), "de")
    assert veto.violations(model_says("Wer nach Zeichen Ausschau hält, kauft besser.", "5:b14")) == ()
    assert veto.violations(model_says("Wer nach Riedl Ausschau hält, kauft besser.", "5:b14")) != ()


def test_a_german_noun_before_a_pronoun_is_no_name() -> None:
    veto = Veto(evidence(unit("5:b16", "Worauf man beim Kauf achtet.")), "de")
    assert veto.heading_violations("Bei welchen Zeichen Sie das Gerät stehen lassen") == ()
    assert veto.heading_violations("Bei welchen Zeichen Anna das Gerät stehen lässt") != ()


def test_an_ordinal_of_a_date_ends_no_clause() -> None:
    until = unit("5:b15", "Alle Preise enthalten 19 % und gelten vom 1. Januar 2026 bis 31. Dezember 2026.")
    veto = Veto(evidence(until), "de")
    assert veto.violations(model_says("Die Preise gelten bis 31. Dezember 2026.", "5:b15")) == ()
    assert veto.violations(model_says("Die Preise gelten bis 31. Januar 2026.", "5:b15")) != ()


def test_both_days_are_two_days() -> None:
    veto = Veto(evidence(unit("5:b21", "The £195 covers soup and bread on both days.")), "en")
    assert veto.violations(model_says("The two-day weekend is £195.", "5:b21")) == ()
    assert veto.violations(model_says("The three-day weekend is £195.", "5:b21")) != ()


def test_what_stands_behind_a_colon_may_be_counted() -> None:
    words = "Fees are charged at cost. Extensions cost more."
    quoted = Veto(evidence(unit("5:b22", f'Put this in the quote: "{words}"')), "en")
    assert quoted.violations(model_says(f'Two sentences settle it: "{words}"', "5:b22")) == ()
    assert quoted.violations(model_says(f'Three sentences settle it: "{words}"', "5:b22")) != ()
    choice = "The other skip chooses: take it off, leave everything where it is, or place the stones."
    skip = Veto(evidence(unit("5:b23", choice)), "en")
    assert skip.violations(model_says("The other skip has a choice of three.", "5:b23")) == ()
    assert skip.violations(model_says("The other skip has a choice of four.", "5:b23")) != ()
