"""Operations that a sentence writes out with their signs: "4 ÷ 2.5 = 1.6". Pure."""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Final, NamedTuple

from app.content.writing.veto.quantities import Quantity
from app.language.words import VOWEL_SIGNS

PERCENT: Final = "%"
_UNIT: Final = rf"\s?[€£$%٪]?(?:\s?[^\W\d_]+[{VOWEL_SIGNS}]?){{0,2}}"
_SIGN: Final = re.compile(rf"{_UNIT}\s?([×x*·÷/:+−–-])\s?[€£$]?")
_EQUALS: Final = re.compile(rf"{_UNIT}\s?=\s?[€£$]?")
_JOINED: Final = re.compile(rf"{_UNIT}\)?(?:\s?[×x*·÷/+−–-]|\s:)\s?\(?[€£$]?")
"""What makes two figures parts of one operation. A colon behind a word does not: "2,500 cards: 3 × £45"."""
_TIMES: Final = frozenset("×x*·")
_DIVIDED_BY: Final = frozenset("÷/:")
_MINUS: Final = frozenset("−–-")
_PAIR: Final = 2
_FACTORS: Final = frozenset({*range(2, 13), 52})
"""The months and weeks of a year are among them: "12 × £12.50 = £150"."""
_SAID_BEFORE: Final = re.compile(r"[^,.;:()\d]{1,40}")
"""What may stand between a factor in words and its operation: "Two stops cost 2 × £2.50"."""
_CHAINED: Final = re.compile(r"(?:[×x*·÷/+−–(-]|(?<!\s):)\s?[€£$]?$")
"""An operation before a figure; a colon between blanks may be French punctuation: "reste 7 : 23 − 7"."""
DECIMAL: Final = re.compile(r"\d+(?:[.,](\d+))?")


class Operation(NamedTuple):
    """An operation that a text writes out: two figures, and what it gives."""

    one: Quantity
    other: Quantity
    result: Quantity


def written_out(
    text: str, figures: Sequence[Quantity], operands: Collection[Quantity]
) -> Iterator[Operation]:
    """Yield the right operations on ``operands`` that a text writes out; ``figures`` are all of it.

    A chain of operations is none, unless it only adds up: "61 + 44 + 18 = 123". A quotient may be given in
    per cent: "3 ÷ 400 = 0.75%".
    """
    yield from _sums(text, figures, operands)
    for one, other, result in zip(figures, figures[1:], figures[2:], strict=False):
        sign = _SIGN.fullmatch(text, _end(one), other.start)
        equals = _EQUALS.fullmatch(text, _end(other), result.start)
        is_whole = equals and not _CHAINED.search(text, 0, one.start)
        if not (sign and is_whole and {one, other} <= set(operands)):
            continue
        is_share = result.unit == PERCENT and sign[1] in _DIVIDED_BY and _are_shared(one, other)
        made = _share(one, other) if is_share else _OPERATIONS[sign[1]](one, other)
        if made and result.unit in made[1] and _is_rounded(made[0], result):
            yield Operation(one, other, result)


def _sums(text: str, figures: Sequence[Quantity], operands: Collection[Quantity]) -> Iterator[Operation]:
    """Yield the right sums of three ``operands`` or more, with the first and the last of them."""
    added: list[Quantity] = []
    for one, other in pairwise(figures):
        sign = _SIGN.fullmatch(text, _end(one), other.start)
        if sign and sign[1] == "+":
            added = [*(added or [one]), other]
            continue
        is_whole = _EQUALS.fullmatch(text, _end(one), other.start) and set(added) <= set(operands)
        if len(added) > _PAIR and is_whole and not _CHAINED.search(text, 0, added[0].start):
            is_alike = all(_is_alike(added[0], each) for each in added) and other.unit in {one.unit, ""}
            if is_alike and sum(map(_value, added)) == other.value:
                yield Operation(added[0], one, other)
        added = []


class _Factored(NamedTuple):
    """A number that multiplies or divides the figure beside it, and what that gives."""

    factor: Quantity
    made: Fraction
    unit: str
    is_part: bool
    """Whether it is a part of the figure, which may be rounded to cents."""


def factored(
    text: str, figures: Sequence[Quantity], operands: Collection[Quantity], parts: Collection[int]
) -> Iterator[tuple[Quantity, Quantity]]:
    """Yield the factors that need no evidence, each with its result.

    "3 × £45 = £135" says what "£45 + £45 + £45 = £135" says. A figure may also be divided into ``parts`` that
    the evidence names: "£7,400 ÷ 4", a quarter. The result stands right before or after the operation, and a
    chain of operations has none.
    """
    for at, (one, other) in enumerate(pairwise(figures)):
        sign = _SIGN.fullmatch(text, _end(one), other.start)
        found = _by_factor(one, other, sign[1], operands, parts) if sign else None
        before, after = figures[max(0, at - 1) : at], figures[at + 2 : at + 3]
        if found is None or _is_joined(text, [*before, one]) or _is_joined(text, [other, *after]):
            continue
        for result in (*before, *after):
            is_right = result.value == found.made or (found.is_part and _is_rounded(found.made, result))
            if is_right and (result.unit or result.counted) in {found.unit, ""}:
                yield found.factor, result


def _by_factor(
    one: Quantity, other: Quantity, sign: str, operands: Collection[Quantity], parts: Collection[int]
) -> _Factored | None:
    """Return what a factor without evidence makes of a figure of the evidence; None without one of both."""
    for figure, factor in ((one, other), (other, one)):
        is_known = figure in operands and figure.unit not in {"", PERCENT}
        if is_known and sign in _TIMES and _is_count(factor, _FACTORS):
            return _Factored(factor, _value(figure) * _value(factor), figure.unit, False)
        if is_known and sign in _DIVIDED_BY and factor is other and _is_count(factor, parts):
            return _Factored(factor, _value(figure) / _value(factor), figure.unit, True)
    return None


def _is_count(figure: Quantity, allowed: Collection[int]) -> bool:
    """Return whether a figure is one of these whole numbers, and of no thing: not "£45 × 3 trees"."""
    is_of_thing = bool(figure.unit) or figure.counted not in {"", "x"}  # the sign of "3 x £45"
    return figure.number.isdigit() and int(figure.number) in allowed and not is_of_thing


def _is_joined(text: str, pair: Sequence[Quantity]) -> bool:
    return len(pair) > 1 and _JOINED.fullmatch(text, _end(pair[0]), pair[1].start) is not None


def _end(figure: Quantity) -> int:
    return figure.start + len(figure.written)


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
    if one.unit == PERCENT or not _value(other):
        return None
    if other.unit == PERCENT:
        return 100 * _value(one) / _value(other), frozenset({one.unit})
    units = {""} if one.unit == other.unit else {one.unit, ""}
    return _value(one) / _value(other), frozenset(units)


def _are_shared(one: Quantity, other: Quantity) -> bool:
    """Return whether one figure can be a part of another: both count, or have the same unit."""
    return one.unit == other.unit != PERCENT


def _share(one: Quantity, other: Quantity) -> _Made:
    return (100 * _value(one) / _value(other), frozenset({PERCENT})) if _value(other) else None


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
    **dict.fromkeys(_MINUS, _difference),
}


def factors_in_words(
    text: str, figures: Sequence[Quantity], factors: Collection[Quantity]
) -> Iterator[Quantity]:
    """Yield the figures that say in words, right before it, the factor of an operation."""
    for said, factor in pairwise(figures):
        is_same = factor in factors and said.value == factor.value and not said.unit
        if is_same and _SAID_BEFORE.fullmatch(text, _end(said), factor.start):
            yield said
