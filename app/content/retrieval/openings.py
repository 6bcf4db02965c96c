"""Where the text of a page begins, behind the scene that leads to its subject. Pure."""

import re
from collections.abc import Iterable, Sequence
from itertools import dropwhile
from typing import Final

from app.pages.extraction.blocks import Block

_OPEN: Final = '“„«»"‹「『'
_CLOSE: Final = '”“»«"›」』'
_SAID: Final = rf"[{_OPEN}]\s*[^{_OPEN}{_CLOSE}]{{18,400}}"
_SPEECH: Final = re.compile(
    rf"{_SAID}(?:,\s*[{_CLOSE}]|[{_CLOSE}],)|(?:^|:\s*){_SAID}(?:[.!?…]\s*[{_CLOSE}]|[{_CLOSE}][.!?…])"
)
"""Somebody's words: a comma ends them, or they are whole sentences at the beginning or after a colon."""


def without_scene(blocks: Sequence[Block]) -> Sequence[Block]:
    """Return the blocks of a page's first section without the direct speech that it begins with.

    It stays where no other paragraph follows.
    """
    rest = list(dropwhile(_is_spoken, blocks))
    return rest if any(block.kind == "p" for block in rest) else blocks


def opening_paragraph(blocks: Iterable[Block]) -> str:
    """Return the text of the paragraph that a page begins with, "" when it has none."""
    prose = [block for block in blocks if block.kind == "p"]
    return without_scene(prose)[0].text if prose else ""


def _is_spoken(block: Block) -> bool:
    return block.kind == "p" and _SPEECH.search(block.text) is not None
