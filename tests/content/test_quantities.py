"""Quantities are compared by what they say, however they are written."""

from __future__ import annotations

import pytest

from app.content.writing.veto.dates import dates
from app.content.writing.veto.quantities import claimed_quantities, is_rounded, known_quantities
from app.language.number_words import number_words


def stands(text: str, evidence: str, language: str) -> bool:
    known = known_quantities(evidence, language)
    return all(
        any(claimed.says(each) for each in known) or is_rounded(claimed, text, known)
        for claimed in claimed_quantities(text, language)
    )


@pytest.mark.parametrize(
    ("language", "text", "number"),
    [
        ("en", "one hundred and twenty", "120"),
        ("en", "two thousand three hundred and forty", "2340"),
        ("en", "forty-eight", "48"),
        ("en", "a hundred", "100"),
        ("de", "fünfundzwanzig", "25"),
        ("de", "zweitausend", "2000"),
        ("de", "sechzehn", "16"),
        ("nl", "vijfentwintig", "25"),
        ("nl", "tachtig", "80"),
    ],
)
def test_several_words_say_one_number(language: str, text: str, number: str) -> None:
    assert [(each.words, each.number) for each in number_words(text, language)] == [(text, number)]


@pytest.mark.parametrize("text", ["The harder half comes next.", "That other half stays."])
def test_a_half_with_a_name_is_no_number(text: str) -> None:
    assert list(number_words(text, "en")) == []


@pytest.mark.parametrize(
    ("language", "text", "evidence"),
    [
        ("en", "It takes three months.", "It takes ninety days."),
        ("en", "It takes thirty minutes.", "It takes half an hour."),
        ("en", "It lasts twelve months.", "It lasts a year."),
        ("en", "It takes two days.", "It takes 48 hours."),
        ("en", "It ends at half past five.", "Open from 8:00 to 17:30."),
        ("en", "Seventeen pounds a month.", "£17 per month"),
        ("en", "Half of them stay.", "50 % stay."),
        ("en", "More than two thousand homes.", "2,340 homes"),
        ("en", "Nearly a hundred per cent.", "98% of repairs"),
        ("de", "Rund 2.300 Betriebe.", "2.340 Betriebe"),
        ("de", "In zwei Tagen.", "Binnen 48 Stunden."),
        ("en", "It costs £9.", "Price | 9"),
    ],
)
def test_a_quantity_in_other_words_is_supported(language: str, text: str, evidence: str) -> None:
    assert stands(text, evidence, language)


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        ("It takes four months.", "It takes ninety days."),
        ("It takes 15 days.", "It takes two weeks."),
        ("It takes 91 days.", "It takes ninety days."),
        ("It costs three euros.", "It takes three days."),
        ("It costs eighteen pounds.", "£17 per month"),
        ("More than three thousand homes.", "2,340 homes"),
        ("Two thousand homes.", "2,340 homes"),
        ("Nearly ninety per cent.", "98% of repairs"),
    ],
)
def test_another_quantity_is_not_supported(text: str, evidence: str) -> None:
    assert not stands(text, evidence, "en")


@pytest.mark.parametrize("text", ["31 March 2027", "March 31, 2027", "31. März 2027", "2027-03-31"])
def test_a_date_is_read_however_it_is_written(text: str) -> None:
    assert {(each.month, each.day_or_year) for each in dates(text)} == {(3, 31), (3, 2027)}


def test_a_month_alone_is_no_date() -> None:
    assert list(dates("It began in March and may end on a Friday.")) == []
