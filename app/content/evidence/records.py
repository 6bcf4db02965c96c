"""Records: paragraphs that say the same of one thing after the other: "Option: …", "Default: …". Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from app.language.words import extent, fold
from app.pages.extraction.blocks import Block

_LABEL: Final = re.compile(r"([^\W\d_][^:.!?;,\n]{0,30}):\s+(?=\S)")
_LEAST_RECORDS: Final = 3
_LONGEST_NAME: Final = 8
"""Words behind the first label of a record: a name, and not what somebody says in a conversation."""


def records_of(paragraphs: Sequence[Block]) -> Iterator[tuple[Block, ...]]:
    """Yield the paragraphs of each record together, and each other paragraph alone."""
    first = _first_label(paragraphs)
    record: list[Block] = []
    for block in paragraphs:
        if record and first and _label_of(block) != first:
            record.append(block)
            continue
        yield from _together(record)
        record = [block] if first and _label_of(block) == first else []
        if not record:
            yield (block,)
    yield from _together(record)


def name_and_fields(record: Sequence[Block]) -> tuple[str, tuple[str, ...]]:
    """Return what a record is about, and its other paragraphs."""
    name, *fields = (fold(block.text) for block in record)
    return _LABEL.sub("", name, count=1), tuple(fields)


def _first_label(paragraphs: Sequence[Block]) -> str:
    """Return the label that begins every record; "" if these paragraphs are none."""
    labels = [label for block in paragraphs if (label := _label_of(block))]
    if not labels or Counter(labels)[labels[0]] < _LEAST_RECORDS:
        return ""
    first = labels[0]
    names = [block for block in paragraphs if _label_of(block) == first]
    has_fields = (first, first) not in pairwise(labels)
    return first if has_fields and all(extent(block.text) <= _LONGEST_NAME for block in names) else ""


def _label_of(block: Block) -> str:
    found = _LABEL.match(fold(block.text))
    return found[1] if found else ""


def _together(record: Sequence[Block]) -> Iterator[tuple[Block, ...]]:
    if record:
        yield tuple(record)
