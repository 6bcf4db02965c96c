"""Records: paragraphs that say the same of one thing after the other: "Option: …", "Default: …". Pure."""

import re
from collections import Counter
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
    first = _first_label(paragraphs)
    starts = [n for n, block in enumerate(paragraphs) if first and _label_of(block) == first]
    longest = max((b - a for a, b in pairwise(starts)), default=0)
    record: list[Block] = []
    for block in paragraphs:
        if record and len(record) < longest and _label_of(block) != first:
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
    behind = [_label_of(after) for block, after in pairwise(paragraphs) if _label_of(block) == first]
    has_fields = all(label not in {"", first} for label in behind)
    return first if has_fields and all(map(_is_name, names)) else ""


def _is_name(block: Block) -> bool:
    return extent(block.text) <= _LONGEST_NAME and not block.text.rstrip().endswith(_ENDS_OF_SENTENCES)


def _label_of(block: Block) -> str:
    found = _LABEL.match(fold(block.text))
    return found[1] if found else ""


def _together(record: Sequence[Block]) -> Iterator[tuple[Block, ...]]:
    if record:
        yield tuple(record)
