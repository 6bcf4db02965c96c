"""Finds what a sentence says of a plan whose cell in a table says "No". Pure.

"Crew has the bank payment file" is wrong if the row "Bank payment file" says "No" below Crew.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.clauses import clause_words, clauses
from app.language.languages import language_data
from app.language.sentences import sentences
from app.language.stems import content_stems
from app.language.words import QUESTION_MARKS, words

_DENIALS: Final = frozenset({"no", "nein", "non", "-", "–", "—", "✗", "✘", "✕", "×"})
_CONTRACTED: Final = ("n't", "n’t")


def denied(text: str, units: Sequence[EvidenceUnit], language: str) -> Iterator[tuple[str, str]]:
    """Yield (row, column) of each cell that denies what a text says of its column.

    A clause names the row by half of its words, better than any other row. It names the column, or its
    sentence does. A sentence that denies, excludes or asks something says nothing here, and nothing is
    yielded in a language without words that deny.
    """
    tables = [unit for unit in units if unit.kind == "table" and unit.header]
    if not tables or not language_data(language).words.denying:
        return
    for sentence in sentences(text):
        if _denies(sentence, language):
            continue
        whole = frozenset(content_stems(sentence, language))
        for clause in clauses(sentence):
            said = frozenset(content_stems(clause, language))
            for unit in tables:
                row = _row_named(unit, said, language)
                columns = _columns_named(unit, said, language) or _columns_named(unit, whole, language)
                if row and columns and all(_is_denial(row, column) for column in columns):
                    yield unit.name_of(row), unit.header[columns[0]]


def _denies(sentence: str, language: str) -> bool:
    denying = language_data(language).words.denying
    said = [word.lower() for word in words(sentence)]
    return (
        sentence.rstrip().endswith(QUESTION_MARKS)
        or any(word in denying or word.endswith(_CONTRACTED) for word in said)
        or clause_words().excluding.search(sentence) is not None
    )


def _row_named(unit: EvidenceUnit, said: Collection[str], language: str) -> Sequence[str]:
    """Return the row of whose name a clause has the largest share, half at least; none of two as good."""
    best: list[Sequence[str]] = []
    most = 0.5
    for row in unit.rows:
        own = frozenset(content_stems(unit.name_of(row), language))
        share = len(own.intersection(said)) / len(own) if own else 0.0
        if share > most:
            best, most = [], share
        if share == most:
            best.append(row)
    return best[0] if len(best) == 1 else ()


def _columns_named(unit: EvidenceUnit, said: Collection[str], language: str) -> list[int]:
    named = enumerate(unit.header[unit.heads :], unit.heads)
    stems = ((column, frozenset(content_stems(head, language))) for column, head in named)
    return [column for column, own in stems if own and own.issubset(said)]


def _is_denial(row: Sequence[str], column: int) -> bool:
    return column < len(row) and row[column].strip().lower() in _DENIALS
