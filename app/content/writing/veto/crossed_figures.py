"""Finds two figures of a sentence that have changed places. Pure.

The evidence "hotel linen is 6% heavier; kitchen linen 15%" gives each figure to the words of its own clause.
A sentence with both figures, each beside the words of the other, has crossed them.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from fractions import Fraction
from itertools import combinations, product
from typing import Final, Literal

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.quantities import Quantity
from app.content.writing.veto.statements import Statement, statements, statements_of, together
from app.language.stems import content_stems

_CLEARLY: Final = 2
_LONGEST_COUNT: Final = 4
"""Digits; a longer number without a unit is that of a telephone or an account."""
_LONGEST_JOINT: Final = 4
"""Letters: "or", "und", "oder"."""
_DIGIT_BEFORE: Final = re.compile(r"\d\s$")
_DIGIT_BEHIND: Final = re.compile(r"\s\d")
Pair = tuple[Quantity, Quantity]
_Side = Literal[0, 1]


def crossed_figures(text: str, units: Sequence[EvidenceUnit], language: str) -> Iterator[Pair]:
    """Yield each two figures of a sentence that stand the other way round in its evidence.

    If one statement of the evidence has them as the sentence does, they are right. Two sentences have to give
    both figures to other words, because a word of one may hold for the other; two rows of a table need not.
    """
    said = together(statements(text, language))
    times = Counter(each.number for each in said.figures)
    once = [each for each in said.figures if times[each.number] == 1 and not _is_dialled(each, said.text)]
    # The second of two may leave its unit out: "20 years, the other 12".
    pairs = [pair for pair in combinations(once, 2) if pair[0].unit == pair[1].unit or not pair[1].unit]
    by_unit = [(unit, statements_of([unit], language)) for unit in units] if pairs else []
    known = [statement for _, of_unit in by_unit for statement in of_unit]
    for pair in pairs:
        is_free = _is_choice(pair, said.text) or _is_multiplied(pair, said.figures)
        if is_free or _may_be_of_two(pair, said.stems, by_unit, language):
            continue
        sides = _sides(said, pair)
        judged = [
            (len(said.marks & statement.marks), _is_crossed(sides, _sides(statement, both), least))
            for statement, both, least in _with_both(pair, known)
        ]
        if {verdict for _, verdict in judged} - {None} == {True} and not _is_of_another(judged):
            yield pair


def _is_of_another(judged: Sequence[tuple[int, bool | None]]) -> bool:
    """Return whether a statement that gives no order has twice as many of a sentence's words."""
    without = max((shared for shared, verdict in judged if verdict is None), default=0)
    return without >= _CLEARLY * max(shared for shared, verdict in judged if verdict is not None)


def _is_dialled(figure: Quantity, text: str) -> bool:
    """Return whether a number stands in a group of several: "01539 496 0112"."""
    end = figure.start + len(figure.written)
    return (
        _DIGIT_BEFORE.search(text[: figure.start]) is not None or _DIGIT_BEHIND.match(text, end) is not None
    )


def _is_choice(pair: Pair, text: str) -> bool:
    """Return whether nothing but a small word stands between two figures: "1.5 or 1.6"."""
    first, second = sorted(pair, key=lambda each: each.start)
    between = text[first.start + len(first.written) : second.start].strip()
    return between.isalpha() and len(between) <= _LONGEST_JOINT


def _is_multiplied(pair: Pair, figures: Iterable[Quantity]) -> bool:
    """Return whether one of two figures is the other times a third: "24 metres at £9 make £216"."""
    low, high = sorted(each.value or Fraction(0) for each in pair)
    return any(each.value is not None and each.value * low == high for each in figures if each not in pair)


def _may_be_of_two(
    pair: Pair,
    said: Set[str],
    by_unit: Sequence[tuple[EvidenceUnit, Sequence[Statement]]],
    language: str,
) -> bool:
    """Return whether one unit has both figures, and the sentence names another that has one of them."""
    with_both: set[str] = set()
    with_one: set[str] = set()
    for unit, statements_of_unit in by_unit:
        found = {figure for figure in pair if any(_saying(figure, each) for each in statements_of_unit)}
        stems = set(content_stems(f"{unit.about} {unit.text}", language))
        if len(found) == len(pair):
            with_both |= stems
        elif found:
            with_one |= stems
    return bool(with_both) and bool(said & (with_one - with_both))


def _is_crossed(said: Mapping[str, _Side], known: Mapping[str, _Side], least: int) -> bool | None:
    """Return whether more figures have words of the other beside them than of their own; None if none has.

    ``least`` figures have to have words of the other.
    """
    shared = said.keys() & known.keys()
    crossed = {said[word] for word in shared if said[word] != known[word]}
    kept = {said[word] for word in shared if said[word] == known[word]}
    return least <= len(crossed) > len(kept) if shared else None


def _with_both(pair: Pair, known: Sequence[Statement]) -> Iterator[tuple[Statement, Pair, int]]:
    """Yield the statements with two figures, once each, else the only two statements with one of them.

    The last member is the number of figures that have to have words of the other.
    """
    having = [[(each, f) for each in known for f in _saying(figure, each)] for figure in pair]
    times = [Counter(id(each) for each, _ in found) for found in having]
    both = [
        (one, (first, second))
        for (one, first), (other, second) in product(*having)
        if one is other and times[0][id(one)] == times[1][id(one)] == 1
    ]
    are_two = not both
    if are_two and len(having[0]) == len(having[1]) == 1:
        ((one, first),), ((other, second),) = having
        joined = together((one, other))
        placed = next(each for each in joined.figures[len(one.figures) :] if each.written == second.written)
        both = [(joined, (first, placed))]
    least = 2 if are_two and not all(each.cells for each, _ in both) else 1
    yield from ((statement, found, least) for statement, found in both if _is_alike(*found))


def _saying(figure: Quantity, statement: Statement) -> list[Quantity]:
    """Return the figures of a statement that are a figure of the sentence; those of its unit go first."""
    found = [each for each in statement.figures if figure.says(each)]
    return [each for each in found if each.unit == figure.unit] or found


def _is_alike(one: Quantity, other: Quantity) -> bool:
    """Return whether two figures of the evidence measure or count the same."""
    if one.unit or other.unit:
        return one.unit == other.unit
    longest = max(len(one.number), len(other.number))
    return (
        one.written.isalpha() == other.written.isalpha()
        and one.is_year == other.is_year
        and longest <= _LONGEST_COUNT
        and (not (one.counted and other.counted) or one.counted == other.counted)
    )


def _sides(statement: Statement, pair: Pair) -> dict[str, _Side]:
    """Return the words and other figures beside two figures, each with that of the two to which it belongs.

    They belong together inside a row, a clause or a cell, or inside a member of a list if both figures are in
    one clause. A word that stands beside both belongs to none, nor does the name of their common row.
    """
    low, high = sorted(each.start for each in pair)
    rows = [match.start() for match in re.finditer("\n", statement.text)]
    are_two = any(low < place < high for place in rows)
    ends = rows if are_two else sorted((*statement.ends, *statement.cells))
    between = [place for place in ends if low < place < high]
    between = between or [place for place in statement.joints if low < place < high]
    if not between:
        return {}
    units = {each.unit for each in pair}
    begins = rows if are_two else (_clause_start(statement, low, units), *statement.cells)
    left = max((place for place in begins if place <= low), default=0)
    right = min((place for place in ends if place > high), default=len(statement.text))
    first: _Side = 0 if pair[0].start == low else 1
    found: dict[str, set[_Side]] = {}
    others = [(each.start, each.number) for each in statement.figures if each.unit not in units]
    for start, word in (*statement.words, *others):
        if left <= start < between[0]:
            found.setdefault(word, set()).add(first)
        elif between[-1] <= start < right:
            found.setdefault(word, set()).add(1 if first == 0 else 0)
    return {word: next(iter(sides)) for word, sides in found.items() if len(sides) == 1}


def _clause_start(statement: Statement, low: int, units: Collection[str]) -> int:
    """Return where the clause of a figure begins, with the clauses before it that have no such figure."""
    starts = [place for place in (0, *statement.ends) if place <= low]
    such = (each.start for each in statement.figures if each.unit in units and each.start < low)
    before = max(such, default=-1)
    return min((place for place in starts if place > before), default=max(starts))
