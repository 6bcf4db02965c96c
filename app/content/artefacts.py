"""What a post is made from and planned by: the pages, the brief, the outline, and the ids of evidence. Pure.

Every artefact is a frozen dataclass; ``to_dict`` returns plain lists, dicts and scalars for storing as JSON.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property
from typing import Any, Final, Literal

from app.pages.extraction.blocks import Block

DraftKind = Literal["full", "extractive", "outline"]
Intent = Literal["what", "how", "compare", "list", "buy"]
Coverage = Literal["covered", "perhaps", "absent"]


def plain(value: Any) -> Any:
    """Return ``value`` as JSON-ready data: dataclasses and mappings as dicts, tuples and sets as lists."""
    if is_dataclass(value) and not isinstance(value, type):
        return {member.name: plain(getattr(value, member.name)) for member in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(plain(item) for item in value)
    if isinstance(value, tuple | list):
        return [plain(item) for item in value]
    return value


class Artefact:
    """What every artefact can do: turn itself into JSON-ready data."""

    def to_dict(self) -> dict[str, Any]:
        """Return the artefact as JSON-ready data."""
        data: dict[str, Any] = plain(self)
        return data


@dataclass(frozen=True)
class SourcePage(Artefact):
    """One live page of the project as it was read."""

    page_id: int
    url: str
    title: str | None
    description: str | None
    always_use: bool
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class PageRef(Artefact):
    """A page as it is shown to people."""

    id: int
    url: str
    title: str


@dataclass(frozen=True)
class ExistingPost(Artefact):
    """A post the project already has."""

    id: int
    title: str
    primary_keyword: str | None


@dataclass(frozen=True)
class SourceSnapshot(Artefact):
    """Everything a post may be made from, frozen at one moment.

    ``endings`` are of the newest articles, ``day`` is the day of the moment in UTC, as 2026-11-28.
    """

    project_name: str
    project_url: str
    project_facts: Mapping[str, str]
    language: str
    pages: tuple[SourcePage, ...]
    taken_slugs: frozenset[str] = frozenset()
    existing_posts: tuple[ExistingPost, ...] = ()
    endings: tuple[str, ...] = ()
    day: str = ""

    @cached_property
    def page_by_id(self) -> dict[int, SourcePage]:
        """The pages by their ids."""
        return {page.page_id: page for page in self.pages}

    @cached_property
    def block_by_id(self) -> dict[str, Block]:
        """The blocks of all pages by their ids as evidence."""
        return {evidence_id(page.page_id, block.id): block for page in self.pages for block in page.blocks}


@dataclass(frozen=True)
class Brief(Artefact):
    """What the post is to be about and what the project's pages say on it.

    ``coverage`` says whether the pages cover the topic, ``coverage_share`` how much of it the best page says
    (0 to 1), ``missing_words`` what that page does not say. ``covering_page_ids`` are the pages that say
    most, ``about_pages`` those that are about the topic, the best first. ``main_page`` is the one of them
    that a post can follow. ``subject`` is what they are about: the topic, or a part of it such as "Print your
    key" of "Print your key: paper backups". ``nearest_page_ids`` are the pages to choose from where none is
    about the topic.
    """

    topic: str
    subject: str
    primary_keyword: str
    secondary: tuple[str, ...]
    intent: Intent
    post_type: str
    audience: str | None
    tone: str
    language: str
    target_words: int
    coverage: Coverage
    coverage_share: float
    missing_words: tuple[str, ...]
    covering_page_ids: tuple[int, ...]
    questions: tuple[str, ...]
    keyword_support: Mapping[str, float]
    gaps: tuple[str, ...]
    link_candidates: tuple[PageRef, ...]
    existing_posts_on_topic: tuple[ExistingPost, ...]
    draft_kind: DraftKind
    about_pages: tuple[int, ...] = ()
    main_page: int | None = None
    nearest_page_ids: tuple[int, ...] = ()


@dataclass(frozen=True)
class OutlineSection(Artefact):
    """One planned section; ``evidence_ids`` name the blocks it quotes, in reading order."""

    id: str
    heading: str
    purpose: str
    key_points: tuple[str, ...]
    evidence_ids: tuple[str, ...]
    target_words: int
    level: int = 2


@dataclass(frozen=True)
class Outline(Artefact):
    """The plan of a post; the questions of ``faq`` are the site's own question headings."""

    title: str
    meta_title: str
    sections: tuple[OutlineSection, ...]
    faq: tuple[OutlineSection, ...]


def evidence_id(page_id: int, block_id: str) -> str:
    """Return the id under which brief, outline and trace know a block."""
    return f"{page_id}:{block_id}"


DESCRIPTION: Final = "description"
"""What stands for a page's description among the ids of its blocks."""


def page_of(source: str) -> int:
    """Return the page of an evidence id; 0 for the id of something that the caller or the project gave."""
    page_id = source.partition(":")[0]
    return int(page_id) if page_id.isdecimal() else 0
