"""Breaking titles into lines; each character is one em wide here."""

from __future__ import annotations

import pytest

from app.content.assembly.typesetting import LEADING, fit


def lines(text: str, width: int, *, most: int = 9, size: int = 1) -> tuple[str, ...]:
    """The lines of a text in a column of ``width`` characters."""
    return fit(text, len, (size,), width * size, int(most * size * LEADING) + 1).lines


def test_the_largest_size_that_fits_is_taken() -> None:
    assert fit("ten letter", len, (50, 40, 20), 400, 60).size == 40
    assert fit("ten letter", len, (50, 40, 20), 250, 60).size == 20


def test_lines_are_about_equally_long() -> None:
    assert lines("one two three four five", 20) == ("one two three", "four five")


def test_a_line_of_japanese_begins_with_no_comma_and_ends_with_no_opening_bracket() -> None:
    assert lines("あいうえ、おか", 4) == ("あいう", "え、おか")
    assert lines("あいう「えお", 4) == ("あいう", "「えお")


def test_korean_is_broken_at_its_spaces() -> None:
    assert lines("겨울 동안 자전거를", 6) == ("겨울 동안", "자전거를")


def test_an_accent_stays_with_its_letter() -> None:
    assert lines("日e\u0301本", 3) == ("日e\u0301", "本")


def test_a_word_too_long_for_the_line_is_hyphenated() -> None:
    assert lines("abcdefgh", 5) == ("abcd-", "efgh")


def test_an_address_is_broken_after_a_stroke() -> None:
    assert lines("blog/archive", 8) == ("blog/", "archive")


def test_a_smaller_size_is_tried_before_a_word_is_broken() -> None:
    assert fit("abcdefgh", len, (40, 20), 200, 100, whole_above=30).lines == ("abcdefgh",)


@pytest.mark.parametrize("text", ["one two three four", "あいうえおかきくけこさしすせそ", "abcdefghijklmnop"])
def test_what_does_not_fit_ends_with_an_ellipsis(text: str) -> None:
    found = lines(text, 6, most=1)
    assert len(found) == 1
    assert found[0].endswith("…")
    assert len(found[0]) <= 6


def test_nothing_has_no_lines() -> None:
    assert lines("", 5) == ()
