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
        """Return the violations of a sentence. It may calculate with the results of earlier sentences."""
        found = self._violations(each)
        earlier = self._results_before(each.place) if found else ()
        return self._violations(each, earlier) if earlier else found

    def without_gloss(self, each: Statement) -> Sentence | None:
        """Return a sentence without its words in brackets if only they fail the veto, else None."""
        bare = _GLOSS.sub("", each.sentence.text)
        if bare == each.sentence.text or not self.violations(each):
            return None
        shorter = replace(each.sentence, text=bare)
        return None if self.violations(replace(each, sentence=shorter)) else shorter

    def sums_for(self, each: Statement) -> list[str] | None:
        """Return the earlier sentences with whose results one calculates; None if it calculates nothing."""
        results = self._worked_out(each, self._results_before(each.place))
        if not results:
            return None
        before = (
            (other, known) for other, known in zip(*self._sums, strict=True) if other.place < each.place
        )
        return [other.sentence.text for other, known in before if any(one.says(known) for one in results)]

    def with_sums(self) -> Draft:
        """Return the draft with the calculated figures of each sentence recorded in that sentence."""
        results: dict[Place, list[str]] = {}
        for each, result in zip(*self._sums, strict=True):
            results.setdefault(each.place, []).append(result.written)
        known = {each.place: each.sentence for each in self._draft.statements if each.place in results}
        return self._draft.replaced(
            {place: replace(sentence, worked_out=tuple(results[place])) for place, sentence in known.items()}
        )

    def without_their_sum(self, removed: Collection[Place]) -> Iterator[Statement]:
        """Yield the sentences that fail the veto once the sentences with ``removed`` places are gone.

        The results of a sentence that is yielded do not count for those after it either.
        """
        earlier: list[Quantity] = []
        for each in self._draft.statements_without(removed):
            if self._violations(each) and self._violations(each, earlier):
                yield each
            else:
                earlier += self._worked_out(each, earlier)

    def _violations(self, each: Statement, earlier: Sequence[Quantity] = ()) -> tuple[str, ...]:
        counts = self._counts[each.place.part]
        return self._veto.violations(self._of_part(each), each.kind, counts, each.header, earlier)

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

    def _worked_out(self, each: Statement, earlier: Sequence[Quantity]) -> tuple[Quantity, ...]:
        if each.kind in _COPIED:
            return ()
        return self._veto.worked_out(each.sentence, each.header, earlier)

    def _results_before(self, place: Place) -> Sequence[Quantity]:
        statements, results = self._sums
        return results[: bisect_left(statements, place, key=lambda each: each.place)]

    @cached_property
    def _sums(self) -> tuple[Sequence[Statement], Sequence[Quantity]]:
        """The calculated figures in the order of the draft and, at the same positions, their sentences."""
        statements: list[Statement] = []
        results: list[Quantity] = []
        for each in self._draft.statements:
            found = self._worked_out(each, results)
            statements += [each] * len(found)
            results += found
        return statements, results


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
