"""Two texts beside each other: which paragraphs stay, change, go and come. Pure.

Texts are compared as they are read, block by block; within a changed pair, word by word. Formatting and the
targets of links are not compared: ``Comparison.same_words`` is true when nothing else differs.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Final, Literal, TypeVar

from app.content.rendering.blocks import Block, blocks_with_images
from app.content.rendering.html_blocks import blocks_of_html

Kind = Literal["same", "changed", "replaced", "removed", "added"]

_WORD: Final = re.compile(r"\s+|[^\s\w]|\w+")
_ALIKE: Final = 0.5
"""Share of common words from which two paragraphs are one that changed; others replace one another."""
_MOST: Final = 10_000
"""Words of a paragraph, or paragraphs of a text, that are compared: the memory grows with their square."""

Part = TypeVar("Part", str, tuple[str, int, str])


@dataclass(frozen=True)
class Piece:
    """A run of words; ``marked`` when the other text does not have it."""

    text: str
    marked: bool = False


@dataclass(frozen=True)
class Side:
    """A block of one of the texts: ``heading``, ``p``, ``li``, ``cell`` or ``code``."""

    kind: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Row:
    """A line of the comparison; a side is None where its text has nothing.

    Of a row that is "replaced", the sides have little in common: one paragraph is gone, and one is new.
    """

    kind: Kind
    old: Side | None
    new: Side | None


@dataclass(frozen=True)
class Comparison:
    """The rows of two texts in reading order, those that stay the same gathered in runs."""

    runs: tuple[tuple[Row, ...], ...]

    @property
    def same_words(self) -> bool:
        """Return whether both texts say the same in the same order."""
        return all(row.kind == "same" for run in self.runs for row in run)

    def count(self, kind: Kind) -> int:
        """Return how many rows are of a kind; one that is replaced is both gone and new."""
        kinds = (kind, "replaced") if kind in ("removed", "added") else (kind,)
        return sum(row.kind in kinds for run in self.runs for row in run)


def compare_markdown(old: str, new: str) -> Comparison:
    """Return how the Markdown text ``new`` differs from ``old``."""
    return _comparison(blocks_with_images(old), blocks_with_images(new))


def compare_html(old: str, new: str) -> Comparison:
    """Return how the HTML text ``new`` differs from ``old``, as they are read."""
    return _comparison(blocks_of_html(old), blocks_of_html(new))


def compare_line(old: str, new: str) -> Row:
    """Return how a line of plain text, such as a title, differs."""
    return _pair(Block("p", old), Block("p", new))


def _comparison(old: Sequence[Block], new: Sequence[Block]) -> Comparison:
    rows = tuple(_rows(old, new))
    runs: list[list[Row]] = []
    for row in rows:
        if runs and (runs[-1][-1].kind == "same") == (row.kind == "same"):
            runs[-1].append(row)
        else:
            runs.append([row])
    return Comparison(tuple(tuple(run) for run in runs))


def _rows(old: Sequence[Block], new: Sequence[Block]) -> Iterator[Row]:
    a = b = 0
    for a_end, b_end, size in _common_runs([_key(block) for block in old], [_key(block) for block in new]):
        for before, after in zip_longest(old[a:a_end], new[b:b_end]):
            yield _row_of(before, after)
        a, b = a_end + size, b_end + size
        yield from (_same(block) for block in new[b_end:b])


def _row_of(before: Block | None, after: Block | None) -> Row:
    if before is None:
        return Row("added", None, _whole(after) if after else None)
    if after is None:
        return Row("removed", _whole(before), None)
    if before.kind == after.kind and _alike(before, after):
        return _pair(before, after)
    return Row("replaced", _whole(before), _whole(after))


def _pair(before: Block, after: Block) -> Row:
    if before.text == after.text:
        return _same(after)
    old, new = _WORD.findall(before.text), _WORD.findall(after.text)
    left: list[Piece] = []
    right: list[Piece] = []
    a = b = 0
    for a_end, b_end, size in _common_runs(old, new):
        left += _pieces(old[a:a_end], old[a_end : a_end + size])
        right += _pieces(new[b:b_end], new[b_end : b_end + size])
        a, b = a_end + size, b_end + size
    return Row("changed", Side(before.kind, tuple(left)), Side(after.kind, tuple(right)))


def _pieces(differing: Sequence[str], common: Sequence[str]) -> list[Piece]:
    pieces = Piece("".join(differing), marked=True), Piece("".join(common))
    return [piece for piece in pieces if piece.text]


def _common_runs(old: Sequence[Part], new: Sequence[Part]) -> Iterator[tuple[int, int, int]]:
    """Yield where a run that both have begins in each, and its length; at last their ends with 0."""
    from rapidfuzz.distance import Indel

    if max(len(old), len(new)) > _MOST:
        yield len(old), len(new), 0
        return
    for run in Indel.opcodes(old, new).as_matching_blocks():
        yield run.a, run.b, run.size


def _alike(before: Block, after: Block) -> bool:
    old, new = Counter(before.text.split()), Counter(after.text.split())
    return 2 * (old & new).total() >= _ALIKE * (old.total() + new.total())


def _same(block: Block) -> Row:
    return Row("same", _whole(block), _whole(block))


def _whole(block: Block) -> Side:
    return Side(block.kind, (Piece(block.text),))


def _key(block: Block) -> tuple[str, int, str]:
    return block.kind, block.level, block.text
