"""Applies the changes of a model to a draft and its plan, except those that make it worse. Pure."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from app.content.artefacts import Brief
from app.content.drafts import Paragraph, Sentence
from app.content.plan import LONGEST_TITLE, PostPlan
from app.content.planning.titles import DESCRIPTION_LENGTH, META_TITLE_LENGTH
from app.content.rendering.markdown import shown
from app.content.writing.article.answers import Change
from app.content.writing.article.checking import Checker
from app.content.writing.article.draft import WHOLE, Draft, Part, Place, Statement, in_form_of, with_bodies
from app.language.detection import detect
from app.language.references import depends_on_previous
from app.language.stems import topic_stems
from app.language.tags import language_code
from app.language.words import extent, width

_FREE_LENGTH: Final = 40
"""Words up to which a sentence may grow by any factor."""
_LARGEST_FACTOR: Final = 3
_SEVERAL: Final = 4
"""Sentences of blocks from which one may have a fault."""
_SHARES: Final = (0.7, 1.3)
"""The least and the most words of the edited article, as a share of those of the draft."""
_WIDTHS: Final = {
    "title": (1, META_TITLE_LENGTH[1]),
    "meta_title": META_TITLE_LENGTH,
    "description": DESCRIPTION_LENGTH,
}
"""The least and the greatest width of a changed title or description."""


@dataclass(frozen=True)
class Edited:
    """A draft and its plan after editing, with the numbers of changes that were made and refused."""

    draft: Draft
    plan: PostPlan
    made: int = 0
    refused: int = 0


@dataclass
class Changing:
    """Collects the accepted changes, by their places in the original draft.

    ``_places`` has the place that each id of an answer means, ``_gaps`` the gap of the plan;
    ``_open_titles`` are the titles that the caller did not write.
    """

    _draft: Draft
    _plan: PostPlan
    _places: Mapping[str, Place]
    _open_titles: Collection[str]
    _gaps: Mapping[str, str]
    _checker: Checker
    _brief: Brief
    _seen: set[str] = field(default_factory=set)
    _sentences: dict[Place, Sentence | None] = field(default_factory=dict)
    _blocks: dict[Place, tuple[Paragraph, ...]] = field(default_factory=dict)
    _headings: dict[int, str] = field(default_factory=dict)
    _titles: dict[str, str] = field(default_factory=dict)
    _filled: set[str] = field(default_factory=set)
    _refused: set[Place] = field(default_factory=set)

    @cached_property
    def _statements(self) -> Mapping[Place, Statement]:
        return {each.place: each for each in self._draft.statements}

    def edited(self, changes: Sequence[Change]) -> Edited:
        """Return the draft and its plan with all changes that are no worse than what they replace.

        Nothing changes if the answer is in another language, or adds or removes too much.
        """
        draft, plan = self._draft, self._plan
        languages = {language_code(self._brief.language), _language_of_draft(draft), None}
        if _language_of(changes) not in languages:
            return Edited(draft, plan, 0, len(changes))
        made = sum(map(self.take, changes)) - self._take_back()
        edited = self.draft()
        if not _SHARES[0] <= _extent(edited) / max(1, _extent(draft)) <= _SHARES[1]:
            return Edited(draft, plan, 0, len(changes))
        return Edited(edited, self._planned(edited), made, len(changes) - made)

    def take(self, change: Change) -> bool:
        """Accept a change if it is no worse than what it replaces; return whether it was accepted."""
        is_new = change.id not in self._seen
        self._seen.add(change.id)
        place, text = self._places.get(change.id), shown(change.sentence.text)
        if is_new and change.id in self._open_titles:
            return self._take_title(change.id, text)
        if is_new and change.id in self._gaps:
            return self._take_gap(change.id, text)
        if not is_new or place is None:
            return False
        if place.paragraph == WHOLE:
            return self._take_heading(place.part, text) if text else self._drop_question(place.part)
        if place.sentence == WHOLE:
            return not text and self._take_block(place, change.blocks)
        is_taken = not change.blocks and self._take_sentence(place, change.sentence)
        self._refused |= set() if is_taken else {place}
        return is_taken

    def _take_back(self) -> int:
        """Undo the changes that lean on a refused one before them, and return how many.

        "With this tool" was written behind a sentence that would have named it.
        """
        behind = (each._replace(sentence=each.sentence + 1) for each in self._refused)
        leaning = [place for place in behind if self._leans_on_previous(place)]
        for place in leaning:
            del self._sentences[place]
        return len(leaning)

    def _leans_on_previous(self, place: Place) -> bool:
        new = self._sentences.get(place)
        return new is not None and self._leans(new) and not self._leans(self._statements[place].sentence)

    def _leans(self, sentence: Sentence) -> bool:
        return depends_on_previous(shown(sentence.text), self._brief.language, "")

    def draft(self) -> Draft:
        """Return the draft with the changes. Of the parts that they empty, only questions are removed."""
        changed = [self._part(number, part) for number, part in enumerate(self._draft.parts)]
        pairs = zip(self._draft.parts, changed, strict=True)
        kept = (new if new.paragraphs or old.role == "question" else old for old, new in pairs)
        return Draft(tuple(part for part in kept if part.paragraphs))

    def _planned(self, edited: Draft) -> PostPlan:
        """Return the plan with the new headings and titles, without answered gaps and removed questions."""
        new = {self._draft.parts[number].heading: heading for number, heading in self._headings.items()}
        plan = self._plan

        def renamed(heading: str) -> str:
            return new.get(heading, heading)

        kept = {part.heading for part in edited.parts}
        asked = (part.heading for part in self._draft.parts if part.role == "question")
        cut = {heading for heading in asked if renamed(heading) not in kept}
        return replace(
            plan,
            title=self._titles.get("title", plan.title),
            meta_title=self._titles.get("meta_title", plan.meta_title),
            description=self._titles.get("description", plan.description),
            sections=tuple(replace(each, heading=renamed(each.heading)) for each in plan.sections),
            questions=tuple(
                replace(each, question=renamed(each.question))
                for each in plan.questions
                if each.question not in cut
            ),
            closing=replace(plan.closing, heading=renamed(plan.closing.heading)),
            gaps=tuple(gap for gap in plan.gaps if gap not in self._filled),
        )

    def _take_title(self, name: str, text: str) -> bool:
        old = getattr(self._plan, name)
        low, high = _WIDTHS[name]
        language = self._brief.language
        phrase = topic_stems(self._brief.primary_keyword, language)
        loses = phrase & topic_stems(old, language) - topic_stems(text, language)
        if loses or not low <= width(text) <= max(high, width(old)) or not self._is_supported(text):
            return False
        self._titles[name] = text
        return True

    def _take_gap(self, name: str, text: str) -> bool:
        if not text:
            self._filled.add(self._gaps[name])
        return not text

    def _take_heading(self, number: int, text: str) -> bool:
        known = {part.heading.lower() for part in self._draft.parts}
        known |= {heading.lower() for heading in self._headings.values()}
        if not 0 < len(text) <= LONGEST_TITLE or text.lower() in known or not self._is_supported(text):
            return False
        self._headings[number] = text
        return True

    def _drop_question(self, number: int) -> bool:
        """Accept that a question goes with its answer; a section loses its blocks one by one."""
        part = self._draft.parts[number]
        if part.role == "question":
            places = (Place(number, n, WHOLE) for n in range(len(part.paragraphs)))
            self._blocks.update(dict.fromkeys(places, ()))
        return part.role == "question"

    def _take_block(self, place: Place, blocks: tuple[Paragraph, ...]) -> bool:
        if not all(block.sentences for block in blocks):
            return False
        parts = list(self._draft.parts)
        part = parts[place.part]
        paragraphs = (*part.paragraphs[: place.paragraph], *blocks, *part.paragraphs[place.paragraph + 1 :])
        parts[place.part] = replace(part, paragraphs=paragraphs)
        written = range(place.paragraph, place.paragraph + len(blocks))
        before = self._faults(self._draft, place.part, range(place.paragraph, place.paragraph + 1))
        # One of several is revised as any other sentence, and the rest is not lost for it.
        most = before + (sum(len(block.sentences) for block in blocks) >= _SEVERAL)
        if self._faults(Draft(tuple(parts)), place.part, written) > most:
            return False
        self._blocks[place] = blocks
        return True

    def _take_sentence(self, place: Place, written: Sentence) -> bool:
        old = self._statements[place].sentence
        if self._blocks.get(place._replace(sentence=WHOLE)) is not None:
            return False
        if not written.text:
            self._sentences[place] = None
            return True
        new = in_form_of(old, written)
        new = new if new.source_ids else replace(new, source_ids=old.source_ids)
        length = extent(shown(new.text))
        is_long = length > max(_FREE_LENGTH, _LARGEST_FACTOR * extent(shown(old.text)))
        tried = self._draft.replaced({place: new})
        before = self._checker.violations(self._draft, [self._statements[place]])
        after = self._checker.violations(tried, [each for each in tried.statements if each.place == place])
        if not new.text or is_long or after > before:
            return False
        self._sentences[place] = new
        return True

    def _faults(self, draft: Draft, part: int, paragraphs: range) -> int:
        statements = (each for each in draft.statements if each.place.part == part)
        return self._checker.violations(draft, [s for s in statements if s.place.paragraph in paragraphs])

    def _is_supported(self, heading: str) -> bool:
        return not self._checker.heading_violations(heading, range(len(self._plan.sections) + 1))

    def _part(self, number: int, part: Part) -> Part:
        paragraphs = with_bodies(self._paragraphs(number, part))
        return replace(part, heading=self._headings.get(number, part.heading), paragraphs=paragraphs)

    def _paragraphs(self, number: int, part: Part) -> Iterator[Paragraph]:
        for position, paragraph in enumerate(part.paragraphs):
            blocks = self._blocks.get(Place(number, position, WHOLE))
            if blocks is not None:
                yield from blocks
                continue
            places = (Place(number, position, n) for n in range(len(paragraph.sentences)))
            pairs = zip(places, paragraph.sentences, strict=True)
            said = [self._sentences.get(place, old) for place, old in pairs]
            yield replace(paragraph, sentences=tuple(each for each in said if each is not None))


def _language_of(changes: Sequence[Change]) -> str | None:
    written = [change.sentence.text for change in changes]
    written += [s.text for change in changes for block in change.blocks for s in block.sentences]
    return detect(" ".join(map(shown, written)))


def _language_of_draft(draft: Draft) -> str | None:
    return detect(" ".join(shown(each.sentence.text) for each in draft.statements))


def _extent(draft: Draft) -> int:
    return sum(extent(shown(each.sentence.text)) for each in draft.statements)
