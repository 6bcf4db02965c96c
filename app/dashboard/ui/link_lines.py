"""The drawing of a link map: posts in one column, pages in another, and a line for each link. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Line:
    """A line from the middle of a row on the left to that of a row on the right; a row is 1 high."""

    left: float
    right: float


def arranged(pages: Sequence[int], posts: Sequence[int], links: Iterable[tuple[int, int]]) -> list[int]:
    """Return the pages beside the posts that link to them, and those without a link at the end.

    ``links`` are (post, page). Pages keep their order where that decides nothing.
    """
    place = {post: number for number, post in enumerate(posts)}
    beside: dict[int, list[int]] = defaultdict(list)
    for post, page in links:
        beside[page].append(place[post])
    far = float(len(posts))
    return sorted(pages, key=lambda page: sum(beside[page]) / len(beside[page]) if beside[page] else far)


def lines(pages: Sequence[int], posts: Sequence[int], links: Iterable[tuple[int, int]]) -> list[Line]:
    """Return the line of each link, posts on the left and pages on the right."""
    left = {post: number + 0.5 for number, post in enumerate(posts)}
    right = {page: number + 0.5 for number, page in enumerate(pages)}
    return [Line(left[post], right[page]) for post, page in links]
