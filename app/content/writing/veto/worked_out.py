"""The figures that a sentence works out from others, which its evidence has: 5 × €59.20 are €296. Pure.

One operation is repeated: a product, a sum, a difference, a quotient, a × b ÷ c, or a percentage. With many
figures any number is the result of something, so few figures may stand beside it.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final

from app.content.writing.veto.dates import dates
from app.content.writing.veto.figures import is_money
from app.content.writing.veto.quantities import Quantity, claimed_quantities

_MOST_FIGURES: Final = 7
"""In a sentence, the result included."""
_LEAST_DIGITS: Final = 3
"""Of a result without a unit; a smaller number may be the result of anything."""
_CENTS: Final = 2
_PERCENT: Final = "%"
_TIME_OF_DAY: Final = re.compile(r"\s?(?:[ap]\.?\s?m\b|uhr\b|o['’]clock\b)", re.IGNORECASE)
_DECIMAL: Final = re.compile(r"\d+(?:[.,](\d+))?")


@dataclass(frozen=True, eq=False)
class _Operand:
    """A value that the evidence has, with the units that it may have: "5 × 59.20" leaves euros out."""

    value: Fraction
    units: frozenset[str]

    def may_scale(self, unit: str) -> bool:
        """Return whether it may multiply figures of a unit: euros times euros are no euros."""
        return any(each != _PERCENT and (each != unit or not each) for each in self.units)


def worked_out(
    text: str, known: Collection[Quantity], language: str, header: Sequence[str] = ()
) -> tuple[Quantity, ...]:
    """Return the figures of a sentence that follow from others of it, which are ``known``.

    For a row of a table, ``header`` belongs to the sentence. A figure may rest on one that is worked out
    beside it, but no further figure on that.
    """
    claimed = list(_figures(text, language))
    beside = [each for head in header for each in _figures(head, language)]
    if len(claimed) + len(beside) > _MOST_FIGURES:
        return ()
    new = [each for each in claimed if not any(each.says(said) for said in known)]
    stated = [found for each in (*claimed, *beside) if (found := _operand(each, known)) is not None]
    first = [each for each in new if _follows(each, stated)]
    results = [_Operand(each.value, frozenset({each.unit})) for each in first if each.value is not None]
    return tuple(each for each in new if each in first or _follows(each, [*stated, *results]))


def without_figures(text: str, figures: Collection[Quantity]) -> str:
    """Return a text without some of its figures."""
    for each in sorted(figures, key=lambda figure: figure.start, reverse=True):
        text = text[: each.start] + text[each.start + len(each.written) :]
    return text


def _figures(text: str, language: str) -> Iterator[Quantity]:
    """Yield the quantities of a text that are no years, dates and times of day."""
    taken = [match.span() for date in dates(text) for match in re.finditer(re.escape(date.written), text)]
    for each in claimed_quantities(text, language):
        end = each.start + len(each.written)
        is_year = each.is_year and each.written.isdigit()
        is_of_day = is_year or _TIME_OF_DAY.match(text, end) or any(a <= each.start < b for a, b in taken)
        if not is_of_day and each.value is not None:
            yield each


def _operand(figure: Quantity, known: Collection[Quantity]) -> _Operand | None:
    """Return a figure as an operand; None if it is not known, a part of one, or nothing."""
    said = [each for each in known if figure.says(each)]
    if not said or not figure.value or "/" in figure.number:
        return None
    units = {each.unit for each in said} if figure.is_bare else set()
    return _Operand(figure.value, frozenset({figure.unit, *units}))


def _follows(result: Quantity, operands: Sequence[_Operand]) -> bool:
    """Return whether one operation gives a figure, rounded as it is written; money is exact to the cent."""
    decimals = _DECIMAL.fullmatch(result.number)
    digits = sum(map(str.isdigit, result.number))
    if decimals is None or result.value is None or not (result.unit or digits >= _LEAST_DIGITS):
        return False
    is_of_known_unit = bool(result.unit or result.counted)
    units = {result.unit} if is_of_known_unit else {"", *(unit for each in operands for unit in each.units)}
    places = len(decimals[1] or "")
    for unit in units:
        step = Fraction(1, 10 ** (max(_CENTS, places) if is_money(unit) else places))
        if any(2 * abs(made - result.value) <= step for made in _made(operands, unit)):
            return True
    return False


def _made(operands: Sequence[_Operand], unit: str) -> Iterator[Fraction]:
    """Yield what one operation on figures gives in a unit; "" is none."""
    own = [each for each in operands if unit in each.units]
    for summed in (own, [each for each in own if each.units == {unit}]):
        if len(summed) > 1:
            yield sum((each.value for each in summed), Fraction(0))
    for low, high in combinations(sorted({each.value for each in own}), 2):
        yield low + high
        yield high - low
    for one in own:
        for other in operands:
            if other is not one:
                yield from _scaled(one, other, operands, unit)
    if not unit:
        yield from (one.value / other.value for one, other in _alike(operands))


def _scaled(one: _Operand, other: _Operand, operands: Sequence[_Operand], unit: str) -> Iterator[Fraction]:
    """Yield a figure times another, divided by it, at the rate of a third, and by a percentage."""
    if _PERCENT in other.units and unit != _PERCENT:
        share = one.value * other.value / 100
        yield from (share, one.value - share, one.value + share)
    if other.may_scale(unit):
        yield one.value * other.value
        yield one.value / other.value
        for first, second in _alike(operands):
            if first is other and second is not one:
                yield one.value * other.value / second.value


def _alike(operands: Sequence[_Operand]) -> Iterator[tuple[_Operand, _Operand]]:
    """Yield each two figures of one unit."""
    for one in operands:
        yield from ((one, other) for other in operands if other is not one and one.units & other.units)
