"""Paragraphs of every kind as Markdown, with the links and the code of their sentences."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.content.artefacts import SourcePage
from app.content.assembly.body import Body
from app.content.assembly.tracing import entry_of
from app.content.drafts import Paragraph, Sentence
from app.content.rendering.markdown import (
    code_spans,
    escape_inside,
    escape_with_code,
    fenced,
    link,
    pipe_table,
)
from app.language.sentences import join_sentences
from app.pages.extraction.blocks import CELL_SEPARATOR


def write_paragraphs(body: Body, paragraphs: Sequence[Paragraph], pages: dict[int, SourcePage]) -> None:
    """Add paragraphs of every kind to a body, each sentence with where it is from."""
    for paragraph in paragraphs:
        entries = [entry_of(sentence) for sentence in paragraph.sentences]
        body.add(_paragraph_markdown(paragraph, pages), *entries, to_read=paragraph.kind != "code")


def _paragraph_markdown(paragraph: Paragraph, pages: dict[int, SourcePage]) -> str:
    if paragraph.kind == "code":
        return fenced(paragraph.sentences[0].text, paragraph.language)
    if paragraph.kind == "table":
        rows = [_cells(sentence) for sentence in paragraph.sentences]
        return pipe_table([escape_inside(cell) for cell in paragraph.header], rows)
    lines = [_line(sentence, pages) for sentence in paragraph.sentences]
    if paragraph.kind == "ul":
        return "\n".join(f"- {line}" for line in lines)
    if paragraph.kind == "ol":
        return "\n".join(f"{n}. {line}" for n, line in enumerate(lines, 1))
    text = join_sentences(lines)
    if paragraph.kind == "quote":
        return f"> {text}\n>\n> — {escape_inside(paragraph.speaker)}" if paragraph.speaker else f"> {text}"
    return f"### {text}" if paragraph.kind == "heading" else text


def _line(sentence: Sentence, pages: dict[int, SourcePage]) -> str:
    """Return a sentence as Markdown; what looks like a link in a page's own words is none."""
    spans = code_spans(sentence.text, sentence.code)
    if sentence.link is None:
        return escape_with_code(sentence.text, spans)
    before, anchor, after = sentence.text.partition(sentence.link.anchor)
    url = sentence.link.url or pages[sentence.link.page_id].url
    at = len(before) + len(anchor)
    first = escape_with_code(before, [span for span in spans if span[1] <= len(before)])
    return f"{first}{link(anchor, url)}{_coded_inside(after, spans, at)}"


def _cells(sentence: Sentence) -> list[str]:
    """Return the cells of a row as Markdown; its text is the cells with bars between them."""
    spans = code_spans(sentence.text, sentence.code)
    shown, at = [], 0
    for cell in sentence.cells:
        shown.append(_coded_inside(cell, spans, at))
        at += len(cell) + len(CELL_SEPARATOR)
    return shown


def _coded_inside(text: str, spans: Iterable[tuple[int, int]], at: int) -> str:
    """Return a part of a text, which stands ``at`` in it and begins no line, with its spans of code."""
    own = [(start - at, stop - at) for start, stop in spans if at <= start and stop <= at + len(text)]
    return escape_with_code(f"x{text}", [(start + 1, stop + 1) for start, stop in own])[1:]
