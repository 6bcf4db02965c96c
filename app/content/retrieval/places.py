"""The places of evidence: what stands under the same headings, right behind it, and before it. Pure."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.language.words import COLONS, tokens_in

_LEAST_REPEATED: Final = 3
_LEAST_OPTIONS: Final = 2
_SHARE_OF_OPTIONS: Final = 0.25
_LONGEST_OPENING: Final = 120
"""Tokens of a paragraph that is shown because its section begins with it."""
_MOST_GOING_ON: Final = 4
_SHORT_SECTION: Final = 300
"""Tokens of a section that is shown whole or not at all."""
_LONG_SECTION: Final = 600
"""Tokens of a section that is not shown whole because one passage of it is."""
Place = tuple[int, tuple[str, ...]]
"""A page and the headings above a unit."""


class Places:
    """The places of the units of a library, in reading order."""

    def __init__(self, units: Sequence[EvidenceUnit]) -> None:
        self.units = units

    def beside(self, units: Iterable[EvidenceUnit]) -> tuple[EvidenceUnit, ...]:
        """Return the units under the same headings: a procedure is not cut, nor a warning left out.

        Other terms of a glossary are neither; the whole description of one is, as are the notes and the
        default of an option. Of a long section, what stands right before and behind each unit is.
        """
        found: set[EvidenceUnit] = set()
        for unit in units:
            own = self._at[_place_of(unit)]
            if _place_of(unit) in self._long:
                at = own.index(unit)
                own = own[max(0, at - 1) : at + 2]
            found.update(own)
        return tuple(
            unit
            for unit in self.units
            if unit in found and (not unit.term or _place_of(unit) in self._options)
        )

    def openings_of(self, units: Iterable[EvidenceUnit]) -> tuple[EvidenceUnit, ...]:
        """Return what the sections of units begin with; it may limit them: "This only applies if …"."""
        firsts = {_place_of(unit): unit for unit in reversed(self.units)}
        found = dict.fromkeys(firsts[_place_of(unit)] for unit in units)
        return tuple(
            unit for unit in found if unit.kind == "paragraph" and tokens_in(unit.text) <= _LONGEST_OPENING
        )

    def options_beside(self, units: Iterable[EvidenceUnit]) -> tuple[EvidenceUnit, ...]:
        """Return the options of a reference that ``units`` leave out, although they have a quarter of them.

        A set-up that takes two of seven options can fail without a third one.
        """
        places = {_place_of(unit) for unit in units}
        groups: dict[Place, set[Place]] = defaultdict(set)
        for page_id, path in self._options:
            groups[page_id, path[:-1]].add((page_id, path))
        left_out: set[Place] = set()
        for options in groups.values():
            if len(options & places) >= max(_LEAST_OPTIONS, _SHARE_OF_OPTIONS * len(options)):
                left_out |= options - places
        return tuple(unit for unit in self.units if _place_of(unit) in left_out)

    @cached_property
    def _options(self) -> frozenset[Place]:
        """The places of options: what is defined there is defined under other headings, too ("Default")."""
        defined: dict[str, set[Place]] = defaultdict(set)
        for unit in self.units:
            if unit.kind == "definition" and unit.lead_in and unit.path:
                defined[unit.lead_in].add(_place_of(unit))
        return frozenset(
            place for places in defined.values() if len(places) >= _LEAST_REPEATED for place in places
        )

    def named_place_of(self, unit: EvidenceUnit) -> Place:
        """Return the place by which a unit is listed: a term of a glossary has its own, "Default" none."""
        place = _place_of(unit)
        return (unit.page_id, (*unit.path, unit.term)) if unit.term and place not in self._options else place

    def short_section_of(self, unit: EvidenceUnit) -> Sequence[EvidenceUnit]:
        """Return the units at the named place of a unit if they are few enough to be shown whole, else it."""
        place = self.named_place_of(unit)
        return self._short_sections.get(place, (unit,))

    @cached_property
    def _at(self) -> dict[Place, list[EvidenceUnit]]:
        return by_place(self.units, _place_of)

    @cached_property
    def _long(self) -> frozenset[Place]:
        return frozenset(place for place, own in self._at.items() if _tokens_of(own) > _LONG_SECTION)

    @cached_property
    def _short_sections(self) -> dict[Place, Sequence[EvidenceUnit]]:
        found = by_place(self.units, self.named_place_of)
        return {place: own for place, own in found.items() if _tokens_of(own) <= _SHORT_SECTION}

    @cached_property
    def _next(self) -> dict[str, EvidenceUnit]:
        """The unit that goes on from each, by the id of that one."""
        return {
            one.id: other
            for one, other in pairwise(self.units)
            if _place_of(one) == _place_of(other) and _goes_on(one, other)
        }

    def going_on(self, unit: EvidenceUnit) -> tuple[EvidenceUnit, ...]:
        """Return what a unit announces ("The format is:"), and the rest of an interrupted list."""
        found: list[EvidenceUnit] = []
        after = self._next.get(unit.id)
        while after is not None and len(found) < _MOST_GOING_ON:
            found.append(after)
            after = self._next.get(after.id)
        return tuple(found)


def by_place(
    units: Iterable[EvidenceUnit], place_of: Callable[[EvidenceUnit], Place]
) -> dict[Place, list[EvidenceUnit]]:
    """Return the units of each place, in their order."""
    found: dict[Place, list[EvidenceUnit]] = defaultdict(list)
    for unit in units:
        found[place_of(unit)].append(unit)
    return found


def _goes_on(one: EvidenceUnit, other: EvidenceUnit) -> bool:
    is_interrupted = {one.kind, other.kind} == {"list", "code"} and (one.numbered or other.numbered)
    return one.text.endswith(COLONS) or is_interrupted


def _tokens_of(units: Iterable[EvidenceUnit]) -> int:
    return sum(tokens_in(unit.text) for unit in units)


def _place_of(unit: EvidenceUnit) -> Place:
    return unit.page_id, unit.path
