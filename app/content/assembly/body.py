"""The text of a post in progress: Markdown blocks with the trace of each line."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from app.content.artefacts import SourcePage
from app.content.assembly.tracing import entry_of
from app.content.drafts import Paragraph, Sentence, TraceEntry
from app.content.rendering.markdown import (
    Span,
    escape,
    escape_inside,
    escape_with_marks,
    fenced,
    link,
    pipe_table,
    spans_of,
)
from app.language.schema import Phrases
from app.language.sentences import join_sentences
from app.language.words import COLONS, word_count
from app.pages.extraction.blocks import CELL_SEPARATOR


class Body:
    """The Markdown being written, each line with its trace; blocks are joined by blank lines.

    ``pages`` are those that it may link, ``table`` has the fixed lines of its language.
    """

    def __init__(self, pages: Mapping[int, SourcePage], table: Phrases | None) -> None:
        self.pages = pages
        self.table = table
        self.blocks: list[str] = []
        self.trace: list[TraceEntry] = []
        self.words = 0

    def add(self, markdown: str, *entries: TraceEntry, to_read: bool = True) -> None:
        """Write a block; ``to_read`` says whether its words count."""
        self.blocks.append(markdown)
        self.trace += entries
        if to_read:
            self.words += sum(word_count(entry.sentence) for entry in entries)

    def heading(self, level: int, entry: TraceEntry) -> None:
        """Write a heading."""
        self.add(f"{'#' * level} {escape(entry.sentence)}", entry)

    def write(self, paragraphs: Sequence[Paragraph]) -> None:
        """Write paragraphs of every kind."""
        for paragraph, first in zip(paragraphs, _first_numbers(paragraphs), strict=True):
            entries = map(entry_of, paragraph.sentences)
            self.add(_markdown_of(paragraph, self.pages, first), *entries, to_read=paragraph.kind != "code")

    @property
    def markdown(self) -> str:
        """The whole text."""
        return "\n\n".join(self.blocks) + "\n" if self.blocks else ""


def _first_numbers(paragraphs: Sequence[Paragraph]) -> Iterator[int]:
    """Yield the number that each paragraph begins with: a list of a model goes on behind a listing or table.

    So it does behind a paragraph that explains the listing, or leads to an alternative, "Under GnuTLS,
    type:". Lists that were copied from a page may be two procedures.
    """
    number, before = 1, ""
    for paragraph, after in zip_longest(paragraphs, paragraphs[1:]):
        yield number
        announces_list = paragraph.sentences[-1].text.endswith(COLONS) and after and after.kind == "ol"
        is_on_listing = paragraph.kind == "p" and before == "code" and not announces_list
        if paragraph.kind == "ol" and all(each.origin == "model" for each in paragraph.sentences):
            number += len(paragraph.sentences)
        elif paragraph.kind not in {"code", "table"} and not is_on_listing:
            number = 1
        before = paragraph.kind


def _markdown_of(paragraph: Paragraph, pages: Mapping[int, SourcePage], first: int) -> str:
    if paragraph.kind == "code":
        return fenced(paragraph.sentences[0].text, paragraph.language)
    if paragraph.kind == "table":
        rows = [_cells(sentence) for sentence in paragraph.sentences]
        return pipe_table([escape_inside(cell) for cell in paragraph.header], rows)
    lines = [_line(sentence, pages) for sentence in paragraph.sentences]
    if paragraph.kind == "ul":
        return "\n".join(f"- {line}" for line in lines)
    if paragraph.kind == "ol":
        return "\n".join(f"{n}. {line}" for n, line in enumerate(lines, first))
    text = join_sentences(lines)
    if paragraph.kind == "caption":
        return f"*{escape_inside(paragraph.sentences[0].text)}*"
    if paragraph.kind == "quote":
        return f"> {text}\n>\n> — {escape_inside(paragraph.speaker)}" if paragraph.speaker else f"> {text}"
    return f"### {text}" if paragraph.kind == "heading" else text


def _line(sentence: Sentence, pages: Mapping[int, SourcePage]) -> str:
    """Return a sentence as Markdown; link-like text in a page's own words is escaped."""
    spans = spans_of(sentence.text, sentence.code, sentence.strong)
    if sentence.link is None:
        return escape_with_marks(sentence.text, spans)
    before, anchor, after = sentence.text.partition(sentence.link.anchor)
    url = sentence.link.url or pages[sentence.link.page_id].url
    at = len(before) + len(anchor)
    first = escape_with_marks(before, [span for span in spans if span.stop <= len(before)])
    return f"{first}{link(anchor, url)}{_marked_inside(after, spans, at)}"


def _cells(sentence: Sentence) -> list[str]:
    """Return the cells of a row as Markdown; its text is the cells with bars between them."""
    spans = spans_of(sentence.text, sentence.code, sentence.strong)
    shown, at = [], 0
    for cell in sentence.cells:
        shown.append(_marked_inside(cell, spans, at, in_cell=True))
        at += len(cell) + len(CELL_SEPARATOR)
    return shown


def _marked_inside(text: str, spans: Iterable[Span], at: int, *, in_cell: bool = False) -> str:
    """Return the part of a line that starts ``at`` a position, with its marked spans."""
    own = (each for each in spans if at <= each.start and each.stop <= at + len(text))
    moved = [Span(each.start - at + 1, each.stop - at + 1, each.is_bold) for each in own]
    return escape_with_marks(f"x{text}", moved, in_cell=in_cell)[1:]
