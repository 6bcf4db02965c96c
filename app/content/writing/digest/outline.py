"""The outline of a digest: its sections, their order, and their headings, which are the site's own. Pure."""

from collections.abc import Sequence
from typing import Final

from app.content.artefacts import Brief, Outline, OutlineSection, SourceSnapshot
from app.content.plan import PostPlan
from app.content.planning.requested_sections import ResolvedSection
from app.content.planning.spelling import as_spelled
from app.content.planning.titles import make_meta_title, make_title
from app.content.request import GenerationRequest
from app.content.retrieval.candidates import Candidate
from app.content.retrieval.passages import Library
from app.content.retrieval.selection import candidates
from app.content.writing.digest.arrangement import SECTION, arranged
from app.content.writing.digest.choice import LEAST_SECTIONS, MOST_QUESTIONS, MOST_SECTIONS, choose
from app.content.writing.digest.room import with_room
from app.language.languages import language_data
from app.language.words import fold

_QUOTE_WORDS: Final = 90
_LONGEST_QUOTE_WORDS: Final = 150


def build_outline(
    request: GenerationRequest,
    snapshot: SourceSnapshot,
    library: Library,
    brief: Brief,
    requested: Sequence[ResolvedSection] = (),
    required: Sequence[Candidate] = (),
) -> Outline:
    """Return the plan of the post; an outline draft has a title and no sections.

    ``requested`` are the caller's own sections; another is chosen only where one alone could be filled.
    ``required`` are the best sections of pages that have to be used.
    """
    topic = as_spelled(brief.topic, library.sections, library.language)
    title = fold(request.title or "") or make_title(topic, snapshot.project_name, brief.language)
    plan = request.plan or PostPlan()
    meta_title = plan.meta_title or make_meta_title(title, snapshot.project_name, brief.language)
    if brief.draft_kind == "outline":
        return Outline(title, meta_title, (), ())
    budget, ranked = _quotable(library, brief)
    taken = {mark for own in requested for each in own.excerpts for mark in each.excerpt.marks}
    ranked = tuple(each for each in ranked if not each.excerpt.marks & taken)
    # Without fixed lines there is no heading for questions: they are among the sections.
    neutral = language_data(brief.language).phrases is None
    most = MOST_QUESTIONS if request.include.faq and not neutral else 0
    if any(own.excerpts for own in requested):
        ranked = tuple(each for each in ranked if not each.aside)
        sections, faq = _as_requested(request, plan, requested, ranked, budget, most)
        return Outline(title, meta_title, sections, faq)
    chosen = choose(brief, library, ranked, None if neutral else most, required)
    placed = with_room(arranged(chosen, library, brief, budget), chosen.asked, brief, budget)
    return Outline(
        title,
        meta_title,
        tuple(
            _section(f"s{n}", each.candidate, each.heading, each.level, room)
            for n, (each, room) in enumerate(placed, 1)
        ),
        _numbered("q", chosen.asked, budget),
    )


def _as_requested(
    request: GenerationRequest,
    plan: PostPlan,
    requested: Sequence[ResolvedSection],
    ranked: Sequence[Candidate],
    budget: int,
    most: int,
) -> tuple[tuple[OutlineSection, ...], tuple[OutlineSection, ...]]:
    """Return the caller's own sections and the questions; others only where one alone could be filled."""
    filled = sum(bool(own.excerpts) for own in requested)
    missing = max(0, min(LEAST_SECTIONS, len(requested)) - filled)
    others = [candidate for candidate in ranked if not candidate.question][:missing]
    sections = (*_requested_sections(requested, budget), *_numbered("o", others, budget))
    if request.is_planned:
        return sections, _planned_questions(plan, ranked, budget)[:most]
    asked = [candidate for candidate in ranked if candidate.question][:most]
    return sections, _numbered("q", asked, budget)


def _numbered(prefix: str, chosen: Sequence[Candidate], budget: int) -> tuple[OutlineSection, ...]:
    """Return sections at the main level with the ids q1, q2, … for the prefix q."""
    numbered = enumerate(chosen, 1)
    return tuple(_section(f"{prefix}{n}", each, each.heading, SECTION, budget) for n, each in numbered)


def _planned_questions(
    plan: PostPlan, ranked: Sequence[Candidate], budget: int
) -> tuple[OutlineSection, ...]:
    """Return those questions of a plan that its evidence answers."""
    answers = {block: each for each in ranked if each.question for block in each.excerpt.block_ids}
    found = [
        (planned.question, next((answers[each] for each in planned.evidence_ids if each in answers), None))
        for planned in plan.questions
    ]
    return tuple(
        _section(f"q{n}", candidate, question, SECTION, budget)
        for n, (question, candidate) in enumerate(found, 1)
        if candidate
    )


def _requested_sections(requested: Sequence[ResolvedSection], budget: int) -> tuple[OutlineSection, ...]:
    """Return the caller's sections; each further excerpt of one follows without a heading (level 1)."""
    return tuple(
        OutlineSection(
            id=f"s{n}" if part == 1 else f"s{n}.{part}",
            heading=own.requested.heading,
            purpose="requested",
            key_points=own.requested.key_points if part == 1 else (),
            evidence_ids=candidate.excerpt.block_ids,
            target_words=budget,
            level=2 if part == 1 else 1,
        )
        for n, own in enumerate(requested, 1)
        for part, candidate in enumerate(own.excerpts, 1)
    )


def quote_budget(target_words: int) -> int:
    """Return the length of one excerpt in words: 90, or more if twelve of 90 would not reach the target."""
    return max(_QUOTE_WORDS, min(_LONGEST_QUOTE_WORDS, target_words // MOST_SECTIONS))


def _quotable(library: Library, brief: Brief) -> tuple[int, tuple[Candidate, ...]]:
    """Return the length of one excerpt and the sections to quote; excerpts are longer if there are few."""
    keywords = (brief.primary_keyword, *brief.secondary)

    def quotable(budget: int) -> tuple[Candidate, ...]:
        pages = brief.about_pages, brief.main_page
        return candidates(library, brief.subject, keywords, budget, *pages, aside=True)

    budget = quote_budget(brief.target_words)
    ranked = quotable(budget)
    if sum(each.excerpt.words for each in ranked if not each.weak) >= brief.target_words:
        return budget, ranked
    return _LONGEST_QUOTE_WORDS, quotable(_LONGEST_QUOTE_WORDS)


def _section(section_id: str, candidate: Candidate, heading: str, level: int, budget: int) -> OutlineSection:
    run = candidate.excerpt
    return OutlineSection(
        id=section_id,
        heading=heading,
        purpose="answer" if candidate.question else "quote",
        key_points=(),
        evidence_ids=run.block_ids,
        target_words=budget,
        level=level,
    )
