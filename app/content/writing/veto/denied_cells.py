"""Finds what a table says no to and a sentence says yes to. Pure.

Of "Brakes bled | no | yes" below "Basic" and "Full", nobody may write that Basic has the brakes bled.
"""

import re
from collections.abc import Iterator, Sequence, Set
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.rendering.markdown import occurrences
from app.content.writing.veto.clauses import clause_words, clauses
from app.content.writing.veto.quantities import quantities
from app.language.languages import language_data
from app.language.stems import content_stems, search_words
from app.language.words import QUESTION_MARKS

_SIGNS: Final = frozenset("-–—✗✘✕×")
_NO: Final = re.compile(r"([^\W\d_]+)\s*(?:$|[(\[,،;–—-])")
"""A word alone in a cell, or before a remark: "No (£28 a brake)", but not "No limit"."""
_LEAST_STEMS: Final = 2
"""Words of a row's name that a clause cannot have by chance."""


def denied_cells(text: str, units: Sequence[EvidenceUnit], language: str) -> Iterator[tuple[str, str]]:
    """Yield (row, column) if a sentence about one column says what the table denies of it.

    A sentence that may deny, excludes, compares or asks anything may say so of the row, unless another clause
    of it names row and column, and a clause with a figure what it costs on top. Yields nothing in languages
    without a list of words with which cells say no.
    """
    table = language_data(language).words
    tables = [unit for unit in units if unit.kind == "table" and unit.header]
    if not (tables and table.refusals) or text.endswith(QUESTION_MARKS):
        return
    is_turned = _is_turned(text, language)
    stated = [
        (each, frozenset(content_stems(each, language)))
        for each in clauses(text)
        if not (_has_figure(each, language) or _is_turned(each, language))
    ]
    for unit in tables:
        columns = unit.header[unit.heads :]
        named = [each for each in columns if each and occurrences(each, text)]
        if len(named) != 1:
            continue
        at = unit.heads + columns.index(named[0])
        said = [stems for clause, stems in stated if not is_turned or occurrences(named[0], clause)]
        for row in unit.rows:
            if (
                at < len(row)
                and _is_no(row[at], table.refusals)
                and _has_yes(row[unit.heads :], table.refusals)
            ):
                own = frozenset(content_stems(unit.name_of(row), language))
                if len(own) >= _LEAST_STEMS and any(own <= each for each in said):
                    yield unit.name_of(row), named[0]


def _is_turned(text: str, language: str) -> bool:
    """Return whether a sentence may say that something is not there."""
    if clause_words().excluding.search(text):
        return True
    table = language_data(language)
    said = {word.lower() for word in search_words(text, language)}
    turning = table.words.denying | table.words.withholding | table.figures.comparing
    return not said.isdisjoint(turning) or "n't" in text.replace("’", "'")


def _has_figure(clause: str, language: str) -> bool:
    return any(quantities(clause, language))


def _has_yes(cells: Sequence[str], refusals: Set[str]) -> bool:
    return not all(_is_no(cell, refusals) for cell in cells)


def _is_no(cell: str, refusals: Set[str]) -> bool:
    """Return whether a cell says no, with or without a remark."""
    found = _NO.match(cell.strip())
    return cell.strip() in _SIGNS or (found is not None and found[1].lower() in refusals)
