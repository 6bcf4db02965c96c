"""Operations that a sentence writes out with their signs: "4 ÷ 2.5 = 1.6". Pure."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from app.content.writing.veto.quantities import Quantity

PERCENT: Final = "%"
_UNIT: Final = r"\s?[€£$%]?(?:\s?[^\W\d_]+){0,2}"
_SIGN: Final = re.compile(rf"{_UNIT}\s?([×x*·÷/:+−–-])\s?[€£$]?")
_EQUALS: Final = re.compile(rf"{_UNIT}\s?=\s?[€£$]?")
_CHAINED: Final = re.compile(r"[×x*·÷/:+−–(-]\s?[€£$]?$")
DECIMAL: Final = re.compile(r"\d+(?:[.,](\d+))?")


def written_out(text: str, figures: Sequence[Quantity], operands: Collection[Quantity]) -> Iterator[Quantity]:
    """Yield the results of the operations on ``operands`` that a text writes out; ``figures`` are all of it.

    A chain of operations has none.
    """
    for one, other, result in zip(figures, figures[1:], figures[2:], strict=False):
        ends = [each.start + len(each.written) for each in (one, other)]
        sign = _SIGN.fullmatch(text, ends[0], other.start)
        is_whole = _EQUALS.fullmatch(text, ends[1], result.start) and not _CHAINED.search(text, 0, one.start)
        if not (sign and is_whole and {one, other} <= set(operands)):
            continue
        made = _OPERATIONS[sign[1]](one, other)
        if made and result.unit in made[1] and _is_rounded(made[0], result):
            yield result


def _is_rounded(made: Fraction, result: Quantity) -> bool:
    """Return whether a result is exact, or rounded to decimals."""
    decimals = DECIMAL.fullmatch(result.number)
    if result.value is None or decimals is None:
        return False
    places = len(decimals[1] or "")
    return made == result.value or (places > 0 and 2 * abs(made - result.value) <= Fraction(1, 10**places))


_Made = tuple[Fraction, frozenset[str]] | None
"""A result with the units that it may have; None if figures of such units have none."""


def _product(one: Quantity, other: Quantity) -> _Made:
    if PERCENT in {one.unit, other.unit} or (one.unit and one.unit == other.unit):
        return None
    return _value(one) * _value(other), frozenset({one.unit, other.unit, ""})


def _quotient(one: Quantity, other: Quantity) -> _Made:
    if PERCENT in {one.unit, other.unit} or not _value(other):
        return None
    units = {""} if one.unit == other.unit else {one.unit, ""}
    return _value(one) / _value(other), frozenset(units)


def _sum(one: Quantity, other: Quantity) -> _Made:
    return (_value(one) + _value(other), frozenset({one.unit})) if _is_alike(one, other) else None


def _difference(one: Quantity, other: Quantity) -> _Made:
    return (_value(one) - _value(other), frozenset({one.unit})) if _is_alike(one, other) else None


def _is_alike(one: Quantity, other: Quantity) -> bool:
    """Return whether two figures can be added."""
    return one.unit == other.unit and (bool(one.unit) or one.thing == other.thing)


def _value(figure: Quantity) -> Fraction:
    return figure.value or Fraction(0)


_OPERATIONS: Final[Mapping[str, Callable[[Quantity, Quantity], _Made]]] = {
    **dict.fromkeys("×x*·", _product),
    **dict.fromkeys("÷/:", _quotient),
    "+": _sum,
    **dict.fromkeys("−–-", _difference),
}
