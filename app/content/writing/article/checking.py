"""The check of a draft: veto, verify, revise, and remove sentences that still fail.

draft → veto + verify → faults → revise (twice at most) → veto + verify → remove the remaining faults
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Final, Literal

from app.content.drafts import Sentence
from app.content.evidence.units import EvidenceUnit
from app.content.rendering.markdown import shown
from app.content.writing.article import check_prompts
from app.content.writing.article.cloze import Clozes
from app.content.writing.article.draft import Draft, Place, Statement, in_form_of
from app.content.writing.article.incomplete import (
    announcements,
    rest_of_listings,
    rest_of_tables,
    shortened_tables,
)
from app.content.writing.article.material import Material
from app.content.writing.article.revising import revision_question
from app.content.writing.article.surroundings import Surroundings, seen_counts
from app.content.writing.article.verification import verify
from app.content.writing.llm.calls import Calls
from app.content.writing.veto.evidence import text_of
from app.content.writing.veto.quantities import Quantity, quantities
from app.content.writing.veto.rules import Veto
from app.content.writing.veto.unsupported_numbers import enumerated
from app.failures import Failure
from app.language.references import depends_on_previous

ROUNDS: Final = 2
_MOST_CALLS: Final = 8
"""The calls of a job up to which a second revision is made."""

_CALLS_A_ROUND: Final = 2

Finder = Literal["veto", "verification", "dependence"]
"""What finds a fault: rules, a model, or the removal of a sentence that it depends on."""


@dataclass(frozen=True)
class Fault:
    """A sentence that its evidence does not support, and why; ``by`` is the check that found it."""

    sentence: Sentence
    reasons: tuple[str, ...]
    by: Finder = "verification"

    def __str__(self) -> str:
        return f"“{shown(self.sentence.text)}”: {'; '.join(self.reasons)}"


@dataclass(frozen=True)
class Checked:
    """The publishable draft.

    ``replaced`` are the rewritten sentences and ``faults`` the removed ones, by their places in the original
    draft; ``dropped`` are those among them that the model itself left out. ``shortened`` are the tables that
    lost rows, each as a note.
    """

    draft: Draft
    replaced: Mapping[Place, Sentence]
    faults: Mapping[Place, Fault]
    dropped: frozenset[Place] = frozenset()
    shortened: tuple[str, ...] = ()

    @property
    def removed(self) -> tuple[Fault, ...]:
        """The sentences that were removed, in reading order."""
        return tuple(self.faults[place] for place in sorted(self.faults))


class Checker:
    """Checks the draft of one article against the evidence that it was written from."""

    def __init__(self, material: Material, units: Sequence[EvidenceUnit], calls: Calls) -> None:
        self._material = material
        self._evidence = material.evidence(units)
        self._veto = Veto(self._evidence, material.brief.language, material.request.avoid)
        self._clozes = Clozes(self._evidence, material.brief.language)
        self._calls = calls

    def check(self, draft: Draft) -> Checked:
        """Return the draft, revised, with only supported sentences. Raises ServiceFailure."""
        return self.revise(*self._judge(draft, draft.statements))

    def revise(self, draft: Draft, faults: Mapping[Place, Fault]) -> Checked:
        """Return the draft with the faulty sentences rewritten or removed.

        Raises ServiceFailure.
        """
        dropped_faults: dict[Place, Fault] = {}
        faulty, first = set(faults), self._around(draft)
        for round_number in range(ROUNDS):
            affords = self._calls.usage.calls + _CALLS_A_ROUND <= _MOST_CALLS
            if not faults or (round_number and not affords):
                break
            revised = self._revised(draft, faults, dropped_faults)
            if revised is None:
                break
            draft, faults, dropped = revised
            dropped_faults |= dropped
        removed = {**dropped_faults, **faults}
        if faulty:
            removed |= self._dependent(
                draft, removed, lambda each: each.place in faulty or not first.violations(each)
            )
        shortened = tuple(shortened_tables(draft, removed))
        draft = self._around(draft).with_sums()
        kept = {each.place: each.sentence for each in draft.statements if each.place in faulty - set(removed)}
        return Checked(draft.without(removed), kept, removed, frozenset(dropped_faults), shortened)

    def heading_violations(self, text: str, counts: Collection[int] = ()) -> tuple[str, ...]:
        """Return the violations of a title, or of a heading that was not planned."""
        return self._veto.heading_violations(text, counts)

    def violations(self, draft: Draft, statements: Iterable[Statement]) -> int:
        """Return how much the veto finds wrong with some sentences of a draft."""
        around = self._around(draft)
        return sum(len(around.violations(each)) for each in statements)

    def evidence_of(self, sentence: Sentence) -> str:
        """Return the text of the evidence that a sentence names."""
        return text_of(self._evidence.cited(sentence.source_ids))

    def _around(self, draft: Draft) -> Surroundings:
        return Surroundings(draft, self._veto)

    def _judge(self, draft: Draft, statements: Sequence[Statement]) -> tuple[Draft, dict[Place, Fault]]:
        """Return the draft with quotes for its supported sentences, and the faults of the statements."""
        around = self._around(draft)
        shorter = {each.place: found for each in statements if (found := around.without_gloss(each))}
        draft = draft.replaced(shorter)
        around = self._around(draft)
        statements = [replace(each, sentence=shorter.get(each.place, each.sentence)) for each in statements]
        snapshot, topic = self._material.snapshot, self._material.brief.topic
        given = check_prompts.Frame(snapshot.project_name, topic, snapshot.day)
        starts = partial(_starts, topic, around)
        verified = verify(statements, self._evidence, self._clozes, self._calls, given, starts)
        faults: dict[Place, Fault] = {}
        for each in statements:
            vetoed, unsupported = around.violations(each), verified[each.place].faults
            if vetoed or unsupported:
                by: Finder = "verification" if unsupported else "veto"
                faults[each.place] = Fault(each.sentence, (*vetoed, *unsupported), by)
        quoted = {place: found.sentence for place, found in verified.items() if place not in faults}
        return draft.replaced(quoted), faults

    def _revised(
        self, draft: Draft, faults: Mapping[Place, Fault], dropped_before: Collection[Place]
    ) -> tuple[Draft, dict[Place, Fault], dict[Place, Fault]] | None:
        """Return the draft with revised sentences, the remaining faults, and the sentences that were dropped.

        Sentences that were dropped are not shown again. Returns None if the provider gives no usable answer:
        an article needs no revision.
        """
        places = sorted(faults)
        reasons = {place: faults[place].reasons for place in places}
        question = revision_question(self._material, self._evidence, draft, reasons, dropped_before)
        answer = self._calls.ask_optional(question, "without revising sentences")
        if isinstance(answer, Failure):
            return None
        revised = {
            place: in_form_of(faults[place].sentence, answer[number])
            for number, place in enumerate(places, 1)
            if number in answer
        }
        dropped = {place: faults[place] for place, sentence in revised.items() if not sentence.text}
        revised = {place: sentence for place, sentence in revised.items() if sentence.text}
        tried = draft.replaced(revised)
        left_out = {*dropped_before, *dropped}
        statements = [each for each in tried.statements_without(left_out) if each.place in revised]
        tried, found = self._judge(tried, statements)
        # The version with fewer faults stays.
        better = {place for place in revised if _count(found.get(place)) <= _count(faults[place])}
        back = {place: faults[place].sentence for place in revised if place not in better}
        left = {place: found[place] for place in found if place in better}
        left |= {place: faults[place] for place in places if place not in better and place not in dropped}
        return tried.replaced(back), left, dropped

    def _dependent(
        self, draft: Draft, faults: Collection[Place], passed: Callable[[Statement], bool]
    ) -> dict[Place, Fault]:
        """Return the sentences that depend on removed ones, or on sums that are revised, with the reason.

        ``passed`` says whether a sentence passed the veto with the sums that stood before it.
        """
        found: dict[Place, Fault] = {}
        while more := self._next_dependent(draft, {*faults, *found}, passed):
            found |= more
        return found

    def _next_dependent(
        self, draft: Draft, removed: set[Place], passed: Callable[[Statement], bool]
    ) -> dict[Place, Fault]:
        """Return sentences that depend on removed ones; others may depend on these."""
        statements, language = draft.statements, self._material.brief.language
        found = {
            each.place: _dependent(each, "the sum that it goes on from was removed")
            for each in self._around(draft).without_their_sum(removed)
            if passed(each)
        }
        removed |= set(found)
        for before, each in pairwise(statements):
            is_lost = before.place in removed and each.place not in removed
            follows = is_lost and (before.place[:2] == each.place[:2] or _is_behind_listing(before, each))
            if follows and each.kind == "p" and depends_on_previous(shown(each.sentence.text), language):
                removed.add(each.place)
                found[each.place] = _dependent(each, "it depends on a sentence that was removed")
        for each in rest_of_listings(draft, removed):
            found[each.place] = _dependent(each, "another line of its listing was removed")
        for each in rest_of_tables(draft, removed, language):
            found[each.place] = _dependent(
                each, "another row of its table was removed, and this one needs it"
            )
        for each in announcements(draft, {*removed, *found}):
            found[each.place] = _dependent(each, "what it announces was removed")
        for each in self._miscounting(draft, {*removed, *found}):
            found[each.place] = _dependent(each, "what it counts was removed in part")
        return found

    def _miscounting(self, draft: Draft, removed: Collection[Place]) -> Iterable[Statement]:
        """Yield the sentences with a number that counted a list before its lines were removed."""
        rest = draft.emptied(removed)
        before, after = seen_counts(draft), seen_counts(rest)
        for each in rest.statements:
            part = each.place.part
            said = {int(n.number) for n in self._quantities(each) if n.number.isdigit()}
            said -= set(enumerated(shown(each.sentence.text)))
            if said & (before[part] - after[part]):
                yield each

    def _quantities(self, each: Statement) -> list[Quantity]:
        """Return the numbers without unit that the evidence of a sentence does not contain."""
        text, language = shown(each.sentence.text), self._material.brief.language
        known = {found.number for found in quantities(self.evidence_of(each.sentence), language)}
        return [q for q in quantities(text, language) if not q.unit and q.number not in known]


def _is_behind_listing(before: Statement, each: Statement) -> bool:
    return before.kind == "code" and before.place.part == each.place.part


def _dependent(each: Statement, reason: str) -> Fault:
    return Fault(each.sentence, (reason,), "dependence")


def _starts(topic: str, around: Surroundings, each: Statement) -> list[str]:
    """Return the texts without evidence that the figures of a sum may be in: the topic, and sums before."""
    sums = around.sums_for(each)
    return [] if sums is None else [topic, *sums]


def _count(fault: Fault | None) -> int:
    return len(fault.reasons) if fault else 0
