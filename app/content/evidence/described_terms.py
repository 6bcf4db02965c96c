"""Terms whose description goes on below: after a listing or a note in a list, or below a row. Pure."""

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from app.content.evidence.cards_and_tables import cells_of
from app.language.words import fold
from app.pages.extraction.blocks import Block

_TERM: Final = "dt"
_NAME_IN_CODE: Final = re.compile(r"[_.$-]|^[a-z]")
"""What tells the name of an option from a word such as "Monday"."""
_LEAST_ROWS: Final = 3
"""Rows of their own in a section, from which each begins the description of what it names."""


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


def rows_above(runs: Sequence[Sequence[Block]]) -> list[str]:
    """Return for each run the name of the option whose description it belongs to, else "".

    Some manuals put each option with its type and default into a table of one row, or alone into a list of
    definitions, and describe it below. What follows the last one counts only if it is no longer than the
    others: its end may be about them all. Of a single one, a listing and what is right below are it. One or
    two rows may be any tables.
    """
    times = Counter(run[0].group for run in runs)
    options = [_option_of(run, has_parts=times[run[0].group] > 1) for run in runs]
    rows = {n for n, run in enumerate(runs) if options[n] and run[0].kind != _TERM}
    named = {n for n, option in enumerate(options) if option}
    alone = sorted(named if len(rows) >= _LEAST_ROWS else named - rows)
    above = [""] * len(runs)
    if not alone:
        return above
    if len(alone) == 1:
        first = runs[alone[0] + 1 :][:1]
        described = 2 if first and first[0][0].kind == "code" else 1
        for position in range(alone[0] + 1, min(alone[0] + 1 + described, len(runs))):
            above[position] = options[alone[0]]
        return above
    between = list(pairwise([*alone, len(runs)]))
    *others, last = [sum(map(len, runs[begin + 1 : end])) for begin, end in between]
    for begin, end in between if last <= max(others) else between[:-1]:
        above[begin + 1 : end] = [options[begin]] * (end - begin - 1)
    return above


def _option_of(run: Sequence[Block], *, has_parts: bool) -> str:
    """Return the option that a run names and does not describe, else ""."""
    if run[0].kind != _TERM:
        return cells_of(run[0])[0] if _is_row(run) else ""
    is_described = (has_parts and bool(run[0].group)) or any(block.kind != _TERM for block in run)
    name = term_of(run)
    is_option = len(name.split()) == 1 and _NAME_IN_CODE.search(name) is not None
    return name if is_option and not is_described else ""


def _is_row(run: Sequence[Block]) -> bool:
    """Return whether a run is a row that begins with a name of one word, as options have."""
    cells = cells_of(run[0]) if len(run) == 1 and run[0].kind == "table" else ()
    return len(cells) > 1 and len(cells[0].split()) == 1 and _NAME_IN_CODE.search(cells[0]) is not None
