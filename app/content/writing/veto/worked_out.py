"""The figures that a sentence works out from others, which its evidence has: 5 × €59.20 are €296. Pure.

One operation is repeated: a product, a sum, a difference, a quotient, a × b ÷ c, a percentage, or a change in
per cent. With many figures any number is the result of something, so few figures may stand beside it.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final

from app.content.writing.veto.dates import dates
from app.content.writing.veto.figures import is_money
from app.content.writing.veto.quantities import Quantity, claimed_quantities, known_quantities
from app.language.stems import stem

_LEAST_FIGURES: Final = 3
_MOST_FIGURES: Final = 7
"""In a sentence, the result included."""
_LEAST_DIGITS: Final = 3
"""Of a result without a unit; a smaller number may be the result of anything."""
_LEAST_DIGITS_COUNTED: Final = 2
"""Of a result that counts what a figure before it counts: 7 rows of 12 trees are 84 trees."""
_CENTS: Final = 2
_COMPARED: Final = 2
_PERCENT: Final = "%"
_TIME_OF_DAY: Final = re.compile(
    r"\s?(?:[ap]m\b(?!\s[^\W\d_a-z])|[AP]M\b|(?i:[ap]\.\s?m\b|uhr\b|o['’]clock\b))"
)
"""What stands after a time of the day; German "am" before a noun is none: "4 am Tag"."""
_DECIMAL: Final = re.compile(r"\d+(?:[.,](\d+))?")


@dataclass(frozen=True, eq=False)
class _Operand:
    """A value that the evidence has, with the units that it may have: "5 × 59.20" leaves euros out."""

    value: Fraction
    units: frozenset[str]
    thing: str
    """The stem of what it counts, if it has no unit."""

    @property
    def kinds(self) -> frozenset[str]:
        """What it can be compared by."""
        return (self.units | {self.thing}) - {"", _PERCENT}

    def may_scale(self, unit: str) -> bool:
        """Return whether it may multiply figures of a unit: euros times euros are no euros."""
        return any(each != _PERCENT and (each != unit or not each) for each in self.units)


def worked_out(
    text: str,
    said: str,
    language: str,
    header: Sequence[str] = (),
    earlier: Collection[Quantity] = (),
) -> tuple[Quantity, ...]:
    """Return the figures of a sentence that follow from others of it, which are in the text ``said``.

    For a row of a table, ``header`` belongs to the sentence. A figure may rest on one that is worked out
    beside it or ``earlier``, but no further figure on that.
    """
    claimed = list(_figures(text, language))
    beside = [each for head in header for each in _figures(head, language)]
    if not _LEAST_FIGURES <= len(claimed) + len(beside) <= _MOST_FIGURES:
        return ()
    known = known_quantities(said, language)
    new = [each for each in claimed if not any(each.says(other) for other in known)]
    stated = _operands((*claimed, *beside), known, language)
    first = [each for each in new if _follows(each, stated.values(), language)]
    left = [each for each in new if each not in first]
    again = _operands(left, earlier, language)
    operands = [*stated.values(), *_operands(first, first, language).values(), *again.values()]
    second = [each for each in left if each not in again and _follows(each, operands, language)]
    return tuple(each for each in new if each in first or each in second or (second and each in again))


def without_figures(text: str, figures: Collection[Quantity]) -> str:
    """Return a text without some of its figures."""
    for each in sorted(figures, key=lambda figure: figure.start, reverse=True):
        text = text[: each.start] + text[each.start + len(each.written) :]
    return text


def _figures(text: str, language: str) -> Iterator[Quantity]:
    """Yield the quantities of a text that are no years, dates and times of day."""
    written = {date.written for date in dates(text)}
    taken = [match.span() for date in written for match in re.finditer(re.escape(date), text)]
    for each in claimed_quantities(text, language):
        is_year = each.is_year and each.written.isdigit() and not _thing(each, language)
        end = each.start + len(each.written)
        is_of_day = is_year or _TIME_OF_DAY.match(text, end) or any(a <= each.start < b for a, b in taken)
        if not is_of_day and each.value is not None:
            yield each


def _thing(figure: Quantity, language: str) -> str:
    """Return the stem of what a figure counts; empty if it has a unit, or counts nothing."""
    return "" if figure.unit or not figure.is_before_thing else stem(figure.counted, language)


def _operands(
    figures: Iterable[Quantity], known: Collection[Quantity], language: str
) -> dict[Quantity, _Operand]:
    """Return the figures that are known, as operands; a part ("1/3"), nothing and a year are none."""
    found = {}
    for each in figures:
        said = {other.unit for other in known if each.says(other)}
        may_be_year = each.is_year and each.written.isdigit()
        if said and each.value and "/" not in each.number and not may_be_year:
            units = frozenset({each.unit, *(said if each.is_bare else ())})
            found[each] = _Operand(each.value, units, _thing(each, language))
    return found


def _follows(result: Quantity, operands: Collection[_Operand], language: str) -> bool:
    """Return whether one operation gives a figure, rounded as it is written; money is exact to the cent."""
    decimals = _DECIMAL.fullmatch(result.number)
    if decimals is None or result.value is None:
        return False
    places = len(decimals[1] or "")
    for unit, made in _made_for(result, operands, language):
        step = Fraction(1, 10 ** (max(_CENTS, places) if is_money(unit) else places))
        if any(2 * abs(each - result.value) <= step for each in made):
            return True
    return False


def _made_for(
    result: Quantity, operands: Collection[_Operand], language: str
) -> Iterator[tuple[str, Iterator[Fraction]]]:
    """Yield each unit that a result may have, with what one operation gives in it."""
    digits = sum(map(str.isdigit, result.number))
    if result.unit or digits >= _LEAST_DIGITS:
        is_of_known_unit = bool(result.unit or result.counted)
        all_units = {"", *(unit for each in operands for unit in each.units)}
        for unit in {result.unit} if is_of_known_unit else all_units:
            yield unit, _made(operands, unit)
    elif digits >= _LEAST_DIGITS_COUNTED and (thing := _thing(result, language)):
        same = [each for each in operands if each.thing == thing]
        yield "", _made_from(same, [each for each in operands if each not in same], "")


def _made(operands: Collection[_Operand], unit: str) -> Iterator[Fraction]:
    """Yield what one operation on figures gives in a unit; "" is none."""
    yield from _made_from([each for each in operands if unit in each.units], operands, unit)
    if not unit:
        yield from (one.value / other.value for one, other in _alike(operands))
    if unit == _PERCENT:
        yield from _changes(operands)


def _made_from(own: Sequence[_Operand], others: Collection[_Operand], unit: str) -> Iterator[Fraction]:
    """Yield sums and differences of figures of one unit, and what others make of one of them."""
    for summed in (own, [each for each in own if each.units == {unit}]):
        if len(summed) > 1:
            yield sum((each.value for each in summed), Fraction(0))
    for low, high in combinations(sorted({each.value for each in own}), 2):
        yield low + high
        yield high - low
    for one in own:
        for other in others:
            if other is not one:
                yield from _scaled(one, other, others, unit)


def _changes(operands: Collection[_Operand]) -> Iterator[Fraction]:
    """Yield by how many per cent the only two figures of a unit, or of a thing, differ."""
    for kind in {kind for each in operands for kind in each.kinds}:
        values = sorted({each.value for each in operands if kind in each.kinds})
        if len(values) == _COMPARED:
            low, high = values
            yield from ((high - low) * 100 / low, (high - low) * 100 / high)


def _scaled(one: _Operand, other: _Operand, operands: Collection[_Operand], unit: str) -> Iterator[Fraction]:
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


def _alike(operands: Collection[_Operand]) -> Iterator[tuple[_Operand, _Operand]]:
    """Yield each two figures of one unit."""
    for one in operands:
        yield from ((one, other) for other in operands if other is not one and one.units & other.units)
