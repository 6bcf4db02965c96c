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
    before = _blocks(old)
    if not any(block.images for block in before):
        return new
    shown = set(image_addresses(new))
    added: dict[int, list[str]] = {}
    for block, place in zip(before, _ends(before, _blocks(new)), strict=True):
        for image in block.images:
            address = str(image.attrs.get("src", ""))
            if address not in shown:
                shown.add(address)
                added.setdefault(place, []).append(f"![{image.content}]({destination(address)})")
    return "\n".join(_with(LINE_END.split(new), added)) if added else new


def _with(lines: Sequence[str], added: dict[int, list[str]]) -> Iterator[str]:
    yield from (line for image in added.get(0, ()) for line in (image, ""))
    for number, line in enumerate(lines, 1):
        yield line
        yield from (each for image in added.get(number, ()) for each in ("", image))
        if number in added and number < len(lines) and lines[number].strip():
            yield ""


def _ends(before: Sequence[_Block], after: Sequence[_Block]) -> Iterator[int]:
    """Yield for each old block the number of lines of the new text up to where its images belong."""
    places = {block[:2]: number for number, block in reversed(list(enumerate(after)))}
    ends = _section_ends(after)
    end = ends[0]
    for block in before:
        place = places.get(block[:2]) if block.words else None
        if place is not None:
            end = ends[place + 1] if block.kind == _HEADING else after[place].end
        yield end


def _section_ends(blocks: Sequence[_Block]) -> list[int]:
    """Return for each number of blocks the lines up to the end of the section that goes on after them."""
    ends = [blocks[-1].end if blocks else 0]
    for number in range(len(blocks) - 1, -1, -1):
        before = blocks[number - 1].end if number else 0
        ends.append(before if blocks[number].kind == _HEADING else ends[-1])
    return ends[::-1]


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
