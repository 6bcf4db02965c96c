"""Code and bold words of a page stay so where they are quoted. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from app.content.artefacts import SourceSnapshot, evidence_id
from app.content.drafts import Paragraph, SectionDraft, Sentence
from app.content.rendering.markdown import looks_active, occurrences
from app.pages.extraction.blocks import CELL_SEPARATOR, Block

_UNMARKED: Final = frozenset({"code", "caption", "heading"})
_WORDS: Final = re.compile(r"\w(?:.*\w)?", re.DOTALL)

Run = tuple[str, int]


def emphasised(drafts: Sequence[SectionDraft], snapshot: SourceSnapshot) -> tuple[SectionDraft, ...]:
    """Return the drafts with what their pages show as code or in bold, apart from whole sentences."""
    blocks = {
        evidence_id(page.page_id, block.id): block
        for page in snapshot.pages
        for block in page.blocks
        if block.marks
    }
    return tuple(_section(draft, blocks) for draft in drafts) if blocks else tuple(drafts)


def _section(draft: SectionDraft, blocks: Mapping[str, Block]) -> SectionDraft:
    marked = (each if each.kind in _UNMARKED else _paragraph(each, blocks) for each in draft.paragraphs)
    return replace(draft, paragraphs=tuple(marked))


def _paragraph(paragraph: Paragraph, blocks: Mapping[str, Block]) -> Paragraph:
    is_table = paragraph.kind == "table"
    marked = (_sentence(each, blocks, is_row=is_table) for each in paragraph.sentences)
    return replace(paragraph, sentences=tuple(marked))


def _sentence(sentence: Sentence, blocks: Mapping[str, Block], *, is_row: bool) -> Sentence:
    if is_row and CELL_SEPARATOR.join(sentence.cells) != sentence.text:
        return sentence
    runs = [
        run for source in sentence.source_ids if source in blocks for run in _runs(sentence, blocks[source])
    ]
    code = tuple(run for kind, run in runs if kind == "code")
    strong = tuple(
        run for kind, run in runs if kind == "strong" and (is_row or run[0] != _bare(sentence.text))
    )
    return replace(sentence, code=code, strong=strong)


def _runs(sentence: Sentence, block: Block) -> Iterator[tuple[str, Run]]:
    """Yield what a sentence has of a block's marks: a kind, the run, and how often it occurs before."""
    for part in (sentence.text, *sentence.cells):
        place, at = block.text.find(part), sentence.text.find(part)
        if place >= 0:
            break
    else:
        return
    for kind, start, stop in block.marks:
        if start < place or stop > place + len(part):
            continue
        run = block.text[start:stop]
        # Markdown knows no bold words with a mark at their end.
        run, start = (_bare(run), start + run.find(_bare(run))) if kind == "strong" else (run, start)
        places = occurrences(run, sentence.text)
        span = (start - place + at, start - place + at + len(run))
        if span in places and not _is_unfit(kind, run):
            yield kind, (run, places.index(span))


def _bare(text: str) -> str:
    """Return a text without what is neither letter nor digit at its ends."""
    found = _WORDS.search(text)
    return found[0] if found else ""


def _is_unfit(kind: str, run: str) -> bool:
    return not run or looks_active(run) or (kind == "code" and "`" in run)
