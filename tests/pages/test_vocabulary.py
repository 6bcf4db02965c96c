"""What is kept of a page for searching. No application is needed."""

from __future__ import annotations

from typing import Any

import pytest

from app.pages.vocabulary import name_of, terms_of, vocabulary_of, weight_of


def block(kind: str, text: str, *path: str) -> dict[str, Any]:
    return {"id": "b1", "kind": kind, "text": text, "heading_path": list(path)}


def weights(counted: str) -> dict[str, int]:
    words, numbers = counted.split("\n")
    return dict(zip(words.split(" "), map(int, numbers.split(" ")), strict=True))


def test_a_word_weighs_most_in_the_title_then_in_headings_then_in_the_description() -> None:
    blocks = [block("heading", "Backup"), block("p", "Restore the backup, then the backup.", "Backup")]
    found = vocabulary_of("Title", "Described", blocks)
    assert weights(found.words) == {
        "title": 5,
        "described": 2,
        "backup": 3 + 2,
        "restore": 1,
        "the": 2,
        "then": 1,
    }


def test_a_page_without_words_has_none() -> None:
    found = vocabulary_of(None, None, [])
    assert (found.words, found.headings) == ("\n", "")
    assert weight_of(found.words, "backup") == 0


def test_of_very_many_words_those_that_weigh_most_are_kept() -> None:
    text = " ".join(f"w{number}" for number in range(12_000))
    found = weights(vocabulary_of("honey", None, [block("p", text), block("p", "w11999 w11999")]).words)
    assert len(found) == 10_000
    assert (found["honey"], found["w11999"], found["w0"]) == (5, 3, 1)


def test_the_weight_of_a_word_is_its_own_and_not_that_of_a_longer_one() -> None:
    counted = vocabulary_of(None, None, [block("p", "back backup backup ack up up up")]).words
    assert {word: weight_of(counted, word) for word in ("ack", "back", "backup", "up", "b", "kup")} == {
        "ack": 1, "back": 1, "backup": 2, "up": 3, "b": 0, "kup": 0,
    }  # fmt: skip


def test_headings_below_others_are_distinguished_from_those_on_the_first_level() -> None:
    blocks = [block("heading", "Hives"), block("heading", "Where to\nput one", "Hives"), block("p", "There.")]
    assert vocabulary_of("", "", blocks).headings == "Hives\n\tWhere to put one"


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Don’t back-up SITEMAP.xml", ["don’t", "back-up", "sitemap.xml"]),
        ("Größe STRASSE", ["größe", "strasse"]),
        ("内容营销SEO", ["内", "容", "营", "销", "seo", "内容", "容营", "营销"]),
        ("茶", ["茶"]),
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("x" * 65 + " y", ["y"]),
        ("e\u0301tude \x00 _ !?", ["étude"]),
    ],
)
def test_words_are_kept_as_written_and_scripts_without_spaces_by_neighbours(
    text: str, terms: list[str]
) -> None:
    assert terms_of(text) == terms


@pytest.mark.parametrize(
    ("title", "headings", "name"),
    [
        ("Hives | Bees", "", "Hives"),
        ("Hives | Bees", "Beehives\n\tPlaces", "Beehives"),
        ("Hives - Bees", "Beehives\nPlaces", "Hives"),
        (None, "Beehives\nPlaces", "Beehives"),
        ("Well-being", "", "Well-being"),
        ("Hives (2.8 - 3.5) - Bees", "", "Hives (2.8 - 3.5)"),
        ("Hives - Bees :)", "", "Hives"),
        (None, "", ""),
    ],
)
def test_a_page_has_its_main_heading_as_its_name_or_its_own_part_of_the_title(
    title: str | None, headings: str, name: str
) -> None:
    assert name_of(title, headings) == name
