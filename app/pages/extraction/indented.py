"""Definitions that a page writes as short lines, each with its description indented below. Pure.

Docutils marks up such a description as a block quotation. Several short lines in small letters or code are
the options or commands of a manual; what begins with a capital may be who is quoted.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from app.language.words import word_count
from app.pages.extraction.blocks import Block, unused_groups

_FEWEST: Final = 3
"""Pairs on a page from which they are definitions."""
_LONGEST_TERM: Final = 6
"""In words."""
_QUOTED: Final = ("“", "„", "«", '"', "‹", "「")
_ENDS: Final = (".", "!", "?", ":", "。", "！", "？", "：", "؟")


def with_indented_definitions(pieces: Sequence[Block]) -> list[Block]:
    """Return the pieces with such lines as terms, and the quotations below them as their descriptions."""
    runs = [list(run) for _, run in groupby(pieces, key=_of_one_quotation)]
    terms = [at for at in range(1, len(runs)) if _is_term(runs[at - 1][-1]) and _describes(runs[at])]
    if len(terms) < _FEWEST:
        return list(pieces)
    groups = unused_groups(pieces, "d")
    for at in terms:
        group = next(groups)
        runs[at - 1][-1] = replace(runs[at - 1][-1], kind="dt", group=group)
        runs[at] = list(_described(runs[at], group))
    return [piece for run in runs for piece in run]


def _of_one_quotation(piece: Block) -> str:
    return piece.group if piece.group.startswith("q") else ""


def _is_term(piece: Block) -> bool:
    is_line = piece.kind == "p" and not piece.group and word_count(piece.text) <= _LONGEST_TERM
    return is_line and not piece.text.endswith(_ENDS) and (_is_code(piece) or piece.text[:1].islower())


def _is_code(piece: Block) -> bool:
    return any(mark.kind == "code" and mark.start == 0 for mark in piece.marks)


def _describes(run: Sequence[Block]) -> bool:
    """Return whether a run is a quotation that nobody says, in no quotation marks."""
    first = run[0]
    is_quotation = _of_one_quotation(first) != "" and first.kind == "quote" and not first.speaker
    return is_quotation and not first.text.startswith(_QUOTED)


def _described(run: Iterable[Block], group: str) -> Iterator[Block]:
    for piece in run:
        is_text = piece.kind == "quote"
        yield replace(piece, kind="dd", group=group) if is_text else replace(piece, group="")
