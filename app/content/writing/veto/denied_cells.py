"""Finds what a table says no to and a sentence says yes to. Pure.

Of "Brakes bled | no | yes" below "Basic" and "Full", nobody may write that Basic has the brakes bled.
"""

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
_LEAST_STEMS: Final = 2
"""Words of a row's name that a clause cannot have by chance."""


def denied_cells(text: str, units: Sequence[EvidenceUnit], language: str) -> Iterator[tuple[str, str]]:
    """Yield (row, column) if a sentence about one column says what the table denies of it.

    A sentence that denies, excludes, compares or asks anything may say so of the row, and a clause with a
    figure what it costs on top. Yields nothing in languages without a list of words that deny.
    """
    denying = language_data(language).words.denying
    if not denying or text.endswith(QUESTION_MARKS) or _is_turned(text, denying, language):
        return
    for unit in (each for each in units if each.kind == "table" and each.header):
        columns = unit.header[unit.heads :]
        named = [each for each in columns if each and occurrences(each, text)]
        if len(named) != 1:
            continue
        at = columns.index(named[0])
        for row in unit.rows:
            denied = [_is_no(cell, language) for cell in row[unit.heads :]]
            if at < len(denied) and denied[at] and not all(denied):
                name = unit.name_of(row)
                if any(_says(clause, name, language) for clause in clauses(text)):
                    yield name, named[0]


def _is_turned(text: str, denying: Set[str], language: str) -> bool:
    if clause_words().excluding.search(text):
        return True
    said = {word.lower() for word in search_words(text, language)}
    turning = denying | language_data(language).figures.comparing
    return not said.isdisjoint(turning) or "n't" in text.replace("’", "'")


def _is_no(cell: str, language: str) -> bool:
    """Return whether a cell says no, with or without a remark: "No (£28 a brake)"."""
    first = next(iter(search_words(cell, language)), "")
    return cell.strip() in _SIGNS or first.lower() in language_data(language).words.refusals


def _says(clause: str, name: str, language: str) -> bool:
    own, said = set(content_stems(name, language)), set(content_stems(clause, language))
    return len(own) >= _LEAST_STEMS and own <= said and not any(quantities(clause, language))
