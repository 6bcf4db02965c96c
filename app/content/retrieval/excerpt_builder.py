"""Takes what can be quoted of a section, block by block. Pure."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from app.content.drafts import Paragraph, ParagraphKind, Sentence
from app.content.evidence.described_terms import term_of
from app.content.evidence.sections import PageSection
from app.content.evidence.units import UnitKind, kind_of
from app.content.rendering.markdown import looks_active
from app.content.retrieval.excerpt_parts import (
    LIST_WORDS,
    WHOLE_LIST_WORDS,
    can_be_skipped,
    code_lines_in,
    cut_short,
    is_quotable_list,
    paragraph_of,
    unfolded,
    without_fragments,
)
from app.content.retrieval.excerpt_tables import price_cells, table_of
from app.content.retrieval.quotable import (
    goes_on_from_heading,
    goes_on_speaking,
    is_formula,
    is_fragment,
    is_label,
    is_unfit,
    is_version_note,
    may_open,
    stands_alone,
)
from app.language.languages import language_data
from app.language.references import counts_items, depends_on_previous, points_ahead
from app.language.sentences import ends_like_a_sentence, sentences
from app.language.warning_signs import warns
from app.language.words import COLONS, extent, fold, without_colon
from app.pages.extraction.blocks import CELL_SEPARATOR, Block

_CODE_LINES: Final = 30
_OVERRUN: Final = 40
"""Words beyond the budget with which a paragraph is still quoted to its end."""
_MAILBOX: Final = re.compile(r"<[^<>\s@]+@[^<>\s@]+\.\w+>")

_CONTINUED: Final = frozenset({"list", "table", "code", "definition", "quote"})
"""What the text after it may refer to."""
_AHEAD: Final = frozenset({"list", "table", "code"})


class ExcerptBuilder:
    """Collects what can be quoted of a section, run by run.

    ``gap`` says that something before was left out: what follows must not refer to it. Each of the ``parts``
    stands on the page as it is; ``is_cut`` says that there are several, or that the beginning is missing. The
    sentence ``begun`` goes on in the list after it. What is ``staying`` is quoted with any part.
    """

    def __init__(
        self, section: PageSection, budget: int, language: str, *, answers: bool, may_say_i: bool
    ) -> None:
        self.section = section
        self.left = budget
        self.language = language
        self.parts: list[list[Paragraph]] = [[]]
        self.budget = budget
        self.answers = answers
        self.gap = not answers
        self.is_cut = False
        self.may_say_i = may_say_i
        self.after: UnitKind | None = None
        self.begun = ""
        self.staying: list[Paragraph] = []
        self._by_kind: dict[str | None, Callable[[Sequence[Block]], list[Paragraph]]] = {
            "list": self._list,
            "table": self._table,
            "definition": self._definition,
            "code": self._code,
            "quote": self._quote,
            "price": self._price,
        }

    def take(self, run: Sequence[Block], after: UnitKind | None) -> None:
        """Add what can be quoted of a run; ``after`` is the kind of the next one."""
        kind, self.after = kind_of(run), after
        # One item is the rest of a list that a table interrupts.
        if kind == "paragraph" or (kind == "list" and len(run) == 1 and self.taken and not self._announced):
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
        """Whether the last sentence taken announces what comes next, or goes on in it."""
        last = self.taken[-1].sentences[-1].text if self.taken else ""
        return last.endswith(COLONS) or (bool(last) and last == self.begun)

    def _drop_announcement(self) -> None:
        last = self.taken.pop()
        self.taken.extend(paragraph_of(last.kind, without_fragments(last.sentences[:-1])))

    def _formula(self, block: Block) -> None:
        self.left -= extent(block.text)
        if self.left < 0:
            self._leave_out(ends_part=False)
            return
        formula = Paragraph("p", (self._sentence(fold(block.text), block),))
        self.taken.append(formula)
        self.staying.append(formula)
        self.gap = False

    def _prose(self, block: Block, *, is_last: bool) -> None:
        own = sentences(block.text)
        if is_formula(fold(block.text)) and not is_unfit(block.text, self.language):
            self._formula(block)
            return
        if is_version_note(block.text) or is_label(own):
            return
        if is_fragment(block.text) and not self.answers:
            self.gap = True
            return
        if self._announced:
            # What it announced, a picture perhaps, is not there.
            self._drop_announcement()
            self._leave_out(ends_part=True)
        self.left = self._room_for(block)
        kept: list[Sentence] = []
        for sentence, after in zip_longest(own, own[1:]):
            is_end = is_last and sentence is own[-1]
            is_unfinished = sentence.endswith(COLONS) and not is_end
            continues_count = self._is_announced_item(sentence, kept)
            is_due = continues_count or warns(sentence, self.language)
            if extent(sentence) > self.left and not is_due:
                self.left = 0
            if is_end and self._goes_on_in_next(sentence):
                self.begun = sentence
            if can_be_skipped(sentence, kept, after, self.language, self._above):
                self.gap = True
                continue
            if is_unfinished or not self._fits(sentence, _last(kept), is_due=is_due):
                kept = kept[:-1] if continues_count else kept
                self.taken.extend(paragraph_of("p", cut_short(kept, self.language, self._above)))
                self._leave_out(ends_part=True)
                return
            self.gap = False
            self.left = max(0, self.left - extent(sentence))
            kept.append(self._sentence(sentence, block))
        self.taken.extend(paragraph_of("p", kept))

    def _room_for(self, block: Block) -> int:
        """Return the words left for a paragraph: it is quoted whole where little is missing for that.

        Where much is missing, it is not begun behind another: its point may come last.
        """
        needed = extent(block.text)
        if self.left > 0 and needed <= self.left + _OVERRUN:
            return max(self.left, needed)
        return 0 if self.taken else self.left

    def _goes_on_in_next(self, sentence: str) -> bool:
        """Return whether a sentence goes on in a list, or says "the following" of what comes next."""
        if self.after == "list" and not ends_like_a_sentence(sentence):
            return True
        return self.after in _AHEAD and points_ahead(sentence, self.language)

    def _is_announced_item(self, sentence: str, kept: Sequence[Sentence]) -> bool:
        """Return whether a sentence is the next of the items whose number the one before it announces."""
        before = _last(kept)
        return counts_items(before, self.language) and depends_on_previous(sentence, self.language)

    def _fits(self, sentence: str, before: str, *, is_due: bool) -> bool:
        """Return whether a sentence can be quoted; what ``is_due`` is not cut for its length."""
        said = f"{sentence}:" if sentence == self.begun else sentence
        if extent(sentence) > self.left and not is_due:
            return False
        may_say_i = self.may_say_i or goes_on_speaking(sentence, before)
        if not stands_alone(said, self.language, may_say_i=may_say_i):
            return False
        if self.gap and not self._may_begin_with(said):
            return False
        # A small letter continues what was left out, a listing perhaps.
        return not (self.gap and self.is_cut and sentence[:1].islower())

    def _may_begin_with(self, sentence: str) -> bool:
        """Return whether the excerpt can begin, or go on behind a gap, with a sentence.

        Right below a heading of its own, "they" are what the heading names, and a few words go on from it.
        """
        is_first = not self.taken and not self.is_cut and len(self.section.path) > 1
        if is_first and goes_on_from_heading(sentence, self.language, self._above):
            return True
        return may_open(sentence, self.language, self._above, may_say_i=self.may_say_i)

    @property
    def _above(self) -> str:
        """What a reader knows when the excerpt begins: its heading."""
        return self.section.heading or self.section.page_name

    def _list(self, run: Sequence[Block]) -> list[Paragraph]:
        kind: ParagraphKind = "ol" if run[0].lists.endswith("o") else "ul"
        if (self.gap and self.is_cut) or not (self.taken or self.section.path):
            return []
        most = WHOLE_LIST_WORDS if kind == "ol" or self._announced else max(self.left, LIST_WORDS)
        is_whole = is_quotable_list(run, most, self.language)
        parts = [(kind, run)] if is_whole else unfolded(run, kind, self.language)
        items = [[self._sentence(fold(block.text), block) for block in own] for _, own in parts]
        self.left = max(0, self.left - sum(extent(item.text) for own in items for item in own))
        return [Paragraph(part, tuple(own)) for (part, _), own in zip(parts, items, strict=True)]

    def _table(self, run: Sequence[Block]) -> list[Paragraph]:
        found = table_of(run, self._sentence, self.language, has_text_below=self.after == "paragraph")
        if not self.is_cut or self._announced or any(block.kind == "caption" for block in run):
            self.staying.extend(found)
        return found

    def _price(self, run: Sequence[Block]) -> list[Paragraph]:
        """Return a price card as a row; the cards of one page are one table."""
        cells = price_cells(run, self.language)
        if not cells:
            return []
        ids = tuple(self.section.id_of(block) for block in run)
        row = Sentence(CELL_SEPARATOR.join(cells), ids, "source", cells=cells)
        before = self.taken.pop().sentences if self._is_put_together("table") else ()
        table = language_data(self.language).phrases
        return [Paragraph("table", (*before, row), header=table.price_header if table else ())]

    def _is_put_together(self, kind: ParagraphKind) -> bool:
        """Return whether the last paragraph has items of several blocks: price cards or definitions."""
        last = self.taken[-1].sentences[-1] if self.taken and self.taken[-1].kind == kind else None
        return last is not None and bool(last.cells) and len(last.source_ids) > 1

    def _definition(self, run: Sequence[Block]) -> list[Paragraph]:
        terms = term_of(run)
        said = [block for block in run if block.kind != "dt"]
        # The term may announce a list: "Parameters:".
        if terms.endswith(COLONS) and len(said) > 1 and (items := self._list(said)):
            return [*paragraph_of("p", [self._sentence(terms, run[0])]), *items]
        first = sentences(said[0].text)[0] if said else ""
        if not terms or not first or is_unfit(first, self.language) or extent(first) > self.left:
            return []
        self.left -= extent(first)
        terms = without_colon(terms)
        sentence = replace(self._sentence(first, said[0]), text=f"{terms}: {first}", cells=(terms, first))
        ids = tuple(self.section.id_of(block) for block in (said[0], *run))
        item = replace(sentence, source_ids=tuple(dict.fromkeys(ids)))
        before = self.taken.pop().sentences if self._is_put_together("ul") else ()
        return paragraph_of("ul", (*before, item))

    def _code(self, run: Sequence[Block]) -> list[Paragraph]:
        """Return a listing as a whole, or nothing of it."""
        code = run[0].text.strip("\n")
        lines_left = _CODE_LINES - code_lines_in(self.taken)
        # A heading of its own announces it as well as a sentence does.
        announced = not self.gap if self.taken else bool(self.section.path) and not self.is_cut
        is_fit = announced and code.strip() and code.count("\n") < lines_left
        if not is_fit or looks_active(code) or _MAILBOX.search(code):
            return []
        return [Paragraph("code", (self._sentence(code, run[0]),), language=run[0].language)]

    def _quote(self, run: Sequence[Block]) -> list[Paragraph]:
        """Return a quotation; without a speaker only if it is announced, as a text to use is."""
        speaker = next((block.speaker for block in run if block.speaker), "")
        texts = [fold(block.text) for block in run]
        is_placed = bool(self.taken) and (bool(speaker) or self._announced)
        if not is_placed or any(is_unfit(text, self.language) for text in texts):
            return []
        quoted = tuple(self._sentence(text, block) for text, block in zip(texts, run, strict=True))
        return [Paragraph("quote", quoted, speaker=speaker)]

    def _sentence(self, text: str, block: Block) -> Sentence:
        return Sentence(text, (self.section.id_of(block),), "source")


def _last(kept: Sequence[Sentence]) -> str:
    return kept[-1].text if kept else ""
