"""The files of languages: each is read whole, and what is wrong in one is named."""

from __future__ import annotations

import ast
import re
from dataclasses import fields
from pathlib import Path

import pytest

from app.language.languages import LanguageFileError, language_data, languages, merged, parsed
from app.language.schema import Language, Phrases
from devtools import languages_doc

each_language = pytest.mark.parametrize("language", languages(), ids=lambda language: language.name)
_NAMES = re.compile(r"\{[a-z]*\}")


WITHOUT_WORDS = {
    "app/content/assembly/typesetting.py": "characters that begin or end no line",
    "app/content/quality/sources.py": "verbs beside persons in the check of posts",
    "app/content/writing/article/material.py": "signs of currencies",
    "app/pages/extraction/blocks.py": "characters that nobody sees",
    "app/pages/extraction/furniture.py": "the range of small letters",
    "app/pages/extraction/price_cards.py": "names of currencies",
    "app/pages/extraction/speakers.py": "the range of small letters",
    "app/spreadsheets/columns.py": "headings in the files of other services",
}
"""Modules with letters beyond ASCII that are no words of a language, or that are not a language's alone."""


def strings(path: Path) -> list[str]:
    """The string constants of a module, without docstrings."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docstrings = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    found = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in docstrings)
    return [node.value for node in found if isinstance(node.value, str)]


def test_words_beyond_ascii_are_in_language_files_alone() -> None:
    modules = [path for path in Path("app").rglob("*.py") if path.parts[1] != "language"]
    found = {
        path.as_posix()
        for path in modules
        if any(letter.isalpha() and not letter.isascii() for text in strings(path) for letter in text)
    }
    assert found - WITHOUT_WORDS.keys() == set()


def test_a_tag_finds_the_file_of_its_language() -> None:
    assert language_data("de-AT").name == "German"
    assert language_data("nb").name == "Norwegian"


@pytest.mark.parametrize("tag", ["xx", "", "../languages", "en/../de"])
def test_a_language_without_a_file_has_no_words(tag: str) -> None:
    found = language_data(tag)
    assert found == Language(found.code, found.code)


def test_words_are_one_string_or_an_array() -> None:
    words = parsed("xx", 'name = "X"\n[words]\nstopwords = "a b"\nboilerplate = ["all rights", "c"]').words
    assert words.stopwords == {"a", "b"}
    assert words.boilerplate == ("all rights", "c")


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("name = ", "xx.toml: Invalid value"),
        ("", "xx.toml needs the members ['name']"),
        ('name = "X"\nstopword = "a"', "xx.toml has unknown members ['stopword']"),
        ('name = "X"\n[words]\nstopword = "a"', "xx.toml: words has unknown members ['stopword']"),
        ('name = "X"\nwords = "a b"', "xx.toml: words is not a table"),
        ('name = "X"\n[words]\nstopwords = 3', "xx.toml: words: stopwords is neither words nor an array"),
        (
            'name = "X"\n[words]\nstopwords = [1, 2]',
            "xx.toml: words: stopwords is neither words nor an array",
        ),
        ('name = "X"\n[words]\njoins_nouns = "yes"', "xx.toml: words: joins_nouns is of the wrong kind"),
        ('name = "X"\n[words]\nstems = "a b"', "xx.toml: words: stems is of the wrong kind"),
        ('name = "X"\n[phrases]\nasked = "?"', "xx.toml: phrases needs the members ['contents_heading'"),
        ('name = "X"\n[numbers.words]\n2 = 3', "xx.toml: numbers: words.2 is neither words nor an array"),
    ],
)
def test_a_wrong_member_is_named_with_its_file(text: str, wrong: str) -> None:
    with pytest.raises(LanguageFileError) as caught:
        parsed("xx", text)
    assert str(caught.value).startswith(wrong)


@each_language
def test_the_fixed_lines_of_all_languages_name_the_same_things(language: Language) -> None:
    english = language_data("en").phrases
    if language.phrases is None or english is None:
        return
    for member in fields(Phrases):
        if member.name in {"titles", "descriptions"}:
            continue
        own, given = getattr(language.phrases, member.name), getattr(english, member.name)
        assert set(_NAMES.findall(str(own))) == set(_NAMES.findall(str(given))), member.name
    for line in (*language.phrases.titles, *language.phrases.descriptions):
        assert set(_NAMES.findall(line)) == {"{topic}", "{project}"}


@each_language
def test_patterns_compile_and_match_no_empty_text(language: Language) -> None:
    claims = language.soft_claims
    patterns = [pattern for member in fields(claims) for pattern in getattr(claims, member.name)]
    for pattern in (*patterns, *language.references.counting):
        assert re.compile(pattern).fullmatch("") is None


def test_the_words_of_all_languages_can_be_used_together() -> None:
    articles = merged(lambda language: language.sentences).articles
    assert {"the", "der", "les"} <= articles


def test_the_documents_say_what_each_language_lacks() -> None:
    written = languages_doc.PATH.read_text(encoding="utf-8")
    assert written == languages_doc.render(), "run python -m devtools.languages_doc"


def test_a_language_lacks_the_members_that_its_file_leaves_out() -> None:
    lacks = languages_doc.lacking(parsed("xx", 'name = "X"\n[words]\nstopwords = "a"'))
    assert "words.speakers" in lacks
    assert "words.stopwords" not in lacks
    assert "phrases" in lacks
    assert "words.joins_nouns" not in lacks
