"""Finds a label with what the evidence says of another: the rows of a table, items, definitions, plans. Pure.

The evidence "Brambles: the coarse stone. Fine edges: sandstone and slate" has a label for each thing. A
sentence about the one label that has only words of the other has taken them from it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.owned_figures import is_denied, is_property
from app.content.writing.veto.statements import statements, statements_of, together

_LABELLED: Final = re.compile(r"([^:.：]{2,60}?)(?:[:.]|\s[–—])\s+(.+)|([^:：]{1,30})：\s*(.+)", re.DOTALL)
_SURE: Final = 2
"""Words that are enough to identify a thing; a label of so many needs one word of another."""


class _Thing(NamedTuple):
    """A label, the stems and figures in it, and those of what is said of it."""

    label: str
    named: frozenset[str]
    said: frozenset[str]


def mislabelled(text: str, units: Sequence[EvidenceUnit], language: str) -> Iterator[tuple[str, str]]:
    """Yield (label, other label) if a sentence names the one and says what its evidence says of the other.

    Words that evidence without such labels has too may be from there.
    """
    said = together(statements(text, language))
    for members, things in _groups(units, language):
        rest = together(statements_of([each for each in units if each not in members], language))
        marks = said.marks - (rest.marks - frozenset().union(*(each.named for each in things)))
        times = Counter(mark for each in things for mark in each.named | each.said)
        single = frozenset(mark for mark, number in times.items() if number == 1) & marks
        named = [each for each in things if each.named <= marks and each.named & single & said.stems]
        whole = _named_in(marks, things)
        touched = [each for each in things if each.named & single or each in whole]
        if len(named) != 1 or touched != named or named[0].said & said.marks:
            continue
        if is_denied(named[0].label, text, language):
            continue  # "no joining fee"
        least = 1 if len(named[0].named) >= _SURE else _SURE
        for other in things:
            taken = other.said & single
            # Whose a figure is, other rules find.
            has_word = any(map(str.isalpha, taken))
            if other is not named[0] and len(taken) >= least and has_word:
                yield named[0].label, other.label


def _named_in(marks: frozenset[str], things: Sequence[_Thing]) -> list[_Thing]:
    """Return the things whose names are in ``marks``, without a name that is a part of another there."""
    whole = [each for each in things if each.named <= marks]
    return [each for each in whole if not any(each.named < other.named for other in whole)]


def _groups(
    units: Sequence[EvidenceUnit], language: str
) -> Iterator[tuple[Sequence[EvidenceUnit], list[_Thing]]]:
    """Yield the things that stand beside each other in the evidence, with the units that have them."""
    groups = [([unit], _rows(unit) if unit.kind == "table" else _items(unit)) for unit in units]
    for kind in ("definition", "price"):
        alike = [unit for unit in units if unit.kind == kind and unit.lead_in]
        groups.append((alike, [(_label(unit), "\n".join((unit.lead_in, *unit.items))) for unit in alike]))
    for members, group in groups:
        things = [_thing(label, said, language) for label, said in group]
        if len(things) > 1:
            yield members, [each for each in things if each.named]


def _rows(unit: EvidenceUnit) -> list[tuple[str, str]]:
    rows = (row for row in unit.rows if not is_property(unit, row))
    return [(unit.name_of(row), "\n".join(row[unit.heads :])) for row in rows]


def _items(unit: EvidenceUnit) -> list[tuple[str, str]]:
    found = (_LABELLED.fullmatch(item) for item in unit.items if unit.kind == "list")
    return [(match[1] or match[3], match[2] or match[4]) for match in found if match]


def _label(unit: EvidenceUnit) -> str:
    return unit.heading if unit.kind == "price" else unit.lead_in


def _thing(label: str, said: str, language: str) -> _Thing:
    named = together(statements(label, language)).marks
    return _Thing(label, named, together(statements(said, language)).marks - named)
