"""Applies the veto to sentences in their context: lists to count, and earlier calculations. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Final

from app.content.drafts import Sentence
from app.content.writing.article.draft import Draft, Part, Place, Statement
from app.content.writing.article.incomplete import LISTS
from app.content.writing.veto.quantities import Quantity
from app.content.writing.veto.rules import Veto
from app.content.writing.veto.worked_out import WorkedOut

_COPIED: Final = frozenset({"code", "quote"})
"""Kinds of blocks that repeat the evidence as it stands, so that they calculate nothing."""
_GLOSS: Final = re.compile(r" \([^\s()]+(?: [^\s()]+){0,5}\)")
"""An explanation in brackets, of up to six words."""


class Surroundings:
    """Applies the veto to sentences of a draft, each with the lists and calculations around it."""

    def __init__(self, draft: Draft, veto: Veto) -> None:
        self._draft = draft
        self._veto = veto
        self._counts = seen_counts(draft)

    def violations(self, each: Statement) -> tuple[str, ...]:
        """Return the violations of a sentence. It may calculate with the results of earlier sentences.

        It may also say such a result again, and one of the introduction that of a later sentence: it answers
        at once.
        """
        found = self._violations(each)
        earlier = self._results_before(each.place) if found else ()
        answers = self._answers_for(each) if found else ()
        return self._violations(each, earlier, answers) if earlier or answers else found

    def without_gloss(self, each: Statement) -> Sentence | None:
        """Return a sentence without its words in brackets if only they fail the veto, else None."""
        bare = _GLOSS.sub("", each.sentence.text)
        if bare == each.sentence.text or not self.violations(each):
            return None
        shorter = replace(each.sentence, text=bare)
        return None if self.violations(replace(each, sentence=shorter)) else shorter

    def sums_for(self, each: Statement) -> list[str] | None:
        """Return the sentences with whose results one calculates, or gives; None if it has no such figure."""
        results = self._worked_out(each, self._results_before(each.place)).results
        given = self._said_again(each)
        if not results and not given:
            return None
        before = [pair for pair in self._sums if pair[0].place < each.place]
        return [
            other.sentence.text
            for pairs, figures in ((before, results), (self._sums_beside(each), given))
            for other, known in pairs
            if any(one.says(known) for one in figures)
        ]

    def with_sums(self) -> Draft:
        """Return the draft with the figures of each sentence that no source has recorded in that sentence."""
        found: dict[Place, Sentence] = {}
        for each, own in self._worked:
            if figures := (*own.results, *own.factors, *self._said_again(each)):
                written = tuple(dict.fromkeys(figure.written for figure in figures))
                found[each.place] = replace(each.sentence, worked_out=written)
        return self._draft.replaced(found)

    def without_their_sum(self, removed: Collection[Place]) -> Iterator[Statement]:
        """Yield the sentences that fail the veto once the sentences with ``removed`` places are gone.

        The results of a sentence that is yielded do not count for those after it either; for the introduction
        they do until it is removed itself.
        """
        earlier: list[Quantity] = []
        for each in self._draft.statements_without(removed):
            answers = self._answers_for(each, removed)
            if self._violations(each) and self._violations(each, earlier, answers):
                yield each
            else:
                earlier += self._worked_out(each, earlier).results

    def _violations(
        self, each: Statement, earlier: Sequence[Quantity] = (), answers: Sequence[Quantity] = ()
    ) -> tuple[str, ...]:
        counts = self._counts[each.place.part]
        return self._veto.violations(self._of_part(each), each.kind, counts, each.header, earlier, answers)

    def _said_again(self, each: Statement) -> tuple[Quantity, ...]:
        """Return the results of other sentences that one gives, and does not work out."""
        answers = self._answers_for(each)
        if each.kind in _COPIED or not answers:
            return ()
        own = self._worked_out(each, self._results_before(each.place)).results
        return tuple(figure for figure in self._veto.said_again(each.sentence, answers) if figure not in own)

    def _answers_for(self, each: Statement, removed: Collection[Place] = ()) -> list[Quantity]:
        """Return the results that a sentence may give without their sum.

        Their sentences share a word with it: the total is not the price of something else. Of a sentence of
        figures alone the one before it says what it is of.
        """
        return [
            result
            for other, result in self._sums_beside(each)
            if other.place not in removed
            and not self._veto.words_of(each.sentence.text).isdisjoint(self._said_of_sum(other))
        ]

    def _said_of_sum(self, each: Statement) -> frozenset[str]:
        own = self._veto.words_of(each.sentence.text)
        # Before the first sentence stands the heading.
        return own if own or not each.place.sentence else self._veto.words_of(each.before)

    def _is_introduction(self, each: Statement) -> bool:
        return self._draft.parts[each.place.part].role == "introduction"

    def _sums_beside(self, each: Statement) -> list[tuple[Statement, Quantity]]:
        """Return the figures that the sentences before one work out; of the introduction, those after it."""
        if self._is_introduction(each):
            return [pair for pair in self._sums if not self._is_introduction(pair[0])]
        return [pair for pair in self._sums if pair[0].place < each.place]

    def _of_part(self, each: Statement) -> Sentence:
        """Return a sentence without the code that only others of its part have evidence for."""
        sentence = each.sentence
        if sentence.source_ids or not sentence.code:
            return sentence
        known = self._code[each.place.part]
        return replace(sentence, code=tuple(run for run in sentence.code if run[0] not in known))

    @cached_property
    def _code(self) -> list[frozenset[str]]:
        """The code in the sentences of each part that name evidence and have no fault."""
        return [
            frozenset(
                run
                for paragraph in part.paragraphs
                for sentence in paragraph.sentences
                if sentence.source_ids and sentence.code
                if not self._veto.violations(sentence, paragraph.kind)
                for run, _ in sentence.code
            )
            for part in self._draft.parts
        ]

    def _worked_out(self, each: Statement, earlier: Sequence[Quantity]) -> WorkedOut:
        if each.kind in _COPIED:
            return WorkedOut()
        return self._veto.worked_out(each.sentence, each.header, earlier)

    def _results_before(self, place: Place) -> Sequence[Quantity]:
        end = bisect_left(self._sums, place, key=lambda pair: pair[0].place)
        return [result for _, result in self._sums[:end]]

    @cached_property
    def _sums(self) -> list[tuple[Statement, Quantity]]:
        """The calculated figures in the order of the draft, with their sentences."""
        return [(each, result) for each, own in self._worked for result in own.results]

    @cached_property
    def _worked(self) -> list[tuple[Statement, WorkedOut]]:
        """The sentences in the order of the draft, with what they calculate."""
        found: list[tuple[Statement, WorkedOut]] = []
        results: list[Quantity] = []
        for each in self._draft.statements:
            own = self._worked_out(each, results)
            found.append((each, own))
            results += own.results
        return found


def seen_counts(draft: Draft) -> list[set[int]]:
    """Return, for each part, the numbers that a reader can count there: items, rows, columns, sections."""
    sections = sum(
        part.role == "section" and any(p.sentences for p in part.paragraphs) for part in draft.parts
    )
    return [_lengths(part) | {sections} for part in draft.parts]


def _lengths(part: Part) -> set[int]:
    """Return the numbers of items, rows and columns, the latter also without a first one of row names."""
    listed = [paragraph.sentences for paragraph in part.paragraphs if paragraph.kind in LISTS]
    columns = {len(sentence.cells) for sentences in listed for sentence in sentences if sentence.cells}
    return {len(sentences) for sentences in listed} | columns | {count - 1 for count in columns}
