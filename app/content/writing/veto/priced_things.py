"""Finds a plan or a priced article in the place of another: what Landlord covers is said of Essential. Pure.

The plans of a page and the rows of a table of prices are sold beside each other. A sentence that repeats a
statement of its evidence, but names another of them than this statement, has exchanged them. A name is
written as on the price list: "an instrument" is not the hire of an "Instrument".
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from app.content.evidence.units import EvidenceUnit
from app.content.rendering.markdown import occurrences
from app.content.writing.veto.evidence import prose_of
from app.content.writing.veto.figures import is_money
from app.content.writing.veto.quantities import quantities
from app.content.writing.veto.statements import statements, statements_of, together

_LONGEST_NAME: Final = 3
_LEAST_SHARED: Final = 2
_SHARE: Final = 3
"""A statement is repeated by a sentence that has a third of its words from there."""


class _Sold(NamedTuple):
    """A name, the stems of its words, and those that no other thing sold beside it has."""

    name: str
    stems: frozenset[str]
    own: frozenset[str]


class PricedThings:
    """The plans and priced articles in the evidence of an article."""

    def __init__(self, units: Iterable[EvidenceUnit], language: str) -> None:
        self._units = tuple(units)
        self._language = language

    def exchanged(self, text: str, units: Sequence[EvidenceUnit]) -> Iterator[tuple[str, str]]:
        """Yield (name, statement) if the statement that a sentence repeats names another thing instead."""
        said = together(statements(text, self._language))
        for group in self._groups:
            touched = [each for each in group if each.own & said.stems]
            if len(touched) != 1 or not occurrences(touched[0].name, text):
                continue
            rest = said.marks - touched[0].stems
            repeated = self._repeated(rest, units)
            if (
                repeated
                and self._is_another(touched[0], repeated[0], group)
                and not self._is_stated(touched[0], rest, units)
            ):
                yield touched[0].name, repeated[1]

    @cached_property
    def _groups(self) -> list[list[_Sold]]:
        plans: dict[int, dict[str, None]] = {}
        names: list[Iterable[str]] = []
        for unit in self._units:
            if unit.kind == "price":
                plans.setdefault(unit.page_id, {})[unit.heading] = None
            elif unit.kind == "table" and self._has_prices(unit):
                names.append(dict.fromkeys(map(unit.name_of, unit.rows)))
        found = (self._beside_each_other(each) for each in (*plans.values(), *names))
        return [each for each in found if len(each) > 1]

    def _has_prices(self, unit: EvidenceUnit) -> bool:
        """Return whether half of the rows of a table have a price."""
        cells = ("\n".join(row[unit.heads :]) for row in unit.rows)
        priced = [any(is_money(each.unit) for each in quantities(text, self._language)) for text in cells]
        return 2 * sum(priced) >= len(priced) > 0

    def _beside_each_other(self, names: Iterable[str]) -> list[_Sold]:
        stems = {name: together(statements(name, self._language)).stems for name in names}
        times = Counter(each for words in stems.values() for each in words)
        found = (
            _Sold(name, words, frozenset(each for each in words if times[each] == 1))
            for name, words in stems.items()
            if len(words) <= _LONGEST_NAME
        )
        return [each for each in found if each.own]

    def _parts(self, units: Iterable[EvidenceUnit]) -> Iterator[tuple[frozenset[str], str]]:
        """Yield the words and figures of each item, row or statement, with those of its headings."""
        for unit in units:
            whole = [" | ".join(row) for row in unit.rows] or unit.items
            parts = [together(statements(each, self._language)) for each in whole]
            about = together(statements(unit.about, self._language)).stems
            for each in parts or statements_of([unit], self._language):
                yield each.marks | about, each.text

    def _repeated(
        self, rest: frozenset[str], units: Sequence[EvidenceUnit]
    ) -> tuple[frozenset[str], str] | None:
        """Return the part with most words of a sentence, if it has a third of them."""
        best = max(
            self._parts(prose_of(units)), key=lambda each: (len(rest & each[0]), -len(each[0])), default=None
        )
        shared = len(rest & best[0]) if best else 0
        return best if shared >= max(_LEAST_SHARED, len(rest) / _SHARE) else None

    def _is_another(self, named: _Sold, repeated: frozenset[str], group: Sequence[_Sold]) -> bool:
        return named.own.isdisjoint(repeated) and any(
            each.stems <= repeated for each in group if each != named
        )

    def _is_stated(self, named: _Sold, rest: frozenset[str], units: Sequence[EvidenceUnit]) -> bool:
        """Return whether a part has a thing with half of the words that the best part has."""
        parts = [each for each, _ in self._parts(units)]
        most = max(len(rest & each) for each in parts)
        return any(named.own <= each and 2 * len(rest & each) >= most for each in parts)
