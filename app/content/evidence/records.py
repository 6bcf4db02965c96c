"""Records: paragraphs that say the same of one thing after the other: "Option: …", "Default: …". Pure."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from app.language.words import extent, fold
from app.pages.extraction.blocks import Block

_LABEL: Final = re.compile(r"([^\W\d_][^:.!?;,\n]{0,30}):(?:\s+|$)")
"""What begins a paragraph; nothing may follow it ("Default:")."""
_LEAST_RECORDS: Final = 3
_ENDS_OF_SENTENCES: Final = (".", "!", "?")
_LONGEST_NAME: Final = 8
"""Words of the first paragraph of a record: a name, and not what somebody says in a conversation."""


def records_of(paragraphs: Sequence[Block]) -> Iterator[tuple[Block, ...]]:
    """Yield the paragraphs of each record together, and each other paragraph alone."""
    starts = _starts(paragraphs)
    longest = max((b - a for a, b in pairwise(starts)), default=1)
    at = 0
    for start, following in pairwise([*starts, len(paragraphs)]):
        yield from ((block,) for block in paragraphs[at:start])
        at = min(following, start + longest)
        yield tuple(paragraphs[start:at])
    yield from ((block,) for block in paragraphs[at:])


def name_and_fields(record: Sequence[Block]) -> tuple[str, tuple[str, ...]]:
    """Return what a record is about, and its other paragraphs."""
    name, *fields = (fold(block.text) for block in record)
    return _LABEL.sub("", name, count=1), tuple(fields)


def _starts(paragraphs: Sequence[Block]) -> list[int]:
    """Return where each record begins; [] if these paragraphs are none.

    Every record begins with the same label, and another one follows it.
    """
    labels = [_label_of(block) for block in paragraphs]
    first = next(filter(None, labels), "")
    starts = [n for n, label in enumerate(labels) if first and label == first]
    has_fields = all(label not in {"", first} for n in starts for label in labels[n + 1 : n + 2])
    are_names = all(_is_name(paragraphs[n]) for n in starts)
    return starts if len(starts) >= _LEAST_RECORDS and has_fields and are_names else []


def _is_name(block: Block) -> bool:
    return extent(block.text) <= _LONGEST_NAME and not block.text.rstrip().endswith(_ENDS_OF_SENTENCES)


def _label_of(block: Block) -> str:
    found = _LABEL.match(fold(block.text))
    return found[1] if found else ""
