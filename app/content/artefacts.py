"""The typed artefacts that pass from stage to stage of post generation.

Every artefact is a frozen dataclass; ``to_dict`` gives plain lists, dicts and scalars for storing as JSON.
Long because they are one vocabulary, read together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any, Literal

DraftKind = Literal["full", "extractive", "outline"]
Intent = Literal["what", "how", "compare", "list", "buy"]
ParagraphKind = Literal["p", "ul", "ol", "quote", "code", "table", "heading"]
Origin = Literal["source", "model", "template", "input"]
LinkKind = Literal["source", "named", "related", "inline", "outbound"]
Severity = Literal["block", "warn", "info"]
Decision = Literal["allow", "warn", "block"]
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
class SourceBlock(Artefact):
    """One block of a page as reading made it: its kind, the headings above it, the lists around an item.

    ``links`` are those to other sites: the words they stand on, and the address. Blocks of one table, list,
    definition, quote or price card have the same ``group``. ``cells`` are those of a table's row, the first
    ``row_heads`` of which name it. ``speaker`` is whose words a quote is, ``language`` that of a listing.
    """

    id: str
    kind: str
    text: str
    heading_path: tuple[str, ...] = ()
    lists: str = ""
    links: tuple[tuple[str, str], ...] = ()
    group: str = ""
    cells: tuple[str, ...] = ()
    row_heads: int = 0
    speaker: str = ""
    language: str = ""


@dataclass(frozen=True)
class SourcePage(Artefact):
    """One live page of the project as it was read."""

    page_id: int
    url: str
    title: str | None
    description: str | None
    content_hash: str | None
    fetched_at: str | None
    always_use: bool
    blocks: tuple[SourceBlock, ...]


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
    """Everything a post may be made from, frozen at one moment."""

    project_name: str
    project_url: str
    project_facts: Mapping[str, str]
    language: str
    pages: tuple[SourcePage, ...]
    taken_slugs: frozenset[str] = frozenset()
    existing_posts: tuple[ExistingPost, ...] = ()


@dataclass(frozen=True)
class Evidence(Artefact):
    """A passage that speaks about the topic; ``id`` is ``page_id:block_id``."""

    id: str
    page_id: int
    block_id: str
    text: str
    score: float


@dataclass(frozen=True)
class LinkCandidate(Artefact):
    """A page worth linking to and the words that name it."""

    page_id: int
    url: str
    anchors: tuple[str, ...]


@dataclass(frozen=True)
class Brief(Artefact):
    """What the post is to be about and what the project's pages say on it.

    ``coverage`` tells whether the pages cover the topic, ``coverage_share`` how much of it the best page says
    (0 to 1), ``missing_words`` what that page does not say. ``covering_page_ids`` are the pages that say
    most, ``about_pages`` those that are about the topic, the best first.
    """

    topic: str
    topic_origin: Literal["topic", "title", "keyword", "page", "project"]
    primary_keyword: str
    secondary: tuple[str, ...]
    intent: Intent
    post_type: str
    audience: str | None
    tone: str
    language: str
    target_words: int
    evidence: tuple[Evidence, ...]
    coverage: Coverage
    coverage_share: float
    missing_words: tuple[str, ...]
    covering_page_ids: tuple[int, ...]
    questions: tuple[str, ...]
    keyword_support: Mapping[str, float]
    gaps: tuple[str, ...]
    link_candidates: tuple[LinkCandidate, ...]
    existing_posts_on_topic: tuple[ExistingPost, ...]
    draft_kind: DraftKind
    about_pages: tuple[int, ...] = ()


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


@dataclass(frozen=True)
class SectionLink(Artefact):
    """A link of a section to a page of the project, or with its page to another site.

    ``source`` names the page an excerpt is from, ``named`` does so without linking it, ``related`` leads to
    another page on the topic, ``inline`` stands in a sentence that holds the ``anchor``. ``outbound`` is a
    link that the page itself sets there, to ``url``.
    """

    page_id: int
    anchor: str
    kind: LinkKind = "source"
    url: str = ""


@dataclass(frozen=True)
class Sentence(Artefact):
    """A piece of text and where it is from: of a list one item, of a table one row, of code the listing.

    ``link`` makes some of its words lead to a page. ``cells`` are those of a table's row. ``quote`` is the
    words of the evidence that bear a sentence of a model. ``code`` is what of it is shown as code: a run of
    characters, and how often the text says it before.
    """

    text: str
    source_ids: tuple[str, ...]
    origin: Origin
    link: SectionLink | None = None
    cells: tuple[str, ...] = ()
    quote: str = ""
    code: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True)
class Paragraph(Artefact):
    """Sentences that stand together; a heading is one sentence, shown as the third level.

    ``header`` names the columns of a table, ``speaker`` is whose words a quote is, ``language`` that of code.
    """

    kind: ParagraphKind
    sentences: tuple[Sentence, ...]
    header: tuple[str, ...] = ()
    speaker: str = ""
    language: str = ""


@dataclass(frozen=True)
class SectionDraft(Artefact):
    """A drafted section; ``heading_source`` is the evidence id of the heading block, if the site wrote it,
    else ``heading_origin`` says who did."""

    id: str
    heading: str
    heading_source: str | None
    paragraphs: tuple[Paragraph, ...]
    links: tuple[SectionLink, ...]
    level: int = 2
    heading_origin: Origin = "input"


@dataclass(frozen=True)
class FaqEntry(Artefact):
    """A question and its answer as they stand in the text."""

    question: str
    answer: str


@dataclass(frozen=True)
class PostSource(Artefact):
    """A page the post was made from."""

    page_id: int
    url: str
    title: str
    used_for: tuple[str, ...]


@dataclass(frozen=True)
class TraceEntry(Artefact):
    """Where one sentence of the post comes from; page and block are None for template and input text.

    What a model wrote names in ``source_ids`` all the evidence it rests on; page and block are the first, and
    ``quote`` the words of the evidence that bear it.
    """

    sentence: str
    page_id: int | None
    block_id: str | None
    origin: Origin
    source_ids: tuple[str, ...] = ()
    quote: str = ""


@dataclass(frozen=True)
class AssembledPost(Artefact):
    """The finished post; ``markdown`` has no title heading, ``html`` is its sanitised rendering."""

    title: str
    meta_title: str
    slug: str
    description: str
    tags: tuple[str, ...]
    markdown: str
    html: str
    faq: tuple[FaqEntry, ...]
    json_ld: tuple[Mapping[str, Any], ...]
    sources: tuple[PostSource, ...]
    trace: tuple[TraceEntry, ...]
    word_count: int
    reading_minutes: int


@dataclass(frozen=True)
class QualityCheck(Artefact):
    """The outcome of one check; ``where`` names the places, ``hint`` the way to mend them."""

    code: str
    severity: Severity
    passed: bool
    message: str
    where: tuple[str, ...] = ()
    hint: str = ""


@dataclass(frozen=True)
class QualityReport(Artefact):
    """All checks of a post; ``score`` is the weighted share of passed checks, 0 to 100."""

    decision: Decision
    score: int
    checks: tuple[QualityCheck, ...]
    metrics: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Usage(Artefact):
    """Who wrote a post and what that took; a cost of None is not known."""

    provider: str = "none"
    model: str = "extractive"
    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost_usd: float | None = None

    def taken(self) -> dict[str, Any]:
        """Return what it took, without who wrote: calls, tokens, cost."""
        members = ("calls", "prompt_tokens", "completion_tokens", "cost_usd")
        return {name: getattr(self, name) for name in members}


@dataclass(frozen=True)
class WrittenPost(Artefact):
    """What an engine hands back: the post, how it came about, and what to know about it.

    ``request`` is what was asked for, defaults filled; the pipeline adds it, whoever wrote the post.
    """

    post: AssembledPost
    brief: Brief
    outline: Outline
    quality: QualityReport
    draft_kind: DraftKind
    engine: Literal["extractive", "llm"]
    warnings: tuple[str, ...]
    editor_notes: tuple[str, ...] = ()
    usage: Usage = Usage()
    plan: Artefact | None = None
    request: Mapping[str, Any] = field(default_factory=dict)
