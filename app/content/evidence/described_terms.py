"""Terms of a description list whose description goes on after a listing or a note. Pure."""

from collections.abc import Sequence
from typing import Final

from app.language.words import fold
from app.pages.extraction.blocks import Block

_TERM: Final = "dt"


def term_of(run: Sequence[Block]) -> str:
    """Return the term that a run begins with, or with several terms all of them; "" for any other run."""
    return " / ".join(fold(block.text) for block in run if block.kind == _TERM)


def terms_around(runs: Sequence[Sequence[Block]]) -> list[tuple[str, ...]]:
    """Return for each run the terms that it is a part of the description of, outermost first.

    A term whose description is one run has no parts; its run is in the description of other terms at most.
    """
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for position, run in enumerate(runs):
        group = run[0].group
        if run[0].kind == _TERM and group:
            first.setdefault(group, position)
        if group in first:
            last[group] = position
    around: list[tuple[str, ...]] = [()] * len(runs)
    for group, begin in first.items():
        term = term_of(runs[begin])
        if last[group] > begin and term:
            for position in range(begin, last[group] + 1):
                around[position] = (*around[position], term)
    return around
