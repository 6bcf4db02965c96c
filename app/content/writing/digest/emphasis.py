"""Code and bold words of a page stay so where they are quoted. Pure."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final
from unicodedata import category

from app.content.artefacts import SourceSnapshot
from app.content.drafts import Paragraph, SectionDraft, Sentence
from app.content.rendering.markdown import looks_active, occurrences
from app.language.words import VOWEL_SIGNS
from app.pages.extraction.blocks import CELL_SEPARATOR, Block

_UNMARKED: Final = frozenset({"code", "caption", "heading"})
_WORDS: Final = re.compile(rf"\w(?:.*\w)?[{VOWEL_SIGNS}]*", re.DOTALL)

_QUOTES: Final = (("'", "'"), ('"', '"'), ("“", "”"), ("„", "“"), ("‘", "’"), ("«", "»"))

Run = tuple[str, int]


def emphasised(drafts: Sequence[SectionDraft], snapshot: SourceSnapshot) -> tuple[SectionDraft, ...]:
    """Return the drafts with what their pages show as code or in bold, apart from whole sentences."""
    return tuple(_section(draft, snapshot.block_by_id) for draft in drafts)


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
        run for kind, run in runs if kind == "strong" and (is_row or _bare(run[0]) != _bare(sentence.text))
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
        start, stop = _bold_part(block.text, start, stop) if kind == "strong" else (start, stop)
        run = block.text[start:stop]
        places = occurrences(run, sentence.text)
        span = (start - place + at, start - place + at + len(run))
        if span in places and not _is_unfit(kind, run):
            yield kind, (run, places.index(span))


def _bold_part(text: str, start: int, stop: int) -> tuple[int, int]:
    """Return the words of a bold part, with the sign of their amount and with whole quotations.

    Other marks at its ends are left out: Markdown knows no bold words that end with one before a letter.
    There is no part, (0, 0), where a sign or a quotation would be cut.
    """
    found = _WORDS.search(text, start, stop)
    if found is None:
        return 0, 0
    first, last = found.span()
    if text[first].isdigit() and _is_currency(text[first - 1 : first]):
        first -= 1
    if text[last - 1].isdigit() and (text[last : last + 1] == "%" or _is_currency(text[last : last + 1])):
        last += 1
    if last < stop and text[last] in _unclosed(text[first:last]):
        last += 1
    is_whole = not _unclosed(text[first:last])
    is_apart = last == found.end() or not text[last : last + 1].isalnum()
    return (first, last) if is_whole and is_apart else (0, 0)


def _unclosed(text: str) -> list[str]:
    """Return the marks that would close the quotations that a text begins and does not end."""
    return [
        close
        for opening, close in _QUOTES
        if len(re.findall(rf"(?<!\w){opening}", text)) > len(re.findall(rf"{close}(?!\w)", text))
    ]


def _is_currency(mark: str) -> bool:
    return bool(mark) and category(mark) == "Sc"


def _bare(text: str) -> str:
    """Return a text without what is neither letter nor digit at its ends."""
    found = _WORDS.search(text)
    return found[0] if found else ""


def _is_unfit(kind: str, run: str) -> bool:
    return not run or looks_active(run) or (kind == "code" and "`" in run)
