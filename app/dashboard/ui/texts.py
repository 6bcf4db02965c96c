"""The text of a post as it is shown, two beside each other, what follows its title, and why one was kept."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from markupsafe import Markup

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


class Offer(NamedTuple):
    """What is said when the title is new and other members are those of the old one, and a button."""

    remark: str
    button: str


FOLLOWS: Final[Mapping[tuple[str, ...], Offer]] = {
    ("slug", "meta_title"): Offer(
        "The end of the address and the title in search are still those of the old title.",
        "Make both from the title",
    ),
    ("slug",): Offer("The end of the address is still that of the old title.", "Make it from the title"),
    ("meta_title",): Offer(
        "The title in search is still that of the old title. The address is published and stays.",
        "Make the title in search from the title",
    ),
}
"""Offers by the members that ``content.posts.slugs.follows_title`` returns."""


def article(html: str) -> Markup:
    """Return the sanitizer's HTML with tables that the keyboard reaches, because wide ones are scrolled."""
    reachable = html.replace("<table>", '<table tabindex="0">')
    return Markup(reachable)  # noqa: S704 - the output of the sanitizer, which leaves tables no attributes


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
