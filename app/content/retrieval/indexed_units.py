"""Evidence units with their stems, stemmed once for all who search them. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from app.content.evidence.units import EvidenceUnit
from app.language.stems import content_stems


@dataclass(frozen=True)
class IndexedUnit:
    """A unit with the stems of its text, repeats kept, and of the headings above it."""

    unit: EvidenceUnit
    stems: tuple[str, ...]
    heading_stems: tuple[str, ...]


def indexed_units(units: Iterable[EvidenceUnit], language: str) -> tuple[IndexedUnit, ...]:
    """Return units with their stems, in the same order."""
    above: dict[str, tuple[str, ...]] = {}
    found = []
    for unit in units:
        if unit.about not in above:
            above[unit.about] = tuple(content_stems(unit.about, language))
        stems = tuple(content_stems(unit.text, language))
        found.append(IndexedUnit(unit, stems, above[unit.about]))
    return tuple(found)
