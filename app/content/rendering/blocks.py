"""Splits a Markdown text into the blocks that a reader sees. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from app.language.sentences import ends_like_a_sentence
from app.language.words import fold

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_NESTING: Final = 10
"""Levels of lists, quotations and emphasis in each other (CommonMark's preset: 20). A bracket that nothing
closes is tried on each level."""


@dataclass(frozen=True)
class Block:
    """One block of the text: ``heading``, ``p``, ``li``, ``cell`` or ``code``; ``level`` is a heading's."""

    kind: str
    text: str
    level: int = 0
    only_link: bool = False


def parse(markdown: str) -> list[Token]:
    """Return the tokens of a Markdown text; raw HTML counts as text."""
    return parser().parse(markdown)


@cache
def parser(*, raw_html: bool = False) -> MarkdownIt:
    """Return the parser of posts, or one that takes ``raw_html`` and any address for what they are."""
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": raw_html, "maxNesting": _NESTING}).enable(
        ["table", "strikethrough"]
    )
    if raw_html:
        made.validateLink = lambda url: True  # type: ignore[method-assign]
    return made


def all_tokens(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yield the tokens with those inside them."""
    return (each for token in tokens for each in (token, *(token.children or ())))


def link_addresses(tokens: Iterable[Token]) -> Iterator[str]:
    """Yield the addresses that a parsed text links to."""
    return (str(each.attrs.get("href", "")) for each in all_tokens(tokens) if each.type == "link_open")


def blocks_in(tokens: Iterable[Token]) -> tuple[Block, ...]:
    """Return the blocks of a parsed text in reading order."""
    return tuple(_blocks(tokens))


def blocks_of(markdown: str) -> tuple[Block, ...]:
    """Return the blocks of a Markdown text in reading order."""
    return blocks_in(parse(markdown))


def blocks_with_images(markdown: str) -> tuple[Block, ...]:
    """Return the blocks of a Markdown text in reading order, with words in place of its images."""
    tokens = parse(markdown)
    for child in all_tokens(tokens):
        if child.type == "image":
            child.type, child.content = "text", f"[Picture: {child.content or child.attrs.get('src')}]"
    return blocks_in(tokens)


def _blocks(tokens: Iterable[Token]) -> Iterator[Block]:
    holders: list[Token] = []
    for token in tokens:
        if token.nesting == 1:
            holders.append(token)
        elif token.nesting == -1:
            holders.pop()
        elif token.type in {"fence", "code_block"}:
            yield Block("code", token.content)
        elif token.type == "inline" and holders:
            yield _inline_block(token, holders)


def _inline_block(token: Token, holders: Sequence[Token]) -> Block:
    text = plain(token.children or ())
    holder = holders[-1]
    if holder.type == "heading_open":
        return Block("heading", text, int(holder.tag[1:]))
    if holder.type in {"th_open", "td_open"}:
        return Block("cell", text)
    kind = "li" if any(each.type == "list_item_open" for each in holders) else "p"
    is_link = _ends_with_link(token.children or ()) and not ends_like_a_sentence(text)
    return Block(kind, text, only_link=is_link)


def _ends_with_link(children: Sequence[Token]) -> bool:
    return bool(children) and children[-1].type in {"link_close", "image"}


def plain(children: Sequence[Token]) -> str:
    """Return the words of inline tokens without their marks and images."""
    parts = [
        " " if c.type in {"softbreak", "hardbreak"} else c.content for c in children if c.type != "image"
    ]
    return fold("".join(parts))
