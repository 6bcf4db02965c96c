"""Excerpts: the contiguous run from the start of a section that can stand alone on another page.

An excerpt is verbatim. It ends where the text begins to point elsewhere ("see below"), where it would break a
list or a listing in two, or where its words are used up.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from app.content.artefacts import Paragraph, ParagraphKind, Sentence, SourceBlock
from app.content.lexicon import Lexicon, lexicon
from app.content.sections import PageSection, is_link_list
from app.content.text import ends_like_a_sentence, fold, sentences, word_count

_LIST_WORDS: Final = 150
_LIST_ITEMS: Final = 10
_CODE_LINES: Final = 15
_LONGEST_SENTENCE: Final = 60
_LEAST_WORDS: Final = 12
_REMARK: Final = re.compile(r"\[\d+\]|\[citation needed\]|^\W*$|https?://\S+$")


@dataclass(frozen=True)
class Excerpt:
    """The run taken from one section and its number of words."""

    section: PageSection
    paragraphs: tuple[Paragraph, ...]
    words: int

    @property
    def block_ids(self) -> tuple[str, ...]:
        """The evidence ids of the blocks quoted, in reading order."""
        ids = (s.source_ids[0] for paragraph in self.paragraphs for s in paragraph.sentences)
        return tuple(dict.fromkeys(ids))

    @property
    def text(self) -> str:
        """The quoted words as one string."""
        return " ".join(s.text for paragraph in self.paragraphs for s in paragraph.sentences)


def evidence_id(page_id: int, block_id: str) -> str:
    """Return the id under which brief, outline and trace know a block."""
    return f"{page_id}:{block_id}"


def excerpt(section: PageSection, budget: int, language: str, *, answers: bool = False) -> Excerpt | None:
    """Return the opening run of a section within ``budget`` words, or None when nothing in it stands alone.

    ``answers`` allows an opening that leans on the heading, as an answer leans on its question ("Yes, …").
    """
    table = lexicon(language)
    taken: list[Paragraph] = []
    used = 0
    runs = [(kind, list(blocks)) for kind, blocks in groupby(section.blocks, key=_run_kind)]
    for kind, blocks in runs:
        if kind == "p":
            opening = not taken and not answers
            paragraphs, whole = _prose(section, blocks, budget - used, table, opening=opening)
        elif taken:
            paragraphs, whole = _whole_run(section, kind, blocks, table)
        else:
            break
        taken += paragraphs
        used = sum(_paragraph_words(paragraph) for paragraph in taken)
        if not whole or used >= budget:
            break
    taken = _without_dangling_lead(taken)
    used = sum(_paragraph_words(paragraph) for paragraph in taken)
    return Excerpt(section, tuple(taken), used) if used >= _LEAST_WORDS else None


def _run_kind(block: SourceBlock) -> str:
    return block.kind if block.kind in {"p", "li", "code"} else "other"


def _prose(
    section: PageSection, blocks: Sequence[SourceBlock], budget: int, table: Lexicon, *, opening: bool
) -> tuple[list[Paragraph], bool]:
    """Return the paragraphs that may be quoted and whether the run was taken to its end."""
    found: list[Paragraph] = []
    for block in blocks:
        kept: list[Sentence] = []
        for sentence in sentences(block.text):
            first = opening and not found and not kept
            if not _quotable(sentence, table, first=first) or budget < word_count(sentence) // 2:
                return [*found, *_paragraph("p", kept)], False
            budget -= word_count(sentence)
            kept.append(Sentence(sentence, (evidence_id(section.page.page_id, block.id),), "source"))
        found += _paragraph("p", kept)
    return found, True


def _whole_run(
    section: PageSection, kind: str, blocks: Sequence[SourceBlock], table: Lexicon
) -> tuple[list[Paragraph], bool]:
    """Return a list or a listing as a whole, or nothing at all."""
    page_id = section.page.page_id
    if kind == "code" and len(blocks) == 1:
        code = blocks[0]
        if code.text.count("\n") < _CODE_LINES and code.text.strip():
            return [
                Paragraph(
                    "code", (Sentence(code.text.strip("\n"), (evidence_id(page_id, code.id),), "source"),)
                )
            ], True
    if kind == "li" and _list_fits(blocks, table):
        items = [Sentence(fold(b.text), (evidence_id(page_id, b.id),), "source") for b in blocks]
        return _paragraph("ul", items), True
    return [], False


def _list_fits(blocks: Sequence[SourceBlock], table: Lexicon) -> bool:
    texts = [fold(block.text) for block in blocks]
    return (
        1 < len(texts) <= _LIST_ITEMS
        and sum(map(word_count, texts)) <= _LIST_WORDS
        and not is_link_list(blocks)
        and not any(_points_elsewhere(text, table) or text.endswith(":") for text in texts)
    )


def _quotable(sentence: str, table: Lexicon, *, first: bool) -> bool:
    if (
        _REMARK.search(sentence)
        or _points_elsewhere(sentence, table)
        or word_count(sentence) > _LONGEST_SENTENCE
    ):
        return False
    if not (ends_like_a_sentence(sentence) or sentence.endswith(":")):
        return False
    return not (first and (_leans_back(sentence, table) or word_count(sentence) < 4))


def _leans_back(sentence: str, table: Lexicon) -> bool:
    lowered = sentence.lower().lstrip("\"'“‘«(")
    return any(re.match(rf"{re.escape(opener)}\b", lowered) for opener in table.openers)


def _points_elsewhere(text: str, table: Lexicon) -> bool:
    lowered = text.lower()
    return any(pointer in lowered for pointer in table.pointers)


def _without_dangling_lead(paragraphs: list[Paragraph]) -> list[Paragraph]:
    """Cut sentences from the end that announce something which was not taken."""
    while paragraphs and paragraphs[-1].kind == "p" and paragraphs[-1].sentences[-1].text.endswith(":"):
        last = paragraphs[-1]
        paragraphs = [*paragraphs[:-1], *_paragraph(last.kind, list(last.sentences[:-1]))]
    return paragraphs


def _paragraph(kind: ParagraphKind, kept: list[Sentence]) -> list[Paragraph]:
    return [Paragraph(kind, tuple(kept))] if kept else []


def _paragraph_words(paragraph: Paragraph) -> int:
    return sum(word_count(sentence.text) for sentence in paragraph.sentences)
