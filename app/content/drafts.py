"""What the writers make: sentences with their sources, the finished post, and the report on it. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from app.content.artefacts import Artefact, Brief, DraftKind, Outline

ParagraphKind = Literal["p", "ul", "ol", "quote", "code", "table", "caption", "heading"]
Origin = Literal["source", "model", "template", "input"]
LinkKind = Literal["source", "named", "related", "inline", "outbound"]
Severity = Literal["block", "warn", "info"]
Decision = Literal["allow", "warn", "block"]

OPTION_NOT_APPLIED: Final = "OPTION_NOT_APPLIED"
GAPS: Final = "The pages say little about: "
REPEATED_IN_NOTES: Final = (OPTION_NOT_APPLIED, GAPS)
"""The beginnings of warnings that editor notes repeat in detail."""

ABOUT_PROJECT: Final = "about"
"""The id of the last section of a digest that only says what the project is, and nothing on the topic."""


@dataclass(frozen=True)
class SectionLink(Artefact):
    """A link of a section to a page of the project, or with its page to another site.

    ``source`` names the page an excerpt is from, ``named`` does so without linking it, ``related`` leads to
    another page on the topic, ``inline`` is set in a sentence that contains the ``anchor``. ``outbound`` is a
    link that the page itself sets there, to ``url``.
    """

    page_id: int
    anchor: str
    kind: LinkKind = "source"
    url: str = ""


@dataclass(frozen=True)
class Sentence(Artefact):
    """A piece of text and its source: a sentence, an item of a list, a row of a table, or a code listing.

    ``link`` links some of its words to a page. ``cells`` are those of a table's row. ``quote`` has the words
    of the evidence that support a sentence of a model. ``code`` has the parts that are shown as code: each a
    run of characters, and how often it occurs in the text before. ``strong`` has those in bold.
    ``worked_out`` are the figures that follow from others of the sentence, and that no source has.
    """

    text: str
    source_ids: tuple[str, ...]
    origin: Origin
    link: SectionLink | None = None
    cells: tuple[str, ...] = ()
    quote: str = ""
    code: tuple[tuple[str, int], ...] = ()
    strong: tuple[tuple[str, int], ...] = ()
    worked_out: tuple[str, ...] = ()


@dataclass(frozen=True)
class Paragraph(Artefact):
    """Sentences that belong together; a heading is one sentence, shown as the third level.

    A caption says of the table beside it what it shows, or where its figures are from.

    ``header`` names the columns of a table, ``speaker`` is whose words a quote is, ``language`` that of code.
    """

    kind: ParagraphKind
    sentences: tuple[Sentence, ...]
    header: tuple[str, ...] = ()
    speaker: str = ""
    language: str = ""


@dataclass(frozen=True)
class SectionDraft(Artefact):
    """A drafted section.

    ``heading_sources`` are the evidence ids of the headings that its own is from, if the site wrote it, else
    ``heading_origin`` says who did.
    """

    id: str
    heading: str
    heading_sources: tuple[str, ...]
    paragraphs: tuple[Paragraph, ...]
    links: tuple[SectionLink, ...]
    level: int = 2
    heading_origin: Origin = "input"


@dataclass(frozen=True)
class FaqEntry(Artefact):
    """A question and its answer, word for word as in the text."""

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

    For a sentence of a model, ``source_ids`` are all its evidence, page and block are the first of it, and
    ``quote`` has the words of the evidence that support the sentence, and ``worked_out`` are its figures that
    follow from others of it.
    """

    sentence: str
    page_id: int | None
    block_id: str | None
    origin: Origin
    source_ids: tuple[str, ...] = ()
    quote: str = ""
    worked_out: tuple[str, ...] = ()


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
    """The result of one check; ``where`` names the places, ``hint`` says how to fix them."""

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
    """What an engine returns: the post, its brief and outline, and the notes about it.

    ``request`` is the request with its defaults; the pipeline adds it for every engine.
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


@dataclass(frozen=True)
class PresentText:
    """The present text of an article and its stored trace."""

    markdown: str
    description: str
    trace: Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class RefreshedText:
    """A refreshed text; ``changes`` has a line for each sentence that was replaced or removed."""

    markdown: str
    description: str
    trace: tuple[TraceEntry, ...]
    changes: tuple[str, ...]
    usage: Usage
