"""Finds figures that a sentence puts equal to another than its evidence does: "192, or 3.2 par". Pure."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.quantities import Quantity
from app.content.writing.veto.statements import Statement, statements, statements_of
from app.language.languages import merged
from app.language.words import alternatives


class _Equal(NamedTuple):
    figure: Quantity
    restated: Quantity


@cache
def _says_again() -> re.Pattern[str]:
    """Return what stands between a figure, with its unit, and the figure that says it again."""
    listing = alternatives(merged(lambda language: language.figures).listing)
    return re.compile(rf"\s?(?:[^\W\d_]+\s?)?(?:,\s(?:{listing})\s|\s?=\s?|\s?\()", re.IGNORECASE)


def restated_otherwise(
    text: str, units: Sequence[EvidenceUnit], language: str
) -> Iterator[tuple[Quantity, Quantity]]:
    """Yield each figure with the one that its evidence has in this place; figures of one statement pass."""
    claimed = [each for one in statements(text, language) for each in _equal(one)]
    known = statements_of(units, language) if claimed else []
    for figure, restated in claimed:
        if any(_has(each, figure) and _has(each, restated) for each in known):
            continue
        for statement in known:
            for each in _equal(statement):
                if figure.says(each.figure) and restated.unit == each.restated.unit:
                    yield restated, each.restated


def _equal(statement: Statement) -> Iterator[_Equal]:
    for first, second in pairwise(statement.figures):
        between = statement.text[first.start + len(first.written) : second.start]
        if _says_again().fullmatch(between):
            yield _Equal(first, second)


def _has(statement: Statement, figure: Quantity) -> bool:
    return any(figure.says(each) for each in statement.figures)
