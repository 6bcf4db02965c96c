"""What is left out of a sentence for a verifier, and which readings of the evidence confirm it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.content.drafts import Paragraph, Sentence
from app.content.evidence.units import EvidenceUnit
from app.content.writing.article.blank_places import Blank
from app.content.writing.article.cloze import Cloze, Clozes
from app.content.writing.article.draft import Draft, Part
from tests.support.article_material import evidence, model_says, unit

PLANS = unit(
    "1:b1",
    "Plan | Monthly price | Seats\nSolo | £14 | 1\nCrew | £39 | 5",
    "table",
    header=("Plan", "Monthly price", "Seats"),
    rows=(("Solo", "£14", "1"), ("Crew", "£39", "5")),
)
PEOPLE = unit(
    "1:b2", "As a roofer Dilys Anwyl swept flues for eleven years, and then Teo Marchbanks for four years."
)
TERMS = unit(
    "1:b3",
    "A block runs out after 12 months, a voucher after 18. Reminders go out 14 days before, not 7 days.",
)
BUS = unit("1:b4", "The bus leaves at 17:30, and on Sundays at 18:15.")
ROPE = unit("1:b5", "Where the Lapwing takes 1.9 m of rope, the Heron takes 2.3 m, and both are black.")
CODE = unit("1:b6", "max_age says how long to wait, min_age for how long at least.")
OPTIONS = unit("1:b7", "--ver prints the version, --ask what it is for.")
UNITS = (PLANS, PEOPLE, TERMS, BUS, ROPE, CODE, OPTIONS)


def made_of(
    sentence: Sentence, kind: Any = "p", units: tuple[EvidenceUnit, ...] = UNITS, language: str = "en"
) -> Cloze:
    shown = evidence(*units)
    paragraph = Paragraph(kind, (sentence,), PLANS.header if sentence.cells else ())
    (statement,) = Draft((Part("section", "", (paragraph,)),)).statements
    return Clozes(shown, language).of(statement)


def made(text: str, *ids: str, kind: Any = "p") -> Cloze:
    return made_of(model_says(text, *ids), kind)


@pytest.mark.parametrize(
    ("text", "of", "shown"),
    [
        # A figure that the evidence has beside another.
        ("A block expires after twelve months.", "1:b3", "A block expires after {a} months."),
        # Of a table the figures, or the plan where there are none.
        ("Crew costs £39 a month.", "1:b1", "Crew costs £{a} a month."),
        ("Small schools are best off with Crew.", "1:b1", "Small schools are best off with {a}."),
        # A name, whole, and the figures beside it.
        (
            "For eleven years Dilys Anwyl swept flues.",
            "1:b2",
            "For {a} years {b} swept flues.",
        ),
        ("It is Marchbanks's firm.", "1:b2", "It is {a}'s firm."),
        # Of two things and their figures one stays.
        (
            "The Lapwing takes 1.9 m and the Heron 2.3 m.",
            "1:b5",
            "The {a} takes {b} m and the Heron {c} m.",
        ),
        # An option or a setting of two.
        ("To wait, set max_age.", "1:b6", "To wait, set {a}."),
        ("To print the version, use --ver.", "1:b7", "To print the version, use --{a}."),
        ("Of max_age you need less than of min_age.", "1:b6", "Of {a} you need less than of min_age."),
        ("In black come Lapwing and Heron.", "1:b5", "In black come {a} and {b}."),
        ("It leaves at half past five.", "1:b4", "It leaves at {a}."),
    ],
)
def test_what_could_be_another_s_is_left_out(text: str, of: str, shown: str) -> None:
    assert made(text, of).text == shown


@pytest.mark.parametrize(
    "sentence",
    [
        model_says("At £39 a month, Crew is the larger plan."),  # without evidence
        model_says("Two weeks later it is over.", "1:b4"),  # a figure that the evidence does not have
        model_says("She says “it was eleven years”.", "1:b2"),
        Sentence("Set `limit 12` there.", ("1:b3",), "model", code=(("limit 12", 0),)),
        model_says("Give it min_age and max_age.", "1:b6"),
        model_says("Type A12 is no x12z14, nor HB3 7QT or 12-in-14.", "1:b3"),  # numbers of names
        model_says("It costs £25 more.", "1:b1"),  # the difference is worked out
    ],
)
def test_nothing_is_left_out_of_what_rules_compare_alone(sentence: Sentence) -> None:
    assert made_of(sentence).blanks == ()


def test_a_figure_without_another_beside_it_stays() -> None:
    bare = unit("1:b1", "The deposit is £40.")
    assert made_of(model_says("There is a £40 deposit.", "1:b1"), units=(bare,)).blanks == ()


def test_of_a_row_the_figures_are_left_out_behind_its_name() -> None:
    row = replace(model_says("Crew | £39 | 5", "1:b1"), cells=("Crew", "£39", "5"))
    assert made_of(row, "table").text == "Row of a table: Plan = Crew; Monthly price = £{a}; Seats = {b}"


def test_a_line_of_code_is_shown_whole() -> None:
    assert made("limit 12 --after 14", "1:b3", kind="code").text == "Line of code: limit 12 --after 14"


@pytest.mark.parametrize(
    ("text", "of", "reading"),
    [
        ("A block expires after twelve months.", "1:b3", "12"),
        ("A block expires after twelve months.", "1:b3", "12 months"),
        ("The reminder comes two weeks before.", "1:b3", "14 days"),
        ("It leaves at half past five.", "1:b4", "17:30"),
        ("Crew costs £39 a month.", "1:b1", "£39"),
        ("Small schools are best off with Crew.", "1:b1", "Solo; Crew"),
        ("It is Marchbanks's firm.", "1:b2", "Teo Marchbanks"),
        ("It is Dilys Anwyl's firm.", "1:b2", "Dilys"),
    ],
)
def test_a_reading_of_the_evidence_in_its_own_words_confirms_a_sentence(
    text: str, of: str, reading: str
) -> None:
    assert list(made(text, of).faults([reading])) == []


@pytest.mark.parametrize(
    ("text", "of", "reading", "fault"),
    [
        ("Crew costs £14 a month.", "1:b1", "£39", "in the place of “14” the evidence has “£39”"),
        ("It is Dilys Anwyl's firm.", "1:b2", "Teo", "in the place of “Dilys Anwyl” the evidence has “Teo”"),
        ("Crew costs £39 a month.", "1:b1", " ", "the evidence names nothing in the place of “39”"),
    ],
)
def test_another_reading_is_a_fault(text: str, of: str, reading: str, fault: str) -> None:
    assert list(made(text, of).faults([reading])) == [fault]


def test_a_verifier_that_reads_nothing_confirms_no_blank() -> None:
    cloze = made("For eleven years Dilys Anwyl swept flues.", "1:b2")
    assert len(list(cloze.faults([]))) == 2


def test_a_verifier_that_lists_whatever_there_is_confirms_nothing() -> None:
    everything = "£14; £15; £16; £17; £18; £39"
    assert len(list(made("Crew costs £39 a month.", "1:b1").faults([everything]))) == 1


def test_what_is_true_of_several_things_is_read_for_one_of_them_throughout() -> None:
    rope = made("The Lapwing takes 2.3 m of it.", "1:b5")
    assert rope.text == "The {a} takes {b} m of it."
    assert len(list(rope.faults(["Lapwing; Heron", "1.9; 2.3"]))) == 1
    assert list(rope.faults(["Heron; Lapwing", "1.9; 2.3"])) == []


def test_names_that_a_list_has_side_by_side_may_be_read_in_either_order() -> None:
    assert list(made("In black come Lapwing and Heron.", "1:b5").faults(["Heron", "Lapwing"])) == []
    apart = made("Unlike Lapwing, in black comes Heron.", "1:b5")
    assert len(list(apart.faults(["Heron", "Lapwing"]))) == 2


def test_each_figure_of_a_range_is_read_by_itself() -> None:
    lengths = made("They take from 1.9 to 2.3 m.", "1:b5")
    assert lengths.text == "They take from {a} to {b} m."
    assert list(lengths.faults(["1.9", "2.3"])) == []
    assert len(list(lengths.faults(["2.3", "1.9"]))) == 2


def test_two_figures_side_by_side_are_two() -> None:
    shown = made("After 14 12-month blocks it is over.", "1:b3").text
    assert shown == "After {a} {b}-month blocks it is over."


def test_a_year_beside_a_name_is_a_blank_of_its_own() -> None:
    shop = unit("1:b1", "Our shop opened in 2019 with Anna Lee; in 2022 came Tom Hay.")
    cloze = made_of(model_says("In 2019 Anna Lee began.", "1:b1"), units=(shop,))
    assert cloze.text == "In {a} {b} began."
    assert list(cloze.faults(["2019", "Anna Lee"])) == []
    assert len(list(cloze.faults(["2019", "Tom Hay"]))) == 1


@pytest.mark.parametrize("reading", ["£14 or £39", "£14, £39", "£39 (Crew), £14 (Solo)"])
def test_figures_that_are_listed_in_prose_confirm_none(reading: str) -> None:
    assert len(list(made("Crew costs £39 a month.", "1:b1").faults([reading]))) == 1


def test_names_are_compared_with_their_numbers_and_options_to_the_letter() -> None:
    teams = unit("1:b1", "Team 5 weighs the hives and Team 10 feeds them, with Anna Lee.")
    cloze = made_of(model_says("Ask Team 5 to weigh them.", "1:b1"), units=(teams,))
    assert [blank.sort for blank in cloze.blanks] == ["name"]
    assert len(list(cloze.faults(["Team 10"]))) == 1
    options = unit("1:b1", "-v prints the version, -V says more of it.")
    cloze = made_of(model_says("To print the version, use -v.", "1:b1"), units=(options,))
    assert len(list(cloze.faults(["-V"]))) == 1
    assert list(cloze.faults(["`-v`"])) == []


def test_what_a_hyphen_joins_may_be_read_in_words_and_no_half_of_it_is_enough() -> None:
    said = unit("1:b1", "There is TLS encrypted syslog, and RELP for EU countries, not for Non-EU countries.")
    cloze = made_of(model_says("Take TLS-encrypted syslog for it.", "1:b1"), units=(said,))
    assert list(cloze.faults(["TLS encrypted syslog"])) == []
    cloze = made_of(model_says("It is for Non-EU countries.", "1:b1"), units=(said,))
    assert len(list(cloze.faults(["EU countries"]))) == 1


@pytest.mark.parametrize(
    "text", ["You choose between two plans.", "The larger plan lasts twice as long.", "Five things matter:"]
)
def test_counts_and_factors_are_no_figures_of_the_evidence(text: str) -> None:
    seats = unit("1:b1", "Solo has 2 seats, Crew has 5 seats, and each of them 10 more a month.")
    assert made_of(model_says(text, "1:b1"), units=(seats,)).blanks == ()


@pytest.mark.parametrize(
    ("language", "said", "text", "shown"),
    [
        (
            "ja",
            "基本コースは月額4,500円、長いコースは月額8,000円です。",
            "長いコースは月額8,000円です。",
            "長いコースは月額{a}円です。",
        ),
        (
            "de",
            "Der Bus fährt um 17.30 Uhr, am Sonntag um 18.15 Uhr.",
            "Er fährt um 17.30 Uhr.",
            "Er fährt um {a} Uhr.",
        ),
        (
            "fr",
            "Le cours coûte 1 200 € et commence à 9h30, l’atelier 1 400 € et à 10h15.",
            "L’atelier coûte 1 400 € et commence à 10h15.",
            "L’atelier coûte {a} € et commence à {b}.",
        ),
        (
            "fr",
            "Le cours dure 3 heures, l’atelier 5 heures.",
            "L’atelier dure 5 heures.",
            "L’atelier dure {a} heures.",
        ),
    ],
)
def test_figures_are_left_out_in_every_script(language: str, said: str, text: str, shown: str) -> None:
    cloze = made_of(model_says(text, "1:b1"), units=(unit("1:b1", said),), language=language)
    assert cloze.text == shown
    assert list(cloze.faults([blank.written for blank in cloze.blanks])) == []


def test_spaces_between_thousands_make_no_difference() -> None:
    said = unit("1:b1", "Le cours coûte 1 200 €, l’atelier 1 400 €.")
    cloze = made_of(model_says("L’atelier coûte 1 400 €.", "1:b1"), units=(said,), language="fr")
    assert list(cloze.faults(["1 400 €"])) == list(cloze.faults(["1400"])) == []
    assert len(list(cloze.faults(["1 200 €"]))) == 1


def test_a_sentence_with_braces_of_its_own_is_shown_as_it_is() -> None:
    assert made("Write {a} where Crew costs £39.", "1:b1").blanks == ()


def test_a_day_or_month_may_be_read_in_short() -> None:
    season = unit("9:b1", "1 Oct to 30 Apr: £40 a month.")
    cloze = made_of(model_says("From 1 October on you pay £40 a month.", "9:b1"), units=(season,))
    assert "{a}" in cloze.text
    assert list(cloze.faults(["1 Oct"])) == []
    assert list(cloze.faults(["30 Apr"])) != []
    opening = Cloze("We open on {a}.", (Blank(11, 19, "Saturday", "name"),), "en")
    assert list(opening.faults(["Sat"])) == []
    assert list(opening.faults(["Sun"])) != []
    weekly = Cloze("We open on {a}.", (Blank(11, 20, "Saturdays", "name"),), "en")
    assert list(weekly.faults(["Sat"])) == []


def test_a_plural_of_initials_may_be_read_in_full() -> None:
    cloze = Cloze("Some {a} have radio.", (Blank(5, 10, "ABSes", "name"),), "en")
    assert list(cloze.faults(["Automatic Beehive Scales"])) == []
    assert list(cloze.faults(["Automatic Hive Boxes"])) != []
