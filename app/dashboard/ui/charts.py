"""The geometry of charts, in a box 1000 wide and 100 high that the page stretches, and of the link map. Pure.

The link map has posts in one column, pages in another, and a line for each link.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

WIDTH: Final = 1000
HEIGHT: Final = 100
_BAR: Final = 0.62
_GAP: Final = 4
_LEAST: Final = 8


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Part:
    """A part of a bar: its name, its number and how it is drawn; which state it shows, and what it means."""

    name: str
    number: int
    fill: str
    key: str
    box: Box
    state: str = ""
    words: str = ""


@dataclass(frozen=True)
class Curve:
    """The paths of a line and of the area below it."""

    line: str
    area: str


@dataclass(frozen=True)
class LinkLine:
    """A line of the link map: from the middle of a row on the left to one on the right; a row is 1 high."""

    left: float
    right: float


def top_of(values: Sequence[int]) -> int:
    """Return an even number of few digits that is at least the largest value, for the end of an axis."""
    largest = max([*values, 1])
    size = 1
    while largest > 10 * size:
        size *= 10
    return next(step * size for step in (2, 4, 6, 8, 10) if step * size >= largest)


def bars(values: Sequence[int], top: int) -> list[Box]:
    """Return a bar for each value, on an axis that ends at ``top``."""
    step = WIDTH / max(len(values), 1)
    margin = step * (1 - _BAR) / 2
    heights = [_round(value * HEIGHT / top) for value in values]
    return [
        Box(_round(number * step + margin), _round(HEIGHT - height), _round(step * _BAR), height)
        for number, height in enumerate(heights)
    ]


def curve(values: Sequence[int], top: int) -> Curve:
    """Return a line through the values, on an axis that ends at ``top``; a single value gives a level one."""
    points = list(values) if len(values) > 1 else [*values, *values]
    step = WIDTH / max(len(points) - 1, 1)
    places = [
        f"{number * step:.0f} {HEIGHT - value * HEIGHT / top:.1f}" for number, value in enumerate(points)
    ]
    line = "M" + " L".join(places)
    return Curve(line, f"{line} L{WIDTH} {HEIGHT} L0 {HEIGHT}Z")


def whole(values: Sequence[int]) -> list[Box]:
    """Return the parts of one bar in proportion to the values; a part that is not 0 is wide enough to see."""
    parts = sum(value > 0 for value in values)
    available = WIDTH - _GAP * max(parts - 1, 0)
    total = sum(values) or 1
    widths = [max(value * available / total, _LEAST) if value else 0.0 for value in values]
    scale = available / (sum(widths) or 1)
    boxes, x = [], 0.0
    for width in (width * scale for width in widths):
        boxes.append(Box(_round(x), 0, _round(width), HEIGHT))
        x += width + _GAP if width else 0
    return boxes


def beside_their_posts(
    pages: Sequence[int], posts: Sequence[int], links: Iterable[tuple[int, int]]
) -> list[int]:
    """Return the pages beside the posts that link to them, and those without a link at the end.

    ``links`` are (post, page). Pages keep their order where that decides nothing.
    """
    place = {post: number for number, post in enumerate(posts)}
    beside: dict[int, list[int]] = defaultdict(list)
    for post, page in links:
        beside[page].append(place[post])
    far = float(len(posts))
    return sorted(pages, key=lambda page: sum(beside[page]) / len(beside[page]) if beside[page] else far)


def link_lines(
    pages: Sequence[int], posts: Sequence[int], links: Iterable[tuple[int, int]]
) -> list[LinkLine]:
    """Return the line of each link, posts on the left and pages on the right."""
    left = {post: number + 0.5 for number, post in enumerate(posts)}
    right = {page: number + 0.5 for number, page in enumerate(pages)}
    return [LinkLine(left[post], right[page]) for post, page in links]


def _round(value: float) -> float:
    return round(value, 1)
