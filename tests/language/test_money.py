"""Sums of money in all languages: the words of one are no money in another."""

import pytest

from app.language.money import has_amount
from app.pages.extraction.price_cards import is_price


@pytest.mark.parametrize(
    ("text", "is_sum"),
    [
        ("It costs £5.", True),
        ("AED 120 a month", True),
        ("基本料金は3,740円です", True),
        ("بـ 9 دنانير", True),
        ("Chairs made by hand: see the details.", False),
        ("Ils sont livrés sous deux jours.", False),
        ("He was mad about it.", False),
    ],
)
def test_a_sum_of_money_is_known_and_no_word_is_one(text: str, is_sum: bool) -> None:
    assert has_amount(text) is is_sum


@pytest.mark.parametrize(
    ("line", "is_one"),
    [("£9 per month", True), ("AED 120", True), ("5 دنانير", True), ("mad 12", False), ("12 details", False)],
)
def test_a_price_has_a_sign_a_code_or_a_name_of_its_own(line: str, is_one: bool) -> None:
    assert is_price(line) is is_one
