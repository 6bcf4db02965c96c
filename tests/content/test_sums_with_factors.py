"""A sum may take a fraction in words of its evidence, or a small factor written with its sign."""

from __future__ import annotations

import pytest

from app.content.writing.veto.quantities import quantities
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, left_out, model_says, unit

CARDS = (
    "I paid £7,400. Half when the cards are handed over, a quarter after a year, a quarter after two. "
    "A reading takes half an hour."
)
FEE = "The fee is £45 for each 1,000, £20 for 2 sites, and 12 % more for 20 trees. A month is £6.25."


def stopped(text: str, said: str, language: str = "en") -> str:
    veto = Veto(evidence(unit("1:b1", said)), language)
    return "; ".join(veto.violations(model_says(text, "1:b1")))


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("At a price of £7,400, half at the handover is £3,700.", "£3,600"),
        ("A quarter of £7,400 is £1,850.", "£1,805"),
        ("Of £7,400, a quarter at once is £1,850.", "£1,950"),
        ("Each quarter is £7,400 ÷ 4 = £1,850.", "£1,840"),
        ("Half is £7,400 / 2, or £3,700.", "£3,600"),
    ],
)
def test_a_fraction_in_words_scales_a_figure(right: str, wrong: str) -> None:
    result = next(each for each in ("£3,700", "£1,850") if each in right)
    assert stopped(right, CARDS) == ""
    assert wrong.strip("£") in stopped(right.replace(result, wrong), CARDS)


@pytest.mark.parametrize(
    "text",
    [
        "A quarter of £7,400 is £5,550.",
        "A quarter of £7,400 is £9,250.",
        "A third of £7,400 is £2,466.67.",
        "Of £7,400, a third after a year is £2,466.67.",
        "Each third is £7,400 ÷ 3 = £2,466.67.",
        "Each fifth is £7,400 ÷ 5 = £1,480.",
        "It is £7,400 × 4 = £29,500.",
        "It is £7,400 ÷ 4 ÷ 4 = £1,850.",
        "It is £3,700 + £7,400 ÷ 4 = £1,850.",
    ],
)
def test_another_fraction_or_operation_gives_nothing(text: str) -> None:
    assert stopped(text, CARDS) != ""


def test_half_an_hour_halves_no_price() -> None:
    reading = "A reading takes half an hour and costs £80."
    assert "40" in stopped("With half an hour at £80, it is £40.", reading)
    assert "40" in stopped("It is £80, and half at the door is £40.", reading)


@pytest.mark.parametrize(
    ("language", "said", "text", "right"),
    [
        ("de", "Es kostet 7.400 €, ein Viertel später.", "Ein Viertel von 7.400 € sind {} €.", "1.850"),
        ("de", "Es kostet 7.400 €, die Hälfte sofort.", "Bei 7.400 € ist die Hälfte {} €.", "3.700"),
        ("de", "Es kostet 7.400 €, ein Viertel später.", "Später sind es 7.400 € : 4 = {} €.", "1.850"),
        ("fr", "Le prix est de 7400 €, un quart après.", "Un quart de 7400 € fait {} €.", "1850"),
        ("es", "El precio es 7400 €, un cuarto al año.", "Un cuarto de 7400 € son {} €.", "1850"),
        ("sv", "Priset är 7400 €, en fjärdedel sedan.", "En fjärdedel av 7400 € är {} €.", "1850"),
        ("en", "It is £7,400, three quarters at once.", "Three quarters of £7,400 are £{}.", "5,550"),
        ("en", "It is £7,400, ¾ at once.", "Three quarters of £7,400 are £{}.", "5,550"),
        ("en", "It is £7,400, 25% after a year.", "A quarter of £7,400 is £{}.", "1,850"),
    ],
)
def test_fractions_are_read_in_other_languages(language: str, said: str, text: str, right: str) -> None:
    assert stopped(text.format(right), said, language) == ""
    wrong = right.replace("50", "60").replace("00", "10")
    assert wrong in stopped(text.format(wrong), said, language)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("£45 + £45 + £45 = £135.", "£145"),
        ("3 × £45 = £135.", "£145"),
        ("3 × £45 makes £135.", "£145"),
        ("£45 × 3 is £135.", "£145"),
        ("That comes to £135 (3 × £45).", "£153"),
        ("For a large site: 3 x £45 = £135.", "£136"),
        ("4 × £45 = £180.", "£170"),
        ("3 × £6.25 = £18.75.", "£18.80"),
    ],
)
def test_a_small_factor_with_its_sign_repeats_a_figure(right: str, wrong: str) -> None:
    result = next(each for each in ("£135", "£180", "£18.75") if each in right)
    assert stopped(right, FEE) == ""
    assert wrong.strip("£") in stopped(right.replace(result, wrong), FEE)


@pytest.mark.parametrize("text", ["12 × £45 = £540.", "52 × £45 = £2,340."])
def test_a_year_has_twelve_months_and_52_weeks(text: str) -> None:
    assert stopped(text, FEE) == ""
    assert stopped(text.replace("0", "1"), FEE) != ""


@pytest.mark.parametrize(
    "text",
    [
        "Three at £45 is £135.",
        "For 3 of them at £45 it is £135.",
        "3 × £45.",
        "13 × £45 = £585.",
        "1.5 × £45 = £67.50.",
        "£45 × 3 boats is £135.",
        "3 × £46 = £138.",
        "2 × 3 × £45 = £135.",
        "£20 + 3 × £45 = £135.",
        "£20 + (3 × £45) = £135.",
        "3 × £45 + £20 = £135.",
        "£135 = 3 × £45 + £20.",
        "3 × £6.25 = £18.8.",
        "For 1,000 it is 3 × £45 = 135 boats.",
        "3 × 12 % = 36 %.",
        "£45 ÷ 3 = £15.",
        "£45 + 3 = £48.",
        "3 × £45 = £135, so 3 trees are free.",
    ],
)
def test_no_other_factor_passes(text: str) -> None:
    assert stopped(text, FEE) != ""


def test_a_figure_of_the_evidence_is_no_answer_from_elsewhere() -> None:
    plans = (
        unit("1:b1", "Basic\n€14 a month", "price", path=("Prices", "Basic")),
        unit("1:b2", "Grower\n€70 a month", "price", path=("Prices", "Grower")),
        unit("1:b3", "A bag costs €14, a box €35."),
    )
    veto = Veto(evidence(*plans), "en")
    answers = veto.worked_out(model_says("5 × €14 = €70 for bags.", "1:b3"), (), ()).results
    assert [each.number for each in answers] == ["70"]
    bags = model_says("The bags come to €70.", "1:b3")
    assert veto.violations(bags) != ()
    assert veto.violations(bags, answers=answers) == ()
    assert left_out("Basic costs €70 a month.", *plans[:2]) == {"70"}


def test_an_amount_is_divided_by_the_percentage_that_it_is() -> None:
    said = "The difference is £36 a month, and Crew pays 0.25% on card takings."
    text = "Both cost the same at £36 ÷ 0.25% = £14,400 of card takings."
    assert stopped(text, said) == ""
    assert "14,500" in stopped(text.replace("14,400", "14,500"), said)


def test_a_division_may_go_on_from_a_sum_before_it() -> None:
    said = evidence(unit("1:b1", "Crew is £53 and Depot £89, and Crew pays 0.25% on card takings."))
    earlier = tuple(quantities("£36", "en"))
    sentence = model_says("The takings that make up for it are £36 ÷ 0.25% = £14,400.", "1:b1")
    assert Veto(said, "en").violations(sentence, earlier=earlier) == ()
    assert Veto(said, "en").violations(sentence) != ()


def test_a_fraction_in_words_may_end_a_sentence() -> None:
    said = "Three quarters of the plot must be cultivated by the end of twelve months."
    assert stopped("By the end of twelve months it must be three quarters.", said) == ""
    assert stopped("By the end of twelve months it must be two thirds.", said) != ""


def test_one_part_at_the_end_of_a_sentence_may_be_something_else() -> None:
    assert stopped("The fee is £90 a quarter.", "The fee is £90 per quarter.") == ""
    assert stopped("We have two yards and will soon add a third.", "We have two yards.") == ""


def test_a_french_colon_before_a_sum_is_no_division() -> None:
    said = "Nuits orphelines : 23 en 2023 et 7 en 2024."
    assert stopped("À l’été 2024, il en restait 7 : 23 − 7 = 16 nuits de moins.", said, "fr") == ""
    assert stopped("À l’été 2024, il en restait 7 : 23 − 7 = 17 nuits de moins.", said, "fr") != ""
