"""The outline of a model's post: the caller's own, or one call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from app.content.artefacts import Brief, Outline, OutlineSection, SourceSnapshot
from app.content.language.phrases import phrases
from app.content.language.text import fold
from app.content.planning.titles import make_meta_title, make_title
from app.content.request import GenerationRequest
from app.content.retrieval.passages import Library
from app.content.writing.article import prompts
from app.content.writing.article.answers import MOST_SECTIONS, Plan, PlannedSection, read_plan
from app.content.writing.article.calls import Calls
from app.content.writing.article.claims import Ground, heading_findings, usual_in
from app.content.writing.article.evidence import Proof, by_id, find, given_proofs, half_of, within_pack
from app.content.writing.article.headings import Headed, headed
from app.content.writing.article.length import SMALL_PART
from app.content.writing.article.questions import Question
from app.content.writing.article.schemas import OUTLINE
from app.content.writing.providers.base import Message

_WORDS_A_SECTION: Final = 170
_OWN_PASSAGES: Final = 12


@dataclass(frozen=True)
class Material:
    """What a job writes from."""

    request: GenerationRequest
    snapshot: SourceSnapshot
    library: Library
    brief: Brief

    @property
    def given(self) -> tuple[Proof, ...]:
        """What the caller and the project said."""
        return given_proofs(self.request, self.snapshot)

    @property
    def given_text(self) -> str:
        """What needs no citing: those points and facts, names, search phrases, the caller's own words."""
        wishes = [wish.heading for wish in self.request.outline]
        asked = [self.request.topic, self.request.title, *self.request.keywords, *wishes]
        own = [self.snapshot.project_name, self.brief.topic, *filter(None, asked)]
        return "\n".join([*own, *(proof.text for proof in self.given)])

    def ground(self, proofs: Sequence[Proof]) -> Ground:
        """Return what sentences may rest on that were written from these proofs."""
        language = self.brief.language
        return Ground(by_id(proofs), self.given_text, language, self.request.avoid, self.usual)

    @cached_property
    def usual(self) -> frozenset[str]:
        """The stems of the words that the project's pages write in small letters."""
        blocks = (block for page in self.snapshot.pages for block in page.blocks)
        return usual_in("\n".join(block.text for block in blocks), self.brief.language)

    def pack(self, subject: str, first: Sequence[Proof] = ()) -> tuple[Proof, ...]:
        """Return the evidence for one call: what is named first, what was given, then what is found on it."""
        found = find(self.library, subject, (self.brief.primary_keyword,))
        return within_pack([*first, *self.given, *found[:_OWN_PASSAGES]])

    def system(self) -> Message:
        """Return the rules of the job."""
        return prompts.system(self.request, self.brief, self.snapshot.project_name)


@dataclass(frozen=True)
class Planned:
    """The outline, the evidence of its sections and questions, and where its headings are from."""

    outline: Outline
    packs: dict[str, tuple[Proof, ...]]
    headings: dict[str, Headed]
    notes: tuple[str, ...] = ()


def plan(material: Material, calls: Calls) -> Planned:
    """Return the plan of a post: the caller's outline with evidence found for it, else the model's."""
    request, brief = material.request, material.brief
    if request.outline:
        wishes = [PlannedSection(w.heading, "", w.key_points, ()) for w in request.outline[:MOST_SECTIONS]]
        asked = [(question, ()) for question in brief.questions[:3]]
        return _finished(material, (), Plan("", tuple(wishes), tuple(asked)))
    proofs = within_pack(
        [*material.given, *find(material.library, brief.topic, _keywords(brief), request.required_page_ids)]
    )
    wanted = max(2, min(MOST_SECTIONS, round(brief.target_words / _WORDS_A_SECTION)))

    def messages(shown: Sequence[Proof]) -> tuple[Message, ...]:
        return (material.system(), prompts.plan(request, brief, wanted, shown))

    question = Question(messages(proofs), messages(half_of(proofs)), OUTLINE, read_plan)
    return _finished(material, proofs, calls.ask(question))


def _keywords(brief: Brief) -> tuple[str, ...]:
    return (brief.primary_keyword, *brief.secondary)


def _finished(material: Material, shown: Sequence[Proof], made: Plan) -> Planned:
    """Judge what the model named, and give each section its evidence."""
    request, brief, snapshot = material.request, material.brief, material.snapshot
    ground, pool = material.ground(shown), by_id(shown)
    notes: list[str] = []

    def is_held(text: str, what: str) -> bool:
        found = heading_findings(text, ground)
        if found:
            notes.append(f"The {what} “{text}” was not used: {'; '.join(found)}.")
        return not found

    title = fold(request.title or "")
    if not title and made.title and is_held(made.title, "title"):
        title = made.title[:150]
    title = title or make_title(brief.topic, snapshot.project_name, brief.language)
    own = bool(request.outline)
    # Without a table of the language there is no heading for questions.
    with_faq = request.include.faq and phrases(brief.language) is not None
    planned = _unique(made.sections)
    if own:
        kept = [Headed(section, "input") for section in planned]
    else:
        kept = headed([_held(s, is_held) for s in planned], shown, ground, brief.topic, notes.append)
    asked = [q for q in made.questions if own or is_held(q[0], "question")] if with_faq else []
    words = max(SMALL_PART, brief.target_words // len(kept))
    headings = {f"s{n}": each for n, each in enumerate(kept, 1)}
    sections = tuple(
        OutlineSection(name, s.heading, s.purpose, s.key_points, _known(s.evidence, pool), words)
        for name, s in ((name, headed_by.section) for name, headed_by in headings.items())
    )
    faq = tuple(
        OutlineSection(f"q{n}", question, "answer", (), _known(ids, pool), SMALL_PART)
        for n, (question, ids) in enumerate(asked, 1)
    )
    packs = {
        s.id: material.pack(f"{s.heading} {' '.join(s.key_points)}", [pool[i] for i in s.evidence_ids])
        for s in (*sections, *faq)
    }
    outline = Outline(title, make_meta_title(title, snapshot.project_name, brief.language), sections, faq)
    return Planned(outline, packs, headings, tuple(notes))


def _held(section: PlannedSection, is_held: Callable[[str, str], bool]) -> PlannedSection:
    """Return a section with what the evidence holds of its aim: it steers the writer and is shown."""
    points = tuple(point for point in section.key_points if is_held(point, "key point"))
    purpose = section.purpose if is_held(section.purpose, "purpose") else ""
    return replace(section, purpose=purpose, key_points=points)


def _unique(sections: Sequence[PlannedSection]) -> list[PlannedSection]:
    return list({section.heading.lower(): section for section in reversed(sections)}.values())[::-1]


def _known(ids: Sequence[str], pool: Mapping[str, Proof]) -> tuple[str, ...]:
    """Return the ids that were shown; a model may make one up."""
    return tuple(each for each in dict.fromkeys(ids) if each in pool)
