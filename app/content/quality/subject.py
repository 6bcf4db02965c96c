"""The input of a quality check: the post with its parsed text, and its context."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, Self
from urllib.parse import urlsplit

from app.content.artefacts import DraftKind, ExistingPost
from app.content.drafts import QualityCheck, Severity, TraceEntry
from app.content.rendering.blocks import Block, blocks_in, parse
from app.content.request import DEFAULT_LINK_BOUNDS, LinkBounds
from app.language.sentences import sentences
from app.language.words import fold, word_count
from app.pages.extraction.blocks import Block as PageBlock

if TYPE_CHECKING:
    from markdown_it.token import Token

_OWN_WORDS: Final = frozenset({"template", "input"})
"""The origins of lines that need no source: fixed lines, names of pages, the caller's facts."""

_MOST_PLACES: Final = 10
_PLACE_LENGTH: Final = 120


@dataclass(frozen=True)
class Link:
    """A link of the text; ``anchor`` is its words, ``image`` is true for an embedded picture."""

    url: str
    anchor: str
    image: bool = False


@dataclass(frozen=True)
class SourceText:
    """The text of a source page, the addresses on other sites that it links, and the page's name."""

    page_id: int
    text: str
    links: frozenset[str] = frozenset()
    name: str = ""

    @classmethod
    def of_page(
        cls, page_id: int, name: str, head: Iterable[str | None], blocks: Sequence[PageBlock]
    ) -> Self:
        """Return what a page says: its ``head``, which is title and description, and its blocks."""
        said = (line for block in blocks for line in (block.text, block.speaker))
        links = frozenset(url for block in blocks for _anchor, url in block.links)
        return cls(page_id, "\n".join([*(line or "" for line in head), *said]), links, name)


@dataclass(frozen=True)
class PostText:
    """The text of a post; ``edited_by_person`` is true once anyone changed what the engine wrote."""

    title: str
    meta_title: str
    slug: str
    description: str
    markdown: str
    keywords: tuple[str, ...]
    primary_keyword: str
    language: str
    draft_kind: DraftKind
    edited_by_person: bool = False

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The Markdown tokens of the text."""
        return tuple(parse(self.markdown))

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of the text in reading order."""
        return blocks_in(self.tokens)

    @cached_property
    def all_links(self) -> tuple[Link, ...]:
        """All links and images of the text."""
        return tuple(link for token in self.tokens for link in _links(token.children or ()))

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The links and images of the text, without those to its own headings."""
        return tuple(link for link in self.all_links if link.image or not link.url.startswith("#"))

    @cached_property
    def prose(self) -> str:
        """The text without code, one block a line."""
        return "\n".join(block.text for block in self.blocks if block.kind != "code")

    @cached_property
    def words(self) -> int:
        """The number of Unicode words of the prose."""
        return word_count(self.prose)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of paragraphs and list items; a paragraph that is only a link is none."""
        prose = (block for block in self.blocks if block.kind in {"p", "li"} and not block.only_link)
        return tuple(sentence for block in prose for sentence in sentences(block.text))

    @property
    def written_by_engine(self) -> bool:
        """Whether no person changed the text."""
        return not self.edited_by_person


@dataclass(frozen=True)
class QualityContext:
    """The facts outside a post that its checks need.

    ``live_page_urls`` may be linked. ``known_page_urls`` include stale pages, ``source_urls`` are those of
    the sources. ``sources`` reads their texts and ``page_names`` the names of the project's pages, both only
    when a check needs them. ``given_text`` needs no evidence: the words of the caller, the project's facts
    and the fixed lines, one a line. The caller's ``given_links`` may be linked, ``avoided`` are phrases to
    avoid, and ``link_bounds`` is the wanted number of internal links. ``image_ids`` are those images of the
    project that the text may show. ``outdated`` finds the sentences that rest on words which the sources no
    longer have.
    """

    project_host: str
    live_page_urls: frozenset[str] = frozenset()
    known_page_urls: frozenset[str] = frozenset()
    source_urls: frozenset[str] = frozenset()
    slug_taken: bool = False
    sources_changed: bool = False
    other_posts: tuple[ExistingPost, ...] = ()
    given_text: str = ""
    given_links: frozenset[str] = frozenset()
    avoided: tuple[str, ...] = ()
    link_bounds: LinkBounds = DEFAULT_LINK_BOUNDS
    image_ids: Container[int] = ()
    sources: Callable[[], Sequence[SourceText]] = tuple
    page_names: Callable[[], Sequence[str]] = tuple
    outdated: Callable[[], Sequence[str]] = tuple


@dataclass(frozen=True)
class Subject:
    """A post and its context, as every check gets them."""

    post: PostText
    context: QualityContext

    @cached_property
    def sources(self) -> Sequence[SourceText]:
        """The texts of the source pages."""
        return self.context.sources()

    @cached_property
    def evidence(self) -> Mapping[int, str]:
        """The text of each source page by page id, white space folded."""
        return {source.page_id: fold(source.text) for source in self.sources}

    def is_internal(self, url: str) -> bool:
        """Return whether an address is on the project's own host, or of one of its pages."""
        is_own = urlsplit(url).netloc.lower() == self.context.project_host.lower()
        return is_own or url in self.context.known_page_urls or url in self.context.live_page_urls


def check_result(
    code: str, severity: Severity, rule: str, wrong: str, found: Sequence[str], hint: str
) -> QualityCheck:
    """Return the result of a check; ``found`` are the places where the post breaks the rule.

    The message is ``rule`` if there are none, else ``wrong``.
    """
    places = tuple(place if len(place) <= _PLACE_LENGTH else f"{place[:_PLACE_LENGTH]}…" for place in found)
    if not places:
        return QualityCheck(code, severity, True, rule, (), "")
    return QualityCheck(code, severity, False, wrong, places[:_MOST_PLACES], hint)


def counted(count: int, one: str, many: str) -> str:
    """Return a number with its noun: ``1 sentence`` or ``3 sentences``."""
    return f"{count} {one if count == 1 else many}"


def _links(children: Sequence[Token]) -> Iterator[Link]:
    url, anchor = "", ""
    for child in children:
        if child.type == "link_open":
            url, anchor = str(child.attrs.get("href", "")), ""
        elif child.type == "link_close":
            yield Link(url, fold(anchor))
        elif child.type == "image":
            yield Link(str(child.attrs.get("src", "")), child.content, image=True)
        else:
            anchor += child.content


def without_source(trace: Iterable[TraceEntry]) -> Iterator[str]:
    """Yield what needs no source in a post: lines of its own, and figures that follow from others."""
    for entry in trace:
        if entry.origin in _OWN_WORDS:
            yield entry.sentence
        yield from entry.worked_out
