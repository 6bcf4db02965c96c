"""Two texts of a post beside each other, and why a version of it was kept, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from app.content.posts.comparing import Row, compare_line

LINES: Final = (
    ("Title", "title"),
    ("Title in search", "meta_title"),
    ("Description in search", "description"),
)
WHY: Final[Mapping[str, str]] = {
    "generated": "Draft written",
    "edited": "Edited",
    "autosaved": "Edited, saved by itself",
    "refreshed": "New text used",
    "restored": "Earlier version brought back",
    "set_aside": "Set aside, not in the post",
}


def differing_lines(old: Any, new: Any | Mapping[str, str]) -> list[tuple[str, Row]]:
    """Return the lines in which two texts of a post differ, each with its label."""
    before, after = _reader(old), _reader(new)
    return [
        (label, compare_line(before(name), after(name)))
        for label, name in LINES
        if before(name) != after(name)
    ]


def _reader(text: Any | Mapping[str, str]) -> Callable[[str], str]:
    if isinstance(text, Mapping):
        return text.__getitem__
    return lambda name: str(getattr(text, name))
