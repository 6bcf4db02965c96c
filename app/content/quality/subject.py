"""What a quality check looks at: the post as stored, what is known around it, and the text taken apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final
from urllib.parse import urlsplit

from markdown_it.token import Token

from app.content.artefacts import DraftKind, ExistingPost
from app.content.drafts import QualityCheck, Severity
from app.content.rendering.blocks import Block, blocks_in, parse
from app.content.request import DEFAULT_LINK_BOUNDS, LinkBounds
from app.language.sentences import sentences
from app.language.words import fold, word_count

_MOST_PLACES: Final = 10
_PLACE_LENGTH: Final = 120


def _no_evidence() -> Mapping[int, str]:
    return {}


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
    engine: str
    edited_by_person: bool = False


@dataclass(frozen=True)
class QualityContext:
    """What is known around a post.

    ``live_page_urls`` may be linked, ``known_page_urls`` include stale pages, ``source_urls`` are the
    pages the post was made from. ``evidence`` gives the text of the source pages by page id, read only when a
    check needs it. ``given_text`` is what the caller and the project's brief said, and the fixed lines, one a
    line: it needs no evidence.
    ``given_links`` the caller gave, ``avoided`` words and phrases the caller does not want, ``link_bounds``
    how many internal links there should be.
    ``page_names`` gives the names of the project's pages, by which a post on the same is known.
    ``links_of_sources`` gives the addresses on other sites that the source pages themselves link.
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
    evidence: Callable[[], Mapping[int, str]] = _no_evidence
    page_names: Callable[[], Sequence[str]] = tuple
    links_of_sources: Callable[[], frozenset[str]] = frozenset


@dataclass(frozen=True)
class Link:
    """A link of the text: where to and under which words; ``image`` for an embedded picture."""

    url: str
    anchor: str
    image: bool = False


@dataclass(frozen=True)
class Subject:
    """A post under examination: its text taken apart once, for all checks."""

    post: PostText
    context: QualityContext

    @cached_property
    def tokens(self) -> tuple[Token, ...]:
        """The Markdown tokens of the text."""
        return tuple(parse(self.post.markdown))

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
        """The links and images of the text that do not lead to another place of it."""
        return tuple(link for link in self.all_links if link.image or not link.url.startswith("#"))

    @cached_property
    def prose(self) -> str:
        """Everything a reader reads but code, one block a line."""
        return "\n".join(block.text for block in self.blocks if block.kind != "code")

    @cached_property
    def words(self) -> int:
        """The number of Unicode words of the prose."""
        return word_count(self.prose)

    @cached_property
    def sentences(self) -> tuple[str, ...]:
        """The sentences of paragraphs and list items; a paragraph that is only a link is none."""
        told = (block for block in self.blocks if block.kind in {"p", "li"} and not block.only_link)
        return tuple(sentence for block in told for sentence in sentences(block.text))

    @cached_property
    def evidence(self) -> Mapping[int, str]:
        """The whitespace-folded text of each source page."""
        return {page_id: fold(text) for page_id, text in self.context.evidence().items()}

    @property
    def written_by_engine(self) -> bool:
        """True as long as no person changed the text."""
        return not self.post.edited_by_person

    def is_internal(self, url: str) -> bool:
        """Tell whether an address is on the project's own host, or of a page in its list."""
        is_own = urlsplit(url).netloc.lower() == self.context.project_host.lower()
        return is_own or url in self.context.known_page_urls or url in self.context.live_page_urls


def outcome(
    code: str, severity: Severity, rule: str, wrong: str, found: Sequence[str], hint: str
) -> QualityCheck:
    """Return a check's outcome. ``found`` are the places where the post breaks the rule.

    The message is ``rule`` when there are none, else ``wrong``: what this post does instead.
    """
    places = tuple(place if len(place) <= _PLACE_LENGTH else f"{place[:_PLACE_LENGTH]}…" for place in found)
    if not places:
        return QualityCheck(code, severity, True, rule, (), "")
    return QualityCheck(code, severity, False, wrong, places[:_MOST_PLACES], hint)


def some(count: int, one: str, many: str) -> str:
    """Return a number of things in words: ``1 sentence stands`` or ``3 sentences stand``."""
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
