"""A post as it is read and checked: its text with each sentence marked, and the passages it rests on."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from typing import Any, Final

from app.content.artefacts import evidence_id, page_of
from app.content.assembly.tracing import quote_of, source_ids_of
from app.content.drafts import QualityReport
from app.content.model import BlogPost
from app.content.posts.source_pages import StoredSource
from app.content.rendering.html import render_html
from app.content.rendering.images import ImageAddress, no_address
from app.content.rendering.marking import Said, mark_sentences

_DOUBTED: Final = "UNSUPPORTED_CLAIM"
_MOST_AROUND: Final = 400


@dataclass(frozen=True)
class Piece:
    """A part of a passage, and the sentences of the post that use its words."""

    text: str
    sentences: tuple[int, ...] = ()


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
    """A passage of a page, with the words that the post uses; ``is_there`` unless the page lost it since.

    ``anchor`` is the id that the marks of its sentences lead to.
    """

    anchor: str
    page: SourcePage
    heading: str
    pieces: tuple[Piece, ...]
    sentences: tuple[int, ...]
    is_there: bool


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
    wanted = [_said(entry["sentence"], used[number]) for number, entry in enumerate(post.trace)]
    doubts = [place for check in quality.checks if check.code == _DOUBTED for place in check.where]
    html = render_html(post.content, image_address)
    marked = mark_sentences(html, wanted, others=post.edited_at is not None, doubts=doubts)
    shown = {number: said for number, said in marked.shown.items() if said.kind != "plain"}
    sourced = sorted(number for number, said in shown.items() if said.kind == "source")
    pages = _pages(post, sources, {number: used[number] for number in sourced})
    return Reading(
        html=html,
        marked=marked.html,
        passages=tuple(_passages(post, sources, pages, {number: used[number] for number in sourced})),
        pages=tuple(sorted(pages.values(), key=lambda page: -len(page.sentences))),
        counts=Counter(said.kind for said in shown.values()),
        lines=Counter(post.trace[n]["origin"] for n in marked.shown if n < len(used) and not used[n]),
        sentences=shown,
    )


def _said(sentence: str, sources: Sequence[str]) -> Said:
    return Said(sentence, "source", _anchor(sources[0])) if sources else Said(sentence, "plain")


def _anchor(source: str) -> str:
    """Return the id of a passage's element."""
    return f"from-{source.replace(':', '-')}"


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


def _passages(
    post: BlogPost,
    stored: Sequence[StoredSource],
    pages: Mapping[int, SourcePage],
    used: Mapping[int, Sequence[str]],
) -> Iterator[Passage]:
    blocks = {evidence_id(each.page_id, block["id"]): block for each in stored for block in each.blocks or ()}
    by_source: dict[str, list[int]] = {}
    for number, sources in used.items():
        for source in sources:
            by_source.setdefault(source, []).append(number)
    for source, numbers in by_source.items():
        page = pages.get(page_of(source))
        if page is not None:
            quotes = {number: quote_of(post.trace[number]) or "" for number in numbers}
            yield _passage(_anchor(source), page, blocks.get(source), quotes)


def _passage(
    anchor: str, page: SourcePage, block: Mapping[str, Any] | None, quotes: Mapping[int, str]
) -> Passage:
    text = " ".join(str(block["text"]).split()) if block else ""
    pieces = pieces_of(text, quotes)
    is_there = any(piece.sentences for piece in pieces)
    if not is_there:
        pieces = tuple(Piece(quote, (number,)) for number, quote in quotes.items() if quote)
    heading = (block or {}).get("heading_path") or ("",)
    return Passage(anchor, page, heading[-1], pieces, tuple(quotes), is_there)


def pieces_of(text: str, quotes: Mapping[int, str]) -> tuple[Piece, ...]:
    """Return a passage in pieces, each with the numbers of the quotes that cover it. Far text is left out."""
    covered: dict[int, range] = {}
    for number, quote in quotes.items():
        folded = " ".join(quote.split())
        start = text.find(folded) if folded else -1
        if start >= 0:
            covered[number] = range(start, start + len(folded))
    if not covered:
        return (Piece(text),) if text else ()
    first = _nearest_space(text, min(each.start for each in covered.values()) - _MOST_AROUND)
    last = _nearest_space(text, max(each.stop for each in covered.values()) + _MOST_AROUND)
    inner = {edge for each in covered.values() for edge in (each.start, each.stop)}
    edges = sorted({first, last, *inner})
    pieces = [
        Piece(text[start:end], tuple(number for number, each in covered.items() if start in each))
        for start, end in pairwise(edges)
    ]
    before, after = "… " if first > 0 else "", " …" if last < len(text) else ""
    return tuple(piece for piece in (Piece(before), *pieces, Piece(after)) if piece.text)


def _nearest_space(text: str, place: int) -> int:
    """Return a place at the edge of a word, or of the text."""
    if place <= 0 or place >= len(text):
        return max(0, min(place, len(text)))
    space = text.find(" ", place)
    return space if 0 <= space <= place + 40 else place
