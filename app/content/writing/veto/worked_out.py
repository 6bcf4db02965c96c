"""The figures that a sentence calculates from figures of its evidence: 5 × €59.20 is €296. Pure.

A figure follows if one operation gives it: a product, a sum, a difference, a quotient, a × b ÷ c, a
percentage or a fraction in words, or a change in per cent. With many figures, some operation gives nearly any
number by chance, so a sentence with too many is not examined.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Final

from app.content.writing.veto.dates import dates
from app.content.writing.veto.figures import is_money
from app.content.writing.veto.quantities import (
    Quantity,
    claimed_quantities,
    is_about,
    known_quantities,
    small_words,
)
from app.content.writing.veto.written_out import DECIMAL, PERCENT, factored, factors_in_words, written_out
from app.language.languages import merged
from app.language.number_words import possible_fractions
from app.language.stems import stem
from app.language.words import CAPITALS, alternatives

_LEAST_FIGURES: Final = 3
_MOST_FIGURES: Final = 7
"""Figures of a sentence, including the result; at most so many different ones."""
_LEAST_DIGITS: Final = 3
"""Digits of a result without a unit; some operation gives a shorter number by chance."""
_LEAST_DIGITS_COUNTED: Final = 2
"""Digits of a result that counts the same thing as another figure: 7 rows of 12 trees are 84 trees."""
_CENTS: Final = 2
"""Decimals of an amount of money."""
_WORD: Final = re.compile(r"\s([^\W\d_]+)")
_NEAR: Final = 6
"""Characters between "a quarter of" and its figure: "the €"."""
_COMPARED: Final = 2
"""Figures that a change in per cent compares; of more, it would be unclear which are meant."""
_TIME_OF_DAY: Final = re.compile(
    rf"\s?(?:[ap]m\b(?!\s[{CAPITALS}])|[AP]M\b|(?i:[ap]\.\s?m\b|uhr\b|o['’]clock\b))"
)
"""What follows a time of day. German "am" before a noun does not: "4 am Tag"."""


@dataclass(frozen=True, eq=False)
class _Operand:
    """A figure of the evidence with its possible units: a sentence may leave its unit out ("5 × 59.20").

    A fraction in words has none, and only scales other figures.
    """

    value: Fraction
    units: frozenset[str]
    thing: str
    """The stem of what it counts, if it has no unit."""

    @property
    def kinds(self) -> frozenset[str]:
        """The units and the thing by which it can be compared with other figures."""
        return (self.units | {self.thing}) - {"", PERCENT}

    def may_scale(self, unit: str) -> bool:
        """Return whether figures of a unit may be multiplied by it: euros times euros are not euros."""
        return any(each != PERCENT and (each != unit or not each) for each in self.units)


@dataclass(frozen=True)
class WorkedOut:
    """The figures that a sentence calculates, and the factors that it calculates them with."""

    results: tuple[Quantity, ...] = ()
    factors: tuple[Quantity, ...] = ()
    """Those that need no evidence of their own, such as the 3 of "3 × £45 = £135"."""


def worked_out(
    text: str,
    said: str,
    language: str,
    header: Sequence[str] = (),
    earlier: Collection[Quantity] = (),
) -> WorkedOut:
    """Return the figures that a sentence calculates from its other figures, which must be in ``said``.

    ``said`` is its evidence, ``header`` the column names if it is a row of a table. A figure may also be
    calculated from ``earlier`` results, or from one in the same sentence; a third step does not count.
    """
    claimed = list(figures_in(text, language))
    beside = [each for head in header for each in figures_in(head, language)]
    figures = [*claimed, *beside, *_shares_beside(text, claimed)]
    scaling = [each for each in figures if not _is_share(each) or _scales(each, text, claimed)]
    different = {(each.number, each.unit) for each in scaling}
    if len(figures) < _LEAST_FIGURES or len(different) > _MOST_FIGURES:
        return WorkedOut()
    known = known_quantities(said, language)
    new = [each for each in claimed if not any(each.says(other) for other in known)]
    stated = _operands(scaling, known, language)
    rounded = [each for each in new if len(each.number) >= _LEAST_DIGITS and is_about(each, text)]
    first = [each for each in new if _follows(each, stated.values(), language, rounded)]
    left = [each for each in new if each not in first]
    again = _operands(left, earlier, language)
    written = list(written_out(text, claimed, {*stated, *again}))
    first += [each.result for each in written if each.result in new and each.result not in first]
    scaled = tuple(factored(text, claimed, stated, _parts(known)))
    first += [result for _, result in scaled if result in new and result not in first]
    known_values = [*stated.values(), *_operands(first, first, language).values(), *again.values()]
    second = [each for each in left if each not in again and _follows(each, known_values, language, rounded)]
    goes_on = (
        second
        or any({each.one, each.other} & again.keys() for each in written)
        or (again and _is_given(claimed, new, {**stated, **again}, language))
    )
    results = [each for each in new if each in first or each in second or (goes_on and each in again)]
    # One that is written out follows, though the evidence may have the same figure of another thing.
    results += [each.result for each in written if each.result not in new]
    factors = [factor for factor, _ in scaled]
    factors += factors_in_words(text, claimed, factors)
    return WorkedOut(tuple(results), tuple(dict.fromkeys(factors)))


def _shares_beside(text: str, claimed: Collection[Quantity]) -> list[Quantity]:
    """Return the fractions in words beside the figures of a text: "a quarter after a year is £1,850"."""
    taken = {each.start for each in claimed}
    found = (each for each in possible_fractions(text) if each.start not in taken)
    return [Quantity(each.words, each.number, "", "", each.start) for each in found]


def _scales(share: Quantity, text: str, figures: Iterable[Quantity]) -> bool:
    """Return whether a fraction may be one of a figure: not in "a third plan", "a quarter of the members"."""
    end = share.start + len(share.written)
    if whole := _of().match(text, end):
        return any(0 <= each.start - whole.end() <= _NEAR for each in figures)
    after = _WORD.match(text, end)
    return after is None or after[1].lower() in small_words()


@cache
def _of() -> re.Pattern[str]:
    """Return a pattern of what stands between a part and its whole, in all languages: "of", "d’"."""
    words = alternatives(merged(lambda language: language.figures).of)
    return re.compile(rf"\s(?:{words})(?:\s|(?<=['’]))", re.IGNORECASE)


def _is_share(figure: Quantity) -> bool:
    """Return whether a figure is a fraction in words, "a quarter": not "203/1200", nor "half an hour"."""
    is_fraction = "/" in figure.number and "/" not in figure.written and not figure.unit
    return is_fraction and figure.value is not None and figure.value < 1


def _parts(known: Iterable[Quantity]) -> set[int]:
    """Return into how many parts the fractions in words of the evidence divide a whole."""
    return {int(each.number.split("/")[1]) for each in known if _is_share(each)}


def _is_given(
    claimed: Iterable[Quantity],
    new: Collection[Quantity],
    operands: Mapping[Quantity, _Operand],
    language: str,
) -> bool:
    """Return whether the evidence has a figure of a sentence that also follows from the others."""
    for each in claimed:
        others = [operand for figure, operand in operands.items() if figure != each]
        if each not in new and _follows(each, others, language):
            return True
    return False


def figures_in(text: str, language: str) -> Iterator[Quantity]:
    """Yield the quantities of a text, without years, dates and times of day."""
    written = {date.written for date in dates(text)}
    taken = [match.span() for date in written for match in re.finditer(re.escape(date), text)]
    for each in claimed_quantities(text, language):
        is_year = each.is_year and each.written.isdigit() and not thing_of(each, language)
        end = each.start + len(each.written)
        is_of_day = is_year or _TIME_OF_DAY.match(text, end) or any(a <= each.start < b for a, b in taken)
        if not is_of_day and each.value is not None:
            yield each


def thing_of(figure: Quantity, language: str) -> str:
    """Return the stem of what a figure counts; empty if it has a unit, or counts nothing."""
    return "" if figure.unit or not figure.is_before_thing else stem(figure.counted, language)


def _operands(
    figures: Iterable[Quantity], known: Collection[Quantity], language: str
) -> dict[Quantity, _Operand]:
    """Return the known figures as operands. Zero, years and "1/3" in digits are left out."""
    found = {}
    for each in figures:
        said = {other.unit for other in known if each.says(other)}
        may_be_year = each.is_year and each.written.isdigit()
        if _is_share(each) and each.value and said & {"", PERCENT}:
            found[each] = _Operand(each.value, frozenset(), "")
        elif said and each.value and "/" not in each.number and not may_be_year:
            units = frozenset({each.unit, *(said if each.is_bare else ())})
            found[each] = _Operand(each.value, units, thing_of(each, language))
    return found


def _follows(
    result: Quantity,
    operands: Collection[_Operand],
    language: str,
    rounded: Collection[Quantity] = (),
) -> bool:
    """Return whether one operation gives a figure, rounded as it is written.

    Money is exact to the cent, unless it is among the ``rounded`` figures.
    """
    decimals = DECIMAL.fullmatch(result.number)
    if decimals is None or result.value is None:
        return False
    places = len(decimals[1] or "")
    for unit, made in _made_for(result, operands, language):
        is_exact = is_money(unit) and result not in rounded
        step = Fraction(1, 10 ** (max(_CENTS, places) if is_exact else places))
        if any(2 * abs(each - result.value) <= step for each in made):
            return True
    return False


def _made_for(
    result: Quantity, operands: Collection[_Operand], language: str
) -> Iterator[tuple[str, Iterator[Fraction]]]:
    """Yield each unit that a result may have, with the results of one operation in that unit."""
    digits = sum(map(str.isdigit, result.number))
    if result.unit or digits >= _LEAST_DIGITS:
        is_of_known_unit = bool(result.unit or result.counted)
        all_units = {"", *(unit for each in operands for unit in each.units)}
        for unit in {result.unit} if is_of_known_unit else all_units:
            yield unit, _made(operands, unit)
    elif digits >= _LEAST_DIGITS_COUNTED and (thing := thing_of(result, language)):
        same = [each for each in operands if each.thing == thing]
        yield "", _made_from(same, [each for each in operands if each not in same], "")


def _made(operands: Collection[_Operand], unit: str) -> Iterator[Fraction]:
    """Yield the results of one operation in a unit; "" is for figures without one."""
    yield from _made_from([each for each in operands if unit in each.units], operands, unit)
    if not unit:
        yield from (one.value / other.value for one, other in _alike(operands))
    if unit == PERCENT:
        yield from _changes(operands)


def _made_from(own: Sequence[_Operand], others: Collection[_Operand], unit: str) -> Iterator[Fraction]:
    """Yield sums and differences of figures of one unit, and each of these figures scaled by the others."""
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
    """Yield a figure times another, divided by it, in proportion (a × b ÷ c), and changed by a percentage."""
    if PERCENT in other.units and unit != PERCENT:
        share = one.value * other.value / 100
        yield from (share, one.value - share, one.value + share)
    if not other.units:
        yield one.value * other.value
    if other.may_scale(unit):
        yield one.value * other.value
        yield one.value / other.value
        for first, second in _alike(operands):
            if first is other and second is not one:
                yield one.value * other.value / second.value


def _alike(operands: Collection[_Operand]) -> Iterator[tuple[_Operand, _Operand]]:
    """Yield all ordered pairs of figures that share a unit."""
    for one in operands:
        yield from ((one, other) for other in operands if other is not one and one.units & other.units)
