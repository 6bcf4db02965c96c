"""What a careful writer says is not stopped, and the falsehood beside it is."""

from __future__ import annotations

from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, model_says, unit


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
    assert veto.violations(model_says("Der Zuschlag beträgt 2 €.", "5:b2")) != ()


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


def test_a_word_of_another_clause_alone_moves_no_figure() -> None:
    told = unit("6:b1", "Renting a bike costs £30 a day, and you pay a deposit of £100.")
    veto = Veto(evidence(told), "en")
    assert veto.violations(model_says("You pay £30 a day.", "6:b1")) == ()
    assert veto.violations(model_says("You pay a deposit of £30.", "6:b1")) != ()
