"""Blanks of a sentence: their places, and which of them are one. Pure."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

from app.content.writing.veto.figures import unit_at
from app.content.writing.veto.quantities import Quantity

_HOURS: Final = re.compile(r" ?h ?")
_SPACED: Final = re.compile(
    r"\d{1,3}(?: \d{3})+|(?:0|(?<=\+))\d+(?:[ /-]\d+)+|[6-9]\d\d(?: \d\d)+(?: \d{3})?"
)
"""Thousands in groups, or a telephone number, also a Spanish one: "947 55 01 84"."""
"""A figure with spaces in it: between thousands, as in French and Swedish, or of a telephone number."""
_NUMBER_AFTER: Final = re.compile(r" \d+\b(?!\.\d)")

Sort = Literal["figure", "name", "code"]


class Blank(NamedTuple):
    """A place in a sentence, its words, and for each of its figures what the evidence may have for it."""

    start: int
    stop: int
    written: str
    sort: Sort
    figures: tuple[tuple[Quantity, ...], ...] = ()


def joined(blanks: Iterable[Blank], text: str) -> list[Blank]:
    """Return blanks in order, with the parts of one name or figure as one."""
    found: list[Blank] = []
    for each in sorted(blanks, key=span):
        if found and found[-1].sort == each.sort and _are_one(found[-1], each, text):
            before = found.pop()
            written = text[before.start : each.stop]
            figures = (*before.figures, *each.figures)
            found.append(Blank(before.start, each.stop, written, each.sort, figures))
        else:
            found.append(each)
    return found


def _are_one(one: Blank, other: Blank, text: str) -> bool:
    """Return whether two blanks are parts of one name, or of one figure: "2½", "9h30", "1 200"."""
    between = text[one.stop : other.start]
    if other.sort != "figure":
        return between in {"", " "}
    is_spaced = between in {" ", "-", "/"} and _SPACED.fullmatch(text, one.start, other.stop) is not None
    return between == "" or is_spaced or _HOURS.fullmatch(between) is not None


def apart(blanks: Iterable[Blank], kept: Sequence[tuple[int, int]]) -> Iterator[Blank]:
    """Yield the blanks that touch nothing that has to be seen."""
    for each in blanks:
        if not any(each.start < stop and start < each.stop for start, stop in kept):
            yield each


def is_within(place: tuple[int, int], other: tuple[int, int]) -> bool:
    return place != other and other[0] <= place[0] and place[1] <= other[1]


def span(blank: Blank) -> tuple[int, int]:
    return blank.start, blank.stop


def end_of_number(text: str, start: int, stop: int, said: str) -> int:
    """Return where a name ends, with a number that is a part of it in what is ``said``.

    Of "Team 5" and "Team 10" it tells them apart, and "Padlock 2" is never without. 5 km are no part.
    """
    number, name = _NUMBER_AFTER.match(text, stop), re.escape(text[start:stop])
    if number is None or unit_at(text, number.start() + 1, number.end()):
        return stop
    numbered = set(re.findall(rf"{name}( \d+)\b", said))
    is_bare = re.search(rf"\b{name}\b(?! \d)", said) is not None
    return number.end() if number[0] in numbered and (len(numbered) > 1 or not is_bare) else stop
