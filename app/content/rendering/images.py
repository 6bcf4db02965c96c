"""References to stored images in a Markdown text: ``![alt](image:12)``. Pure."""

import re
from collections.abc import Callable, Iterator
from html import escape
from typing import Final

from app.content.rendering.blocks import all_tokens, parse
from app.content.rendering.markdown import escape_inside

ImageAddress = Callable[[int], str | None]
"""Returns the address at which readers get a stored image; None if they do not get it."""

_SCHEME: Final = "image:"
_REFERENCE: Final = re.compile(r"image:([1-9][0-9]{0,17})")
# An address in brackets, or that of a definition, "[photo]: image:12".
_IN_MARKDOWN: Final = re.compile(
    r"(\]\(\s*<?|^ {0,3}\[[^\]\n]+\]:\s*<?)image:([1-9][0-9]{0,17})(?=[\s>)]|$)", re.M
)
_IN_HTML: Final = re.compile(r'(<img(?: [a-z]+="[^"]*")*?) src="image:([1-9][0-9]{0,17})"')


def no_address(_image_id: int) -> None:
    """Return None: readers get no stored image."""


def reference_to(image_id: int) -> str:
    """Return the address by which a text names a stored image."""
    return f"{_SCHEME}{image_id}"


def image_markdown(alt: str, image_id: int) -> str:
    """Return the Markdown that shows a stored image."""
    return f"![{escape_inside(alt)}]({reference_to(image_id)})"


def is_reference(url: str) -> bool:
    """Return whether an image's address is meant to name a stored image."""
    return url.startswith(_SCHEME)


def image_id_of(url: str) -> int | None:
    """Return the id of the stored image that an address names, None if it names none."""
    found = _REFERENCE.fullmatch(url)
    return int(found[1]) if found else None


def image_addresses(markdown: str) -> list[str]:
    """Return the addresses of the images that a text shows, in its order."""
    return [str(each.attrs.get("src", "")) for each in all_tokens(parse(markdown)) if each.type == "image"]


def image_ids(markdown: str) -> list[int]:
    """Return the ids of the stored images that a text shows, in its order, each once."""
    return list(dict.fromkeys(_shown_ids(markdown)))


def times_shown(markdown: str) -> int:
    """Return how often a text shows stored images."""
    return len(_shown_ids(markdown))


def _shown_ids(markdown: str) -> list[int]:
    if _SCHEME not in markdown:
        return []
    found = (image_id_of(address) for address in image_addresses(markdown))
    return [each for each in found if each is not None]


def with_addresses(markdown: str, address: ImageAddress) -> str:
    """Return a Markdown text with an address in place of each reference that has one.

    The addresses contain no blanks and no brackets.
    """

    def replaced(match: re.Match[str]) -> str:
        url = address(int(match[2]))
        return match[0] if url is None else f"{match[1]}{url}"

    return _IN_MARKDOWN.sub(replaced, markdown)


def html_with_addresses(html: str, address: ImageAddress) -> str:
    """Return sanitized HTML with addresses as the sources of stored images; those without lose theirs.

    An opening bracket of an address is written as an entity, as in the rest of the HTML.
    """

    def replaced(match: re.Match[str]) -> str:
        url = address(int(match[2]))
        return match[1] if url is None else f'{match[1]} src="{escape(url).replace("[", "&#91;")}"'

    return _IN_HTML.sub(replaced, html)


def html_pieces(html: str) -> Iterator[str | int]:
    """Yield sanitized HTML in pieces, and in place of the address of a stored image its id."""
    last = 0
    for match in _IN_HTML.finditer(html):
        yield f'{html[last : match.end(1)]} src="'
        yield int(match[2])
        last = match.end() - 1
    yield html[last:]
