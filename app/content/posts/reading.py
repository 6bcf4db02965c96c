"""A post as it is read and checked: its text with each sentence marked, and the passages it rests on."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Final

from app.content.artefacts import page_of
from app.content.assembly.tracing import source_ids_of
from app.content.drafts import QualityReport
from app.content.model import BlogPost
from app.content.posts.passage_lines import Line, LineKind, lines_of, lost_lines
from app.content.posts.passages import Rest, rests_of
from app.content.posts.source_pages import StoredSource, quoted_pages
from app.content.rendering.html import render_html
from app.content.rendering.images import ImageAddress, no_address
from app.content.rendering.marking import Said, mark_sentences

_DOUBTED: Final = "UNSUPPORTED_CLAIM"


@dataclass(frozen=True)
class SourcePage:
    """A page that a post was made from, as it is now; ``sentences`` of the post are from it."""

    page_id: int
    title: str
    url: str
    sentences: tuple[int, ...]
    fetched_at: datetime | None
    is_stale: bool


@dataclass(frozen=True)
class Passage:
    """A passage of a page, with the words that the post uses; ``is_there`` unless the page lost them since.

    ``anchor`` is the id that the marks of its sentences lead to. Without ``lines`` only the page is known.
    """

    anchor: str
    page: SourcePage
    heading: str
    lines: tuple[Line, ...]
    sentences: tuple[int, ...]
    is_there: bool

    @property
    def runs(self) -> list[tuple[LineKind, list[Line]]]:
        """The lines, those of one paragraph, list or table together."""
        return [(kind, list(run)) for kind, run in groupby(self.lines, lambda line: line.kind)]


@dataclass(frozen=True)
class Reading:
    """The text of a post, also marked, the passages in its order, the pages with the most used first.

    ``counts`` says how many sentences are from pages (``source``), the person's ``own`` and ``unsure``;
    ``lines`` how many have no source and need none, by their origin.
    """

    html: str
    marked: str
    passages: tuple[Passage, ...]
    pages: tuple[SourcePage, ...]
    counts: Mapping[str, int]
    lines: Mapping[str, int]
    sentences: Mapping[int, Said]


def read_post(
    post: BlogPost,
    quality: QualityReport,
    sources: Sequence[StoredSource],
    image_address: ImageAddress = no_address,
) -> Reading:
    """Return a post's text with its sources. A sentence that a person changed is marked as their own."""
    used = {number: tuple(source_ids_of(entry)) for number, entry in enumerate(post.trace)}
    quoted = quoted_pages(sources)
    rests = [rests_of(entry, quoted, post.language) for entry in post.trace]
    wanted = [_said(entry["sentence"], rests[number]) for number, entry in enumerate(post.trace)]
    doubts = [place for check in quality.checks if check.code == _DOUBTED for place in check.where]
    html = render_html(post.content, image_address)
    marked = mark_sentences(html, wanted, others=post.edited_at is not None, doubts=doubts)
    shown = {number: said for number, said in marked.shown.items() if said.kind != "plain"}
    sourced = sorted(number for number, said in shown.items() if said.kind == "source")
    pages = _pages(post, sources, {number: used[number] for number in sourced})
    return Reading(
        html=html,
        marked=marked.html,
        passages=tuple(_passages(pages, {number: rests[number] for number in sourced})),
        pages=tuple(sorted(pages.values(), key=lambda page: -len(page.sentences))),
        counts=Counter(said.kind for said in shown.values()),
        lines=Counter(post.trace[n]["origin"] for n in marked.shown if n < len(used) and not used[n]),
        sentences=shown,
    )


def _said(sentence: str, rests: Sequence[Rest]) -> Said:
    return Said(sentence, "source", rests[0].anchor) if rests else Said(sentence, "plain")


def _pages(
    post: BlogPost, stored: Sequence[StoredSource], used: Mapping[int, Sequence[str]]
) -> dict[int, SourcePage]:
    """Return the pages that the shown sentences are from, by id."""
    listed = {source["page_id"]: source for source in post.sources}
    there = {each.page_id: each for each in stored}
    from_page: dict[int, dict[int, None]] = {}
    for number, sources in used.items():
        for source in sources:
            from_page.setdefault(page_of(source), {})[number] = None
    return {
        page_id: SourcePage(
            page_id=page_id,
            title=listed[page_id]["title"] or there[page_id].title or "",
            url=listed[page_id]["url"],
            sentences=tuple(numbers),
            fetched_at=there[page_id].fetched_at,
            is_stale=there[page_id].is_stale,
        )
        for page_id, numbers in from_page.items()
        if page_id in there and page_id in listed
    }


def _passages(pages: Mapping[int, SourcePage], rests: Mapping[int, Sequence[Rest]]) -> Iterator[Passage]:
    """Yield the passages that sentences rest on, each once, in the order of the text."""
    first: dict[str, Rest] = {}
    quotes: dict[str, dict[int, str]] = {}
    for number, own in rests.items():
        for rest in own:
            first.setdefault(rest.anchor, rest)
            quotes.setdefault(rest.anchor, {})[number] = rest.quote
    for anchor, rest in first.items():
        page, unit = pages.get(page_of(rest.source)), rest.unit
        if page is not None:
            lines = lines_of(unit, quotes[anchor]) if unit else lost_lines(quotes[anchor])
            heading = unit.path[-1] if unit and unit.path else ""
            yield Passage(anchor, page, heading, lines, tuple(quotes[anchor]), not rest.is_lost)
