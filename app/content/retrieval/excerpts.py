"""Excerpts: what a section says from its start that makes sense on another page. Pure.

An excerpt is verbatim. Sentences that point elsewhere ("see below") are left out together with what refers to
them; a list, a table, a quotation or a listing is taken whole or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.content.artefacts import evidence_id
from app.content.drafts import Paragraph, ParagraphKind, Sentence
from app.content.evidence.cards_and_tables import card_of, cells_of, header_and_rows
from app.content.evidence.sections import PageSection, is_link_list
from app.content.evidence.units import kind_of, runs_of
from app.content.rendering.markdown import looks_active
from app.content.retrieval.excerpt_parts import (
    LEAST_WORDS,
    chosen_part,
    code_lines_in,
    extent_of,
    is_monotonous,
    paragraph_of,
    without_dangling_end,
)
from app.content.retrieval.openings import without_scene
from app.content.retrieval.quotable import COLONS, is_label, is_unfit, is_version_note, may_open, stands_alone
from app.language.languages import language_data
from app.language.references import depends_on_previous
from app.language.sentences import sentences
from app.language.words import extent, fold, word_count
from app.pages.extraction.blocks import CELL_SEPARATOR, Block, has_words

_LIST_ITEMS: Final = 12
_LIST_WORDS: Final = 120
_STEPS_WORDS: Final = 280
"""A procedure without its last steps is none."""

_TABLE_ROWS: Final = 14
_TABLE_COLUMNS: Final = 7
_CODE_LINES: Final = 15
_LEAST_ANSWER_WORDS: Final = 8
_MAILBOX: Final = re.compile(r"<[^<>\s@]+@[^<>\s@]+\.\w+>")
PART: Final = "; "
"""Parts several lines of a page in one cell."""

_CONTINUED: Final = frozenset({"list", "table", "code", "definition", "quote"})
"""What the text after it may refer to."""


@dataclass(frozen=True)
class Excerpt:
    """The run taken from one section and its number of words."""

    section: PageSection
    paragraphs: tuple[Paragraph, ...]
    words: int

    @property
    def block_ids(self) -> tuple[str, ...]:
        """The evidence ids of the blocks quoted, in reading order."""
        return tuple(dict.fromkeys(each for s in self.sentences for each in s.source_ids))

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences quoted, in reading order."""
        return tuple(sentence for paragraph in self.paragraphs for sentence in paragraph.sentences)

    @property
    def marks(self) -> frozenset[str]:
        """The sentences in folded form, to recognise a text that is quoted already."""
        return frozenset(fold(s.text) for s in self.sentences)

    @property
    def text(self) -> str:
        """The quoted words as one string."""
        return " ".join(s.text for s in self.sentences)


def excerpt(section: PageSection, budget: int, language: str, *, answers: bool = False) -> Excerpt | None:
    """Return what a section says within ``budget`` words of prose, or None when none of it makes sense alone.

    ``answers`` allows an opening that refers to the heading, as an answer does to its question ("Yes, …").
    """
    builder = _ExcerptBuilder(section, budget, language, answers=answers)
    blocks = section.blocks if section.position else without_scene(section.blocks)
    for run in runs_of(blocks):
        builder.take(run)
    parts = [without_dangling_end(part, language) for part in builder.parts]
    taken = chosen_part(parts, section.heading or section.page_name, language)
    is_short = answers or any(paragraph.kind == "code" for paragraph in taken)
    if extent_of(taken) < (_LEAST_ANSWER_WORDS if is_short else LEAST_WORDS):
        return None
    texts = (s.text for p in taken if p.kind != "code" for s in p.sentences)
    return Excerpt(section, tuple(taken), sum(map(word_count, texts)))


class _ExcerptBuilder:
    """Collects what can be quoted of a section, run by run.

    ``gap`` says that something before was left out: what follows must not refer to it. Each of the ``parts``
    stands on the page as it is; ``is_cut`` says that there are several, or that the beginning is missing.
    """

    def __init__(self, section: PageSection, budget: int, language: str, *, answers: bool) -> None:
        self.section = section
        self.left = budget
        self.language = language
        self.parts: list[list[Paragraph]] = [[]]
        self.budget = budget
        self.gap = not answers
        self.is_cut = False
        self._by_kind: dict[str | None, Callable[[Sequence[Block]], list[Paragraph]]] = {
            "list": self._list,
            "table": self._table,
            "definition": self._definition,
            "code": self._code,
            "quote": self._quote,
            "price": self._price,
        }

    def take(self, run: Sequence[Block]) -> None:
        """Add what can be quoted of a run."""
        kind = kind_of(run)
        if kind == "paragraph":
            for number, block in enumerate(run, 1):
                self._prose(block, is_last=number == len(run))
            return
        found = self._by_kind[kind](run) if kind in self._by_kind else []
        if found:
            self.gap = False
            self.taken.extend(found)
            return
        if self._announced:
            self._drop_announcement()
        self._leave_out(ends_part=kind in _CONTINUED)

    @property
    def taken(self) -> list[Paragraph]:
        """The part that is being collected."""
        return self.parts[-1]

    def _leave_out(self, *, ends_part: bool) -> None:
        """Note that something was left out; ``ends_part`` says that what follows may refer to it."""
        self.gap = True
        self.is_cut = self.is_cut or ends_part
        if self.taken and ends_part:
            self.parts.append([])
            self.left = self.budget

    @property
    def _announced(self) -> bool:
        """Whether the last sentence taken announces what comes next."""
        return bool(self.taken) and self.taken[-1].sentences[-1].text.endswith(COLONS)

    def _drop_announcement(self) -> None:
        last = self.taken.pop()
        self.taken.extend(paragraph_of(last.kind, last.sentences[:-1]))

    def _prose(self, block: Block, *, is_last: bool) -> None:
        own = sentences(block.text)
        if is_version_note(block.text) or is_label(own):
            return
        if self._announced:
            # What it announced, a picture perhaps, is not there.
            self._drop_announcement()
            self._leave_out(ends_part=True)
        kept: list[Sentence] = []
        for sentence in own:
            is_unfinished = sentence.endswith(COLONS) and not (is_last and sentence is own[-1])
            if extent(sentence) > self.left:
                self.left = 0
            if is_unfinished or not self._fits(sentence, kept):
                # A sentence that leads to one that is left out cannot be the last.
                while len(kept) > 1 and depends_on_previous(kept[-1].text, self.language, self._above):
                    kept.pop()
                self.taken.extend(paragraph_of("p", kept))
                self._leave_out(ends_part=True)
                return
            self.gap = False
            self.left -= extent(sentence)
            kept.append(self._sentence(sentence, block))
        self.taken.extend(paragraph_of("p", kept))

    def _fits(self, sentence: str, kept: Sequence[Sentence]) -> bool:
        if extent(sentence) > self.left or not stands_alone(sentence, self.language):
            return False
        if self.gap and not may_open(sentence, self.language, self._above):
            return False
        if self.gap and self.is_cut and sentence[:1].islower():
            return False  # it continues what was left out, a listing perhaps
        return not is_monotonous([*self.taken, *paragraph_of("p", kept)], sentence)

    @property
    def _above(self) -> str:
        """What a reader knows when the excerpt begins: its heading."""
        return self.section.heading or self.section.page_name

    def _list(self, run: Sequence[Block]) -> list[Paragraph]:
        texts = [fold(block.text) for block in run]
        kind: ParagraphKind = "ol" if run[0].lists.endswith("o") else "ul"
        most = _STEPS_WORDS if kind == "ol" else max(self.left, _LIST_WORDS)
        fits = (
            1 < len(texts) <= _LIST_ITEMS
            and not (self.gap and self.is_cut)
            and (self.taken or self.section.path)
            and len({block.lists for block in run}) == 1
            and sum(map(extent, texts)) <= most
            and not is_link_list(run)
            and not any(is_unfit(text, self.language) or text.endswith(COLONS) for text in texts)
        )
        if not fits:
            return []
        self.left = max(0, self.left - sum(map(extent, texts)))
        items = [self._sentence(text, block) for text, block in zip(texts, run, strict=True)]
        return paragraph_of(kind, items)

    def _table(self, run: Sequence[Block]) -> list[Paragraph]:
        rows = [block for block in run if block.kind != "caption"]
        header, body = header_and_rows(run)
        columns = max((len(cells_of(block)) for block in rows), default=0)
        fits = (
            1 < len(body) <= _TABLE_ROWS
            and 1 < columns <= _TABLE_COLUMNS
            # A dash or a tick alone is an answer: what a plan lacks or has.
            and not any(
                is_unfit(cell, self.language) for block in rows for cell in cells_of(block) if has_words(cell)
            )
        )
        if not fits:
            return []
        filled = [replace(self._sentence(fold(block.text), block), cells=cells_of(block)) for block in body]
        return [Paragraph("table", tuple(filled), header=header)]

    def _price(self, run: Sequence[Block]) -> list[Paragraph]:
        """Return a price card as a row; the cards of one page are one table."""
        card = card_of(run)
        included = (*card.notes, *card.items)
        texts = [card.plan, *card.prices, *included]
        if not card.plan or not card.prices or any(is_unfit(text, self.language) for text in texts):
            return []
        cells = (card.plan, PART.join(card.prices), PART.join(included))
        ids = tuple(evidence_id(self.section.page.page_id, block.id) for block in run)
        row = Sentence(CELL_SEPARATOR.join(cells), ids, "source", cells=cells)
        before = self.taken.pop().sentences if self._is_price_table else ()
        table = language_data(self.language).phrases
        return [Paragraph("table", (*before, row), header=table.price_header if table else ())]

    @property
    def _is_price_table(self) -> bool:
        last = self.taken[-1] if self.taken else None
        return last is not None and last.kind == "table" and len(last.sentences[-1].source_ids) > 1

    def _definition(self, run: Sequence[Block]) -> list[Paragraph]:
        terms = " / ".join(fold(block.text) for block in run if block.kind == "dt")
        said = [block for block in run if block.kind != "dt"]
        first = sentences(said[0].text)[0] if said else ""
        if not terms or not first or is_unfit(first, self.language) or extent(first) > self.left:
            return []
        self.left -= extent(first)
        sentence = replace(self._sentence(first, said[0]), text=f"{terms}: {first}", cells=(terms, first))
        ids = tuple(evidence_id(self.section.page.page_id, block.id) for block in (said[0], *run))
        item = replace(sentence, source_ids=tuple(dict.fromkeys(ids)))
        if self.taken and self.taken[-1].kind == "ul" and self.taken[-1].sentences[-1].cells:
            before = self.taken.pop()
            return paragraph_of("ul", (*before.sentences, item))
        return paragraph_of("ul", (item,))

    def _code(self, run: Sequence[Block]) -> list[Paragraph]:
        """Return a listing as a whole, or nothing of it."""
        code = run[0].text.strip("\n")
        lines_left = _CODE_LINES - code_lines_in(self.taken)
        # A heading of its own announces it as well as a sentence does.
        announced = not self.gap if self.taken else bool(self.section.path) and not self.is_cut
        if not (announced and code.strip() and code.count("\n") < lines_left):
            return []
        if looks_active(code) or _MAILBOX.search(code):
            return []
        return [Paragraph("code", (self._sentence(code, run[0]),), language=run[0].language)]

    def _quote(self, run: Sequence[Block]) -> list[Paragraph]:
        """Return a quotation; without a speaker none."""
        speaker = next((block.speaker for block in run if block.speaker), "")
        texts = [fold(block.text) for block in run]
        if not speaker or not self.taken or any(is_unfit(text, self.language) for text in texts):
            return []
        quoted = tuple(self._sentence(text, block) for text, block in zip(texts, run, strict=True))
        return [Paragraph("quote", quoted, speaker=speaker)]

    def _sentence(self, text: str, block: Block) -> Sentence:
        return Sentence(text, (evidence_id(self.section.page.page_id, block.id),), "source")
