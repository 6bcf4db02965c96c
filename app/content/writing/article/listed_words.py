"""Finds the words of a sentence that its evidence lists beside others of their kind. Pure.

These are terms that a list or a definition explains ("nut-client"), cells in words ("Flashed bolt"), a row
whose cells the sentence says, e-mail addresses, and short quotations. What the evidence says of each tells
which of them it is.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.writing.article.blank_places import is_within
from app.content.writing.veto.clauses import clause_words
from app.language.languages import language_data, month_numbers
from app.language.sentences import QUOTATION, ends_like_a_sentence
from app.language.stems import content_stems
from app.language.words import fold

_TERM: Final = re.compile(r"(\S(?:[^:–—]{0,28}?[^\s:–—,])?)(?:\s+(?:--?|[–—])\s|:\s|,\s(?=[a-z]))")
_SEPARATED: Final = re.compile(r"[,;/]")
_ADDRESS: Final = re.compile(r"(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+|https?://[^\s\"'<>|]+[\w/]")
_PLACEHOLDER: Final = re.compile(r"(?<=<)[a-z][\w-]+(?=>)")
_OPTION: Final = re.compile(r"[a-z][\w.-]+")
"""What a heading in a manual is about: "caldav"."""
_MOST_WORDS: Final = 4
_SAYS_REST: Final = 2
"""Words of its other cells from which a sentence is about a row."""
_ENOUGH: Final = 6
"""Words that have to be left where a sentence does not name the row of its cells."""


def listed_words(
    text: str, units: Sequence[EvidenceUnit], language: str, *, has_figures: bool
) -> Iterator[tuple[int, int]]:
    """Yield where a sentence has words that its evidence lists beside others.

    Where it does not show its figures, these words may say whose they are: then terms and rows stay.
    """
    said = "\n".join(unit.text for unit in units)
    kinds = [set(pattern.findall(said)) for pattern in (_ADDRESS, _PLACEHOLDER)]
    if not has_figures:
        terms = {unit.term for unit in units if unit.term}
        options = {unit.path[-1] for unit in units if unit.path and _OPTION.fullmatch(unit.path[-1])}
        kinds += [*map(_terms_of, units), terms, options]
    for kind in kinds:
        if len(kind) > 1:
            yield from _places_of(kind, text, language)
    yield from _quotations(text, said)
    for unit in units:
        if unit.kind == "table":
            yield from _of_table(text, unit, language, has_figures=has_figures)


def _terms_of(unit: EvidenceUnit) -> set[str]:
    """Return the terms at the beginning of the items of a list or of lines of code."""
    if unit.kind not in {"list", "code"}:
        return set()
    lines = unit.items if unit.kind == "list" else tuple(filter(None, unit.text.splitlines()))
    found = [match[1] for match in map(_TERM.match, lines) if match]
    return set(found) if 2 * len(found) > len(lines) else set()


def _of_table(
    text: str, table: EvidenceUnit, language: str, *, has_figures: bool
) -> Iterator[tuple[int, int]]:
    """Yield the cells in words, and the name of a row of which the sentence says the rest."""
    names = {part for row in table.rows for part in _parts(table.name_of(row))}
    named = list(_places_of(names, text, language))
    said = frozenset(content_stems(text, language))
    is_one = len({text[slice(*each)] for each in named}) == 1 < len(table.rows)
    is_row = is_one and not has_figures and _says_a_row(said, table, language)
    columns = zip(*(row[table.heads :] for row in table.rows), strict=False)
    cells = {
        place
        for column in map(set[str], columns)
        if len(column) > 1
        for place in _places_of({part for cell in column for part in _parts(cell)}, text, language)
    }
    hidden = {*cells, *(named if is_row else ())}
    left = said.difference(*(content_stems(text[slice(*each)], language) for each in hidden))
    if (named and not is_row) or len(left) >= _ENOUGH:
        yield from hidden
    elif is_row:
        yield from named


def _says_a_row(said: frozenset[str], table: EvidenceUnit, language: str) -> bool:
    """Return whether stems have enough of the cells of one row, its name left out."""
    rests = (content_stems(" ".join(row[table.heads :]), language) for row in table.rows)
    return any(len(said.intersection(rest)) >= _SAYS_REST for rest in rests)


def _quotations(text: str, said: str) -> Iterator[tuple[int, int]]:
    """Yield the words of short quotations, no sentences, if the evidence has others."""
    known = {_inside(match)[0] for match in QUOTATION.finditer(said)}
    for match in QUOTATION.finditer(text):
        words, place = _inside(match)
        is_short = len(words.split()) <= _MOST_WORDS + 1 and not ends_like_a_sentence(words)
        if is_short and known - {words} and (words in known or words not in said):
            yield place


def _inside(match: re.Match[str]) -> tuple[str, tuple[int, int]]:
    group = match.lastindex or 0
    return match[group], match.span(group)


def _parts(cell: str) -> tuple[str, ...]:
    """Return a cell, and the things that it lists: "April, October"."""
    whole = fold(cell)
    parts = _SEPARATED.split(clause_words().alternatives.sub(";", whole))
    return tuple(dict.fromkeys((whole, *map(str.strip, parts))))


def _places_of(kind: Iterable[str], text: str, language: str) -> Iterator[tuple[int, int]]:
    """Yield where a text has one of the names of a kind; of two at one place the longer."""
    lowered = text.lower()
    there = [each for each in kind if each.lower() in lowered and _is_name(each, language)]
    found = {place for each in there for place in _places(each, text)}
    for one in sorted(found):
        if not any(is_within(one, each) for each in found):
            yield one


def _is_name(words: str, language: str) -> bool:
    """Return whether words may name something: figures are read as such, and "nothing" is no thing."""
    if not (0 < len(words.split()) <= _MOST_WORDS and any(map(str.isalpha, words))):
        return False
    table = language_data(language).words
    is_denied = words.lower() in table.withholding or any(
        word in table.denying | table.refusals for word in words.lower().split()
    )
    has_figure = any(map(str.isdigit, words))
    says_something = any(content_stems(words, language)) or words.lower() in month_numbers()
    return not (is_denied or has_figure) and (words.isupper() or says_something)


def _places(words: str, text: str) -> Iterator[tuple[int, int]]:
    is_exact = " " not in words or words.isupper()
    pattern = rf"(?<![\w-]){re.escape(words)}(?![\w-])"
    for match in re.finditer(pattern, text, 0 if is_exact else re.IGNORECASE):
        if match.start() or len(words) > 1:  # "A" at the beginning is an article.
            yield match.span()
