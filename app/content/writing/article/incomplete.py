"""What cannot stay without removed sentences: half a listing, half a sum, an empty announcement. Pure."""

from collections.abc import Collection, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final

from app.content.rendering.markdown import shown
from app.content.writing.article.draft import Draft, Place, Statement
from app.content.writing.veto.quantities import quantities
from app.language.stems import content_stems
from app.language.words import COLONS
from app.pages.extraction.blocks import CELL_SEPARATOR

LISTS: Final = frozenset({"ul", "ol", "table"})
_ANNOUNCED: Final = LISTS | {"code"}
_LEAST_ROWS: Final = 2
"""A table of fewer rows is none, and fewer figures are no sum."""
_ROUNDING: Final = Fraction(1)
_SHARE: Final = Fraction(1, 100)
"""How far rounded figures and their sum may differ, and as a share of it."""


def rest_of_listings(draft: Draft, removed: Collection[Place]) -> Iterator[Statement]:
    """Yield the remaining lines of incomplete listings, because incomplete code does something else.

    An empty line begins another piece of code, which may stand alone.
    """
    for lines in _incomplete(draft, removed, "code"):
        pieces: list[list[Statement]] = [[]]
        for each in lines:
            if not each.sentence.text.strip():
                pieces.append([])
            pieces[-1].append(each)
        incomplete = (piece for piece in pieces if any(each.place in removed for each in piece))
        yield from (each for piece in incomplete for each in piece if each.place not in removed)


def rest_of_tables(draft: Draft, removed: Collection[Place], language: str) -> Iterator[Statement]:
    """Yield the remaining rows of incomplete tables whose rows need each other.

    Such rows are numbered or go on from each other (1, 2, 3; up to 5, up to 10), or one is the sum of those
    above it. A table needs two rows, too.
    """
    for rows in _incomplete(draft, removed, "table"):
        left = [each for each in rows if each.place not in removed]
        if len(left) < _LEAST_ROWS or _is_sequence(rows, language) or _has_sum(rows, language):
            yield from left


def announcements(draft: Draft, removed: Collection[Place]) -> Iterator[Statement]:
    """Yield the sentences that led into a list, table or listing of which nothing is left.

    They end with a colon. Right before a listing it is also the step of a procedure ("Here the purge spares a
    package."), if it shows no code itself.
    """
    left = [each for each in draft.statements if each.place not in removed]
    kinds = {each.place[:2]: each.kind for each in draft.statements}
    last = {each.place[:2]: each.place for each in draft.statements}
    kept = {each.place[:2] for each in left}
    for each in left:
        after = (each.place.part, each.place.paragraph + 1)
        if after in kept or kinds.get(after) not in _ANNOUNCED:
            continue
        text = shown(each.sentence.text).rstrip()
        is_last = last[each.place[:2]] == each.place and not each.sentence.code
        is_step = each.kind == "ol" and kinds[after] == "code" and is_last
        if text.endswith(COLONS) or is_step:
            yield each


def shortened_tables(draft: Draft, removed: Collection[Place]) -> Iterator[str]:
    """Yield a note on each table that lost rows."""
    for rows in _incomplete(draft, removed, "table"):
        lost = sum(each.place in removed for each in rows)
        heading = draft.parts[rows[0].place.part].heading
        table = f"The table “{CELL_SEPARATOR.join(rows[0].header)}”{f' in “{heading}”' if heading else ''}"
        if lost == len(rows):
            yield f"{table} was removed."
        else:
            yield f"{table} lost {lost} of its {len(rows)} rows."


def _incomplete(draft: Draft, removed: Collection[Place], kind: str) -> Iterator[list[Statement]]:
    """Yield the lines of each listing or table that lost some."""
    found: dict[tuple[int, int], list[Statement]] = {}
    for each in draft.statements:
        if each.kind == kind:
            found.setdefault(each.place[:2], []).append(each)
    for lines in found.values():
        if any(each.place in removed for each in lines):
            yield lines


def _is_sequence(rows: Sequence[Statement], language: str) -> bool:
    """Return whether the first cells differ in their figures alone, and these rise or fall."""
    heads = [_cells(each)[0] for each in rows]
    firsts = [_values(head, language) for head in heads]
    if not all(firsts) or len({_words_of(head, language) for head in heads}) > 1:
        return False
    pairs = list(pairwise(firsts))
    return all(former < later for former, later in pairs) or all(former > later for former, later in pairs)


def _has_sum(rows: Sequence[Statement], language: str) -> bool:
    """Return whether the last figure of a row is the sum of those of two or more rows right above it."""
    lasts = [_values(_cells(each)[-1], language) for each in rows]
    column = [each[0] if len(each) == 1 else None for each in lasts]
    for n, total in enumerate(column):
        rest = total
        for above, value in enumerate(reversed(column[:n]), 1):
            if rest is None or value is None or not value:
                break
            rest -= value
            if above >= _LEAST_ROWS and total and abs(rest) <= min(_ROUNDING, total * _SHARE):
                return True
    return False


def _cells(row: Statement) -> Sequence[str]:
    return row.sentence.cells or row.sentence.text.split(CELL_SEPARATOR)


def _words_of(text: str, language: str) -> frozenset[str]:
    """Return the stems of a text without its figures."""
    for each in quantities(text, language):
        text = text.replace(each.written, " ", 1)
    return frozenset(content_stems(text, language))


def _values(text: str, language: str) -> list[Fraction]:
    return [each.value for each in quantities(text, language) if each.value is not None]
