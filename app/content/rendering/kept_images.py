"""Keeps the images of a text that is written anew. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

from app.content.rendering.blocks import parse, plain
from app.content.rendering.images import image_addresses
from app.content.rendering.markdown import destination
from app.content.rendering.sections import LINE_END

if TYPE_CHECKING:
    from markdown_it.token import Token

_HEADING: Final = "heading_open"


class _Block(NamedTuple):
    """A block that is in no other: its kind and words, the number of lines up to its end, and its images."""

    kind: str
    words: str
    end: int
    images: tuple[Token, ...]


def with_images_of(old: str, new: str) -> str:
    """Return a new text with those images of the old one that it lacks.

    An image follows the nearest block before it that the new text still has. If that is a heading, or there
    is none, the image ends that section.
    """
    lines = LINE_END.split(new)
    before, after = _blocks(old), _blocks(new)
    shown = set(image_addresses(new))
    added: dict[int, list[str]] = {}
    for number, block in enumerate(before, 1):
        for image in block.images:
            address = str(image.attrs.get("src", ""))
            if address not in shown:
                shown.add(address)
                place = _end_of(before[:number], after)
                added.setdefault(place, []).append(f"![{image.content}]({destination(address)})")
    return "\n".join(_with(lines, added)) if added else new


def _with(lines: Sequence[str], added: dict[int, list[str]]) -> Iterator[str]:
    yield from (line for image in added.get(0, ()) for line in (image, ""))
    for number, line in enumerate(lines, 1):
        yield line
        yield from (each for image in added.get(number, ()) for each in ("", image))
        if number in added and number < len(lines) and lines[number].strip():
            yield ""


def _end_of(before: Sequence[_Block], after: Sequence[_Block]) -> int:
    """Return the number of lines of the new text up to where images of the last old block belong."""
    places = {block[:2]: number for number, block in reversed(list(enumerate(after)))}
    known = (places[block[:2]] for block in reversed(before) if block.words and block[:2] in places)
    place = next(known, None)
    if place is not None and after[place].kind != _HEADING:
        return after[place].end
    first = 0 if place is None else place + 1
    later = (number for number in range(first, len(after)) if after[number].kind == _HEADING)
    last = next(later, len(after)) - 1
    return after[last].end if last >= 0 else 0


def _blocks(markdown: str) -> list[_Block]:
    lines = LINE_END.split(markdown)
    found: list[_Block] = []
    for token in parse(markdown):
        if token.level == 0 and token.map and token.nesting >= 0:
            found.append(_Block(token.type, token.content, _last_line(lines, token.map[1]), ()))
        if token.type == "inline":
            children = token.children or []
            images = tuple(child for child in children if child.type == "image")
            block = found[-1]
            found[-1] = block._replace(
                words=f"{block.words} {plain(children)}".strip(), images=(*block.images, *images)
            )
    return found


def _last_line(lines: Sequence[str], end: int) -> int:
    """Return the end of a block without the blank lines that a list ends with."""
    while end > 0 and not lines[end - 1].strip():
        end -= 1
    return end
