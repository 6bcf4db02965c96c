"""The numbers in the names of a table's rows and columns, and in its caption: they are no figures. Pure."""

from collections.abc import Iterable

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.quantities import Quantity, quantities
from app.language.stems import content_stems

_Numbers = tuple[frozenset[tuple[str, str]], frozenset[str]]
"""The numbers of a name with their units, and the stems of the rest of it."""


class NumbersInNames:
    """The numbers in the names and captions of the evidence of an article."""

    def __init__(self, language: str) -> None:
        self._language = language
        self._names: dict[str, tuple[_Numbers, ...]] = {}
        self._captions: dict[str, _Numbers] = {}

    def add(self, unit: EvidenceUnit, names: Iterable[str]) -> None:
        """Add the names of a unit's rows, columns or plans, and its caption."""
        self._names[unit.id] = tuple(map(self._numbers_in, names))
        self._captions[unit.id] = self._numbers_in(unit.caption)

    def has(self, figure: Quantity, units: Iterable[EvidenceUnit], said: frozenset[str]) -> bool:
        """Return whether a number is part of a name in the sentence, such as the row "six weeks after".

        Beside its unit, half of the name is enough: "£90 after three years" for "Resale after 3 years".
        """
        for numbers, rest in (each for unit in units for each in self._names.get(unit.id, ())):
            if rest and rest <= said and any(figure.number == number for number, _ in numbers):
                return True
            is_half = 2 * len(rest & said) >= len(rest) > 0
            if is_half and figure.unit and (figure.number, figure.unit) in numbers:
                return True
        return False

    def in_captions(self, said: frozenset[str], units: Iterable[EvidenceUnit]) -> frozenset[str]:
        """Return the numbers in the captions of tables that share a word with a sentence."""
        captions = (self._captions[unit.id] for unit in units if unit.id in self._captions)
        return frozenset(number for numbers, words in captions if words & said for number, _ in numbers)

    def _numbers_in(self, name: str) -> _Numbers:
        numbers = quantities(name, self._language)
        rest = set(content_stems(name, self._language))
        rest -= set(content_stems(" ".join(each.written for each in numbers), self._language))
        return frozenset((each.number, each.unit) for each in numbers), frozenset(rest)
