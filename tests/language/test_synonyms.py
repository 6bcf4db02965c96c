"""Words that a topic and a page use for the same thing, and words put together of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from app import language as package
from app.language.compounds import NO_COMPOUNDS, compounds_of
from app.language.stems import root, search_words, stem
from app.language.synonyms import synonym_stems, synonyms

FILES = sorted((Path(package.__file__).parent / "data").glob("*.txt"))


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("employee", "staff", "en"),
        ("bicycles", "bike", "en"),
        ("tyres", "tire", "en"),
        ("prices", "cost", "en"),
        ("aufarbeiten", "restaurieren", "de"),
        ("Gebühren", "Kosten", "de-AT"),
        ("tarifs", "prix", "fr"),
        ("tarifas", "precio", "es"),
        ("removing", "rid", "en"),
        ("resize", "shrink", "en"),
        ("unattended", "automatically", "en"),
        ("verkleinern", "komprimieren", "de"),
        ("Verzeichnis", "Ordner", "de"),
        ("l’embauche", "recrutement", "fr"),
        ("ordenadores", "computadora", "es"),
        ("albergo", "hotel", "it"),
        ("aluguel", "arrendamento", "pt"),
        ("salaris", "loon", "nl"),
    ],
)
def test_words_for_the_same_thing_have_roots_and_stems_in_common(one: str, other: str, language: str) -> None:
    assert root(other, language) in synonyms(root(one, language), language)
    assert stem(other, language) in synonym_stems(stem(one, language), language)


def test_a_word_of_two_groups_does_not_join_them() -> None:
    assert root("rent", "en") in synonyms(root("hire", "en"), "en")
    assert root("employ", "en") in synonyms(root("hire", "en"), "en")
    assert root("employ", "en") not in synonyms(root("rent", "en"), "en")


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("recover", "rest", "en"),
        ("cancel", "terminal", "en"),
        ("instalments", "installing", "en"),
        ("blocklist", "block", "en"),
        ("parking", "station", "fr"),
        ("devis", "devez", "fr"),
        ("email", "correr", "es"),
        ("precio", "costa", "es"),
        ("computadora", "ordenar", "es"),
    ],
)
def test_a_word_that_only_looks_like_one_of_a_group_means_something_else(
    one: str, other: str, language: str
) -> None:
    assert root(other, language) not in synonyms(root(one, language), language)
    assert stem(other, language) not in synonym_stems(stem(one, language), language)


@pytest.mark.parametrize("language", ["en", "fi", "ja"])
def test_a_word_without_synonyms_means_itself(language: str) -> None:
    assert synonyms("zzyzx", language) == {"zzyzx"}
    assert synonym_stems("zzyzx", language) == {"zzyzx"}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_each_line_is_a_comment_or_a_group_of_several_words(file: Path) -> None:
    for line in file.read_text(encoding="utf-8").splitlines():
        group = line.replace("-", "").split()
        assert line.startswith("#") or len(set(group)) == len(group) >= 2, line
        assert line == line.strip()


@pytest.mark.parametrize(
    ("one", "other"), [("business", "busy"), ("engineering", "engine"), ("policy", "police")]
)
def test_words_that_only_look_alike_keep_different_stems(one: str, other: str) -> None:
    assert stem(one, "en") != stem(other, "en")
    assert root(one, "en") != root(other, "en")


def test_a_stem_is_not_stemmed_again() -> None:
    assert root("leasing", "en") == root("lease", "en")


def test_a_single_letter_stays_with_the_word_that_a_hyphen_joins_it_to() -> None:
    assert search_words("e-bike-inspection", "en") == ["ebike", "inspection"]
    assert search_words("clock-in", "en") == ["clock", "in"]
    assert search_words("Vitamin-D-Mangel", "de") == ["Vitamin", "D", "Mangel"]


VOCABULARY = {
    stem(word, "de")
    for word in [
        "Tisch", "Holz", "Holztisch", "praktisch", "Tischplatte", "Wohnung", "Wohnungsreinigung", "Schwein",
        "Stunde", "Lohn", "Feuer", "Fahrradversicherung", "s", "pr",
    ]
}  # fmt: skip


def stems(*said: str) -> set[str]:
    return {stem(word, "de") for word in said}


@pytest.mark.parametrize(
    ("word", "kinds", "partly"),
    [
        ("Tisch", stems("Holztisch"), stems("Tischplatte")),
        ("Versicherung", stems("Fahrradversicherung"), set()),
        ("Reinigung", stems("Wohnungsreinigung"), set()),
        ("Wein", set(), set()),
        ("Holztische", set(), stems("Holz", "Tisch")),
        ("Stundenlohn", set(), stems("Stunde", "Lohn")),
        ("Lohnsteuer", set(), set()),
        ("Ei", set(), set()),
    ],
)
def test_a_word_is_said_by_its_kinds_and_by_its_parts(word: str, kinds: set[str], partly: set[str]) -> None:
    found = compounds_of(word, VOCABULARY, "de")
    assert (found.kinds, found.partly) == (kinds, partly)
    assert {part for pair in found.wholes for part in pair} == (
        partly if word[:4] in ("Holz", "Stun") else set()
    )


def test_languages_that_write_nouns_separately_have_no_compounds() -> None:
    assert compounds_of("fish", {"goldfish"}, "en") == NO_COMPOUNDS
