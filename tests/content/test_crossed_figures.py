"""Figures that have changed places are stopped, and a sentence that keeps them in place is not."""

from __future__ import annotations

import pytest

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, model_says, unit


def stopped(text: str, *told: EvidenceUnit, language: str = "en") -> tuple[str, ...]:
    veto = Veto(evidence(*told), language)
    return veto.violations(model_says(text, *(each.id for each in told)))


@pytest.mark.parametrize(
    ("told", "right", "wrong"),
    [
        (
            "Autumn honey is on average 6–8% drier than honey in May; heather honey can be 15% drier.",
            "Autumn honey is 6–8% drier than in May, and heather honey can be 15% drier.",
            "Heather honey is 6–8% drier than in May, and autumn honey can be 15% drier.",
        ),
        (
            "One keeper fills about 75 jars an hour with a pump, or 30 by ladle.",
            "With a pump, a keeper fills about 75 jars an hour, or 30 by ladle.",
            "By ladle, a keeper fills about 75 jars an hour, or 30 with a pump.",
        ),
        (
            "Within 20 miles we bring a hive for £24, from 20 to 50 miles for £38.",
            "We bring it for £24 within 20 miles, or £38 from 20 to 50 miles.",
            "We bring it for £38 within 20 miles, or £24 from 20 to 50 miles.",
        ),
        (
            "Files of Hive 1.x begin: 03 D9 65 FB\nCombs of Hive 2.x begin: 03 D9 67 FB",
            "Combs begin with 67 FB, files with 65 FB.",
            "Combs begin with 65 FB, files with 67 FB.",
        ),
    ],
)
def test_two_figures_do_not_change_places(told: str, right: str, wrong: str) -> None:
    assert stopped(right, unit("1:b1", told)) == ()
    assert any("other way round" in each for each in stopped(wrong, unit("1:b1", told)))


@pytest.mark.parametrize(
    ("language", "told", "wrong"),
    [
        (
            "de",
            "Ein Blatt bis 60 cm kostet 14 €, ein Forstblatt 20 €.",
            "Ein Forstblatt kostet 14 €, ein Blatt bis 60 cm 20 €.",
        ),
        (
            "fr",
            "Le miel d’été pèse 6 kg par hausse, le miel de lavande 15 kg.",
            "Le miel de lavande pèse 6 kg par hausse, le miel d’été 15 kg.",
        ),
        (
            "es",
            "La miel de verano pesa 6 kg, la miel de lavanda pesa 15 kg.",
            "La miel de lavanda pesa 6 kg, la miel de verano pesa 15 kg.",
        ),
        (
            "ru",
            "Летний мёд весит 6 кг, лавандовый мёд весит 15 кг.",
            "Лавандовый мёд весит 6 кг, летний мёд весит 15 кг.",
        ),
        ("ja", "夏の蜂蜜は6kg、ラベンダーの蜂蜜は15kgです。", "ラベンダーの蜂蜜は6kg、夏の蜂蜜は15kgです。"),
        ("zh", "夏季蜂蜜重6公斤，薰衣草蜂蜜重15公斤。", "薰衣草蜂蜜重6公斤，夏季蜂蜜重15公斤。"),
    ],
)
def test_two_figures_do_not_change_places_in_any_language(language: str, told: str, wrong: str) -> None:
    assert stopped(told, unit("1:b1", told), language=language) == ()
    assert any("other way round" in e for e in stopped(wrong, unit("1:b1", told), language=language))


def test_figures_of_two_pieces_of_evidence_do_not_change_places() -> None:
    told = unit("1:b1", "A wooden hive lasts 20 to 30 years."), unit("2:b1", "Polystyrene: 12 to 15 years.")
    assert stopped("A wooden hive lasts 20 to 30 years, polystyrene 12 to 15.", *told) == ()
    assert stopped("Polystyrene lasts 20 to 30 years, a wooden hive 12 to 15.", *told) != ()


def test_a_statement_with_both_figures_as_the_sentence_has_them_is_enough() -> None:
    told = (
        unit("1:b1", "In spring a hive weighs 12 kg, in autumn 40 kg."),
        unit("2:b1", "In autumn the big hive of the school weighs 12 kg more, in spring 40 kg less."),
    )
    assert stopped("A hive weighs 12 kg in spring, 40 kg in autumn.", *told) == ()
    assert stopped("A hive weighs 40 kg in spring, 12 kg in autumn.", *told[:1]) != ()


def test_figures_of_two_kinds_have_no_places_to_change() -> None:
    told = unit("1:b1", "In 2021 we counted 19 species on a plot of 25 m², in 2025 31.")
    assert stopped("On 25 m² grew 19 species in 2021, in 2025 it was 31.", told) == ()


def test_what_a_figure_is_put_equal_to_is_from_its_evidence() -> None:
    told = (
        unit("1:b1", "With one visit more the need falls to 60 + 32 = 92, or 3.2 boxes a hive."),
        unit("2:b1", "In boxes | 118 ÷ 33 = 3.6"),
    )
    assert stopped("The need falls to 92, or 3.2 boxes a hive.", *told) == ()
    assert any("has 3.2" in each for each in stopped("The need falls to 92, or 3.6 boxes a hive.", *told))


def test_a_date_belongs_to_the_words_of_its_clause() -> None:
    told = unit("1:b1", "Links davon mähen wir die Wiese am 15. Juni, rechts den Hang am 10. Juli.")
    assert stopped("Am 10. Juli mähen wir den Hang rechts davon.", told, language="de") == ()
    assert stopped("Am 10. Juli mähen wir links die Wiese.", told, language="de") != ()


def test_two_words_of_another_clause_move_a_figure_beside_others() -> None:
    told = unit(
        "1:b1",
        "In 2022 the club spent £31,400 on repairs. The nine new hives cost £23,000 with their stands.",
    )
    assert stopped("The nine new hives cost £23,000.", told) == ()
    assert stopped("The nine new hives cost £31,400.", told) != ()
    assert stopped("In 2022 the club spent £31,400 on repairs.", told) == ()


def test_an_hour_in_a_cell_is_the_figure_of_its_column() -> None:
    rows = (("First swarm caught", "within half an hour", "about an hour"),)
    table = unit(
        "1:b1",
        " | Net | Box\nFirst swarm caught | within half an hour | about an hour",
        "table",
        header=("", "Net", "Box"),
        rows=rows,
        row_heads=1,
    )
    assert (
        stopped(
            "You catch your first swarm within half an hour with the net, in an hour with the box.", table
        )
        == ()
    )
    assert (
        stopped(
            "You catch your first swarm within half an hour with the box, in an hour with the net.", table
        )
        != ()
    )


def test_two_rows_of_a_table_do_not_exchange_their_figures() -> None:
    table = unit(
        "1:b1",
        "Tool | Price\nPeg with two caps and a hammer | £75\nAnvil and a hammer | £67",
        "table",
        header=("Tool", "Price"),
        rows=(("Peg with two caps and a hammer", "£75"), ("Anvil and a hammer", "£67")),
        row_heads=1,
    )
    assert stopped("The peg with its caps costs £75, the anvil £67.", table) == ()
    assert stopped("The anvil costs £75, the peg with its caps £67.", table) != ()


@pytest.mark.parametrize(
    ("known", "said"),
    [
        (
            "1,600 slides at Print cost £624. In summer it is £549.",
            "For 1,600 slides at Print that makes £549 instead of £624.",
        ),
        (
            "The choice has to be locked within 21 days. One extension of up to 14 days is free.",
            "One extension of the 21 days, by up to 14 days, is free.",
        ),
    ],
)
def test_a_word_of_one_sentence_of_the_evidence_may_hold_for_the_figure_of_the_next(
    known: str, said: str
) -> None:
    assert stopped(said, unit("1:b1", known)) == ()


def test_figures_of_two_sentences_that_both_have_the_others_words_are_crossed() -> None:
    known = unit("1:b1", "In winter the school costs £624. In summer the camp costs £549.")
    assert stopped("The camp costs £624 in summer, and the school £549 in winter.", known) != ()


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("The six-week programme costs £1,320 and the twelve-week programme £2,460.", True),
        ("The twelve-week programme costs £1,320 and the six-week programme £2,460.", False),
    ],
)
def test_figures_that_name_rows_stand_beside_what_their_own_row_says(text: str, is_right: bool) -> None:
    rows = (("Six-week programme, half-days", "£1,320"), ("Twelve-week programme, half-days", "£2,460"))
    lines = "\n".join(map(" | ".join, rows))
    prices = unit("1:b1", f"Visit | Price\n{lines}", "table", header=("Visit", "Price"), rows=rows)
    assert (stopped(text, prices) == ()) is is_right


def test_a_figure_times_another_is_not_in_its_place() -> None:
    rows = (("Seam, a metre", "£9"), ("All seams of a main sail, 24 metres", "£216"))
    lines = "\n".join(map(" | ".join, rows))
    prices = unit("1:b1", f"Work | Price\n{lines}", "table", header=("Work", "Price"), rows=rows)
    assert stopped("All seams of a main sail take 24 metres at £9, which makes £216.", prices) == ()
