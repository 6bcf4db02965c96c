"""The short names of plans, rows, columns and values, as a sentence repeats them. Pure."""

import re
from collections.abc import Collection, Iterable
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.rendering.markdown import occurrences
from app.language.languages import language_data
from app.language.words import fold

_VALUE: Final = re.compile(r"([^\W\d_A-Z]{4,})(?: [–—-] |: )")
_LONGEST_LABEL: Final = 3
"""Words of a name that a sentence repeats."""


def plans(units: Iterable[EvidenceUnit]) -> frozenset[str]:
    """Return the short names of plans."""
    return _short(unit.heading for unit in units if unit.kind == "price")


def columns(units: Iterable[EvidenceUnit], text: str) -> frozenset[str]:
    """Return the short names of columns that ``text`` never has in small letters: they are no other words.

    The columns of a table without a name for its rows are things that it compares, others are properties.
    """
    compared = [unit for unit in units if unit.kind == "table" and unit.header and not unit.header[0].strip()]
    found = _short(each for unit in compared for each in unit.header[unit.heads :])
    return frozenset(each for each in found if not occurrences(each.lower(), text))


def labels(units: Iterable[EvidenceUnit], language: str) -> frozenset[str]:
    """Return the short names of rows and columns; where nouns have capitals, none is known as a name."""
    if language_data(language).words.capital_nouns:
        return frozenset()
    tables = [unit for unit in units if unit.kind == "table"]
    return _short(each for unit in tables for each in (*unit.header, *map(unit.name_of, unit.rows)))


def explained_values(units: Iterable[EvidenceUnit]) -> frozenset[str]:
    """Return the words that lists explain: "- robust – …", "- asynchronous – …"."""
    items = (item for unit in units if unit.kind in {"list", "definition"} for item in unit.items)
    return frozenset(match[1] for match in map(_VALUE.match, items) if match)


def without_figures(
    labels: Collection[str], figures: Collection[str], listing: Iterable[EvidenceUnit]
) -> bool:
    """Return whether the tables and price cards with one of these labels have none of the figures.

    Then the label does not say whose the figures are.
    """
    having = [unit.text for unit in listing if any(each in unit.text for each in labels)]
    return not any(each in text for text in having for each in figures)


def _short(labels: Iterable[str]) -> frozenset[str]:
    found = map(fold, labels)
    return frozenset(each for each in found if each[:1].isupper() and len(each.split()) <= _LONGEST_LABEL)
