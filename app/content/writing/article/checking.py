"""From draft to what may be published: veto, verify, revise, and leave out what still fails.

draft → veto + verify → faults → revise (twice at most) → veto + verify → without what is left of them
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from app.content.drafts import Sentence
from app.content.evidence.units import EvidenceUnit
from app.content.rendering.markdown import shown
from app.content.writing.article import check_prompts
from app.content.writing.article.answers import read_revision
from app.content.writing.article.draft import Draft, Part, Place, Statement
from app.content.writing.article.material import Material
from app.content.writing.article.schemas import REVISION
from app.content.writing.article.verification import verify
from app.content.writing.llm.calls import Calls
from app.content.writing.llm.questions import Question
from app.content.writing.veto.evidence import text_of
from app.content.writing.veto.quantities import Quantity, quantities
from app.content.writing.veto.rules import Veto
from app.content.writing.veto.strange_numbers import enumerated
from app.failures import Failure
from app.language.references import leans_back
from app.pages.extraction.blocks import CELL_SEPARATOR

ROUNDS: Final = 2
_MOST_CALLS: Final = 8
"""Calls of an article of 1,000 words; a second revision is only made within them."""

_CALLS_A_ROUND: Final = 2
_BESIDE: Final = 3
_LISTS: Final = frozenset({"ul", "ol", "table"})


@dataclass(frozen=True)
class Fault:
    """A sentence that does not stand up to its evidence, and why."""

    sentence: Sentence
    reasons: tuple[str, ...]

    def __str__(self) -> str:
        return f"“{shown(self.sentence.text)}”: {'; '.join(self.reasons)}"


@dataclass(frozen=True)
class Checked:
    """The draft with what may be published of it, and what was removed.

    ``replaced`` are the sentences that were written again, ``gone`` the faults of those that were removed, at
    the places that they had in the draft as it came.
    """

    draft: Draft
    replaced: Mapping[Place, Sentence]
    gone: Mapping[Place, Fault]

    @property
    def removed(self) -> tuple[Fault, ...]:
        """The sentences that were removed, in reading order."""
        return tuple(self.gone[place] for place in sorted(self.gone))


class Checker:
    """Checks the draft of one article against the evidence that it was written from."""

    def __init__(self, material: Material, units: Sequence[EvidenceUnit], calls: Calls) -> None:
        self._material = material
        self._evidence = material.evidence(units)
        self._veto = Veto(self._evidence, material.brief.language, material.request.avoid)
        self._calls = calls

    def check(self, draft: Draft) -> Checked:
        """Return the draft revised and cut down to what its evidence bears. Raises ServiceFailure."""
        return self.revise(*self._judge(draft, draft.statements))

    def revise(self, draft: Draft, faults: Mapping[Place, Fault]) -> Checked:
        """Return the draft with other sentences in place of those with faults, or without them.

        Raises ServiceFailure.
        """
        given_up: dict[Place, Fault] = {}
        faulty = set(faults)
        for round_number in range(ROUNDS):
            if not faults or (round_number and not self._affords_another_round()):
                break
            revised = self._revised(draft, faults)
            if revised is None:
                break
            draft, faults, dropped = revised
            given_up |= dropped
        gone = {**given_up, **faults}
        gone |= self._leaning(draft, gone)
        kept = {each.place: each.sentence for each in draft.statements if each.place in faulty - set(gone)}
        return Checked(draft.without(gone), kept, gone)

    def heading_violations(self, text: str) -> tuple[str, ...]:
        """Return what is wrong with a heading that was not planned."""
        return self._veto.heading_violations(text)

    def _affords_another_round(self) -> bool:
        return self._calls.usage.calls + _CALLS_A_ROUND <= _MOST_CALLS

    def _judge(self, draft: Draft, statements: Sequence[Statement]) -> tuple[Draft, dict[Place, Fault]]:
        """Return the draft with the quotes that bear its sentences, and the faults among the statements."""
        counts = _seen_counts(draft)
        verified = verify(statements, self._evidence, self._calls)
        faults: dict[Place, Fault] = {}
        for each in statements:
            vetoed = self._veto.violations(each.sentence, each.kind, counts[each.place.part])
            reasons = (*vetoed, *verified[each.place].faults)
            if reasons:
                faults[each.place] = Fault(each.sentence, reasons)
        quoted = {place: found.sentence for place, found in verified.items() if place not in faults}
        return draft.replaced(quoted), faults

    def _revised(
        self, draft: Draft, faults: Mapping[Place, Fault]
    ) -> tuple[Draft, dict[Place, Fault], dict[Place, Fault]] | None:
        """Return the draft with revised sentences, the faults that are left, and the sentences given up.

        An article can do without: None when the provider gives no usable answer.
        """
        places = sorted(faults)
        [answer] = self._calls.ask_optional([self._question(draft, faults, places)])
        if isinstance(answer, Failure):
            return None
        revised = {
            place: _like(faults[place].sentence, answer[number])
            for number, place in enumerate(places, 1)
            if number in answer
        }
        dropped = {place: faults[place] for place, sentence in revised.items() if not sentence.text}
        revised = {place: sentence for place, sentence in revised.items() if sentence.text}
        tried = draft.replaced(revised)
        statements = [each for each in tried.statements if each.place in revised]
        tried, found = self._judge(tried, statements)
        # Of two versions the one with fewer faults stays.
        better = {place for place in revised if _count(found.get(place)) <= _count(faults[place])}
        back = {place: faults[place].sentence for place in revised if place not in better}
        left = {place: found[place] for place in found if place in better}
        left |= {place: faults[place] for place in places if place not in better and place not in dropped}
        return tried.replaced(back), left, dropped

    def _question(
        self, draft: Draft, faults: Mapping[Place, Fault], places: Sequence[Place]
    ) -> Question[Mapping[int, Sentence]]:
        statements = {each.place: each for each in draft.statements}
        asked = [(n, statements[place], faults[place].reasons) for n, place in enumerate(places, 1)]
        units = self._near([each for _, each, _ in asked])
        message = check_prompts.revision(self._material.request, asked, units)
        messages = (self._material.system(), message)
        linkable = [page.page_id for page in self._material.snapshot.pages]
        return Question(messages, messages, REVISION, read_revision(linkable))

    def _near(self, statements: Iterable[Statement]) -> tuple[EvidenceUnit, ...]:
        """Return the evidence that the statements name, and the nearest to their words."""
        wanted: set[str] = set()
        for each in statements:
            wanted.update(each.sentence.source_ids)
            ranked = self._material.index.ranked(shown(each.sentence.text))
            found = (unit.id for unit, _ in ranked if unit.id in self._evidence.units)
            wanted.update(unit_id for unit_id, _ in zip(found, range(_BESIDE), strict=False))
        return tuple(unit for unit in self._evidence.units.values() if unit.id in wanted)

    def _leaning(self, draft: Draft, removed: Mapping[Place, Fault]) -> dict[Place, Fault]:
        """Return the sentences that lean on a removed one: those after it, and what announces a lost list."""
        statements = draft.statements
        gone = set(removed)
        found: dict[Place, Fault] = {}
        language = self._material.brief.language
        for before, each in pairwise(statements):
            follows = before.place[:2] == each.place[:2] and before.place in gone and each.place not in gone
            if follows and each.kind == "p" and leans_back(shown(each.sentence.text), language):
                gone.add(each.place)
                found[each.place] = Fault(each.sentence, ("it leans on a sentence that was removed",))
        for each in _beside_lost_lines(draft, gone):
            found[each.place] = Fault(each.sentence, ("another line of its listing was removed",))
        for each in _announcements(draft, gone):
            found[each.place] = Fault(each.sentence, ("what it announces was removed",))
        for each in self._miscounting(draft, {*gone, *found}):
            found[each.place] = Fault(each.sentence, ("what it counts was removed in part",))
        return found

    def _miscounting(self, draft: Draft, gone: Collection[Place]) -> Iterable[Statement]:
        """Yield the sentences with a number that counts a list beside them, but not what is left of it."""
        rest = draft.emptied(gone)
        before, after = _seen_counts(draft), _seen_counts(rest)
        for each in rest.statements:
            part = each.place.part
            said = {int(n.number) for n in self._quantities(each) if n.number.isdigit()}
            said -= set(enumerated(shown(each.sentence.text)))
            lost = before[part] - after[part]
            if said & lost:
                yield each

    def _quantities(self, each: Statement) -> list[Quantity]:
        """Return the bare numbers of a sentence that names no evidence of its own for them."""
        text = shown(each.sentence.text)
        cited = text_of(self._evidence.cited(each.sentence.source_ids))
        language = self._material.brief.language
        known = {found.number for found in quantities(cited, language)}
        return [q for q in quantities(text, language) if not q.unit and q.number not in known]


def _beside_lost_lines(draft: Draft, gone: Collection[Place]) -> Iterable[Statement]:
    """Yield the lines of listings that have lost one: a listing with a hole does something else."""
    torn = {place[:2] for place in gone}
    return (
        each
        for each in draft.statements
        if each.kind == "code" and each.place[:2] in torn and each.place not in gone
    )


def _announcements(draft: Draft, gone: Collection[Place]) -> Iterable[Statement]:
    """Yield the sentences with a colon whose list or table is gone as a whole."""
    left = [each for each in draft.statements if each.place not in gone]
    kinds = {(each.place.part, each.place.paragraph): each.kind for each in draft.statements}
    kept = {(each.place.part, each.place.paragraph) for each in left}
    for each in left:
        after = (each.place.part, each.place.paragraph + 1)
        announces = shown(each.sentence.text).rstrip().endswith((":", "："))
        if announces and kinds.get(after) in _LISTS and after not in kept:
            yield each


def _count(fault: Fault | None) -> int:
    return len(fault.reasons) if fault else 0


def _seen_counts(draft: Draft) -> list[set[int]]:
    """Return for each part what a reader can count there: items, rows and columns, sections."""
    sections = sum(
        part.role == "section" and any(p.sentences for p in part.paragraphs) for part in draft.parts
    )
    return [_lengths(part) | {sections} for part in draft.parts]


def _lengths(part: Part) -> set[int]:
    listed = [paragraph.sentences for paragraph in part.paragraphs if paragraph.kind in _LISTS]
    columns = {len(sentence.cells) for sentences in listed for sentence in sentences if sentence.cells}
    return {len(sentences) for sentences in listed} | columns | {count - 1 for count in columns}


def _like(old: Sentence, new: Sentence) -> Sentence:
    """Return a revised sentence in the form of the old one: a row of a table keeps its number of cells."""
    if not old.cells or not new.text:
        return new
    cells = tuple(cell.strip() for cell in new.text.split("|"))
    if len(cells) != len(old.cells):
        return Sentence("", (), "model")
    return Sentence(CELL_SEPARATOR.join(cells), new.source_ids, "model", cells=cells, code=new.code)
