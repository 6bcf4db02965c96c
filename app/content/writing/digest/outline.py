"""The outline of a digest: its sections, their order, and their headings, which are the site's own. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from app.content.artefacts import Brief, Outline, OutlineSection, SourceSnapshot
from app.content.plan import PostPlan
from app.content.planning.requested_sections import ResolvedSection
from app.content.planning.titles import make_meta_title, make_title
from app.content.request import GenerationRequest
from app.content.retrieval.passages import Library
from app.content.retrieval.selection import Candidate, candidates
from app.content.writing.digest.arrangement import SECTION, arranged
from app.content.writing.digest.questions import Questions
from app.language.languages import language_data
from app.language.words import fold

LEAST_SECTIONS: Final = 2
MOST_SECTIONS: Final = 12
_FILLED_WORDS: Final = 200
"""The length up to which sections that say little on the topic fill up a post."""

_MOST_QUESTIONS: Final = 3
_QUOTE_WORDS: Final = 90
_LONGEST_QUOTE_WORDS: Final = 150
_MAIN_SHARE: Final = 0.75


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
    title = fold(request.title or "") or make_title(brief.topic, snapshot.project_name, brief.language)
    plan = request.plan or PostPlan()
    meta_title = plan.meta_title or make_meta_title(title, snapshot.project_name, brief.language)
    if brief.draft_kind == "outline":
        return Outline(title, meta_title, (), ())
    budget, ranked = _quotable(library, brief)
    taken = {mark for own in requested for each in own.excerpts for mark in each.excerpt.marks}
    ranked = tuple(each for each in ranked if not each.excerpt.marks & taken)
    # Without fixed lines there is no heading for questions: they are among the sections.
    neutral = language_data(brief.language).phrases is None
    most = _MOST_QUESTIONS if request.include.faq and not neutral else 0
    filled = [own for own in requested if own.excerpts]
    questions = Questions(library, brief.main_page)
    if filled:
        asked = [candidate for candidate in ranked if candidate.question][:most]
        missing = max(0, min(LEAST_SECTIONS, len(requested)) - len(filled))
        others = [candidate for candidate in ranked if not candidate.question][:missing]
        sections = (*_requested_sections(requested, budget), *_numbered("o", others, budget))
        faq = _numbered("q", asked, budget)
        if request.is_planned:
            faq = _planned_questions(plan, ranked, budget)[:most]
        return Outline(title, meta_title, sections, faq)
    answer = questions.answer(brief.topic, ranked)
    rest = [each for each in ranked if each is not answer]
    if answer:
        rest = questions.on_the_same(brief.topic, rest)
    asked = [each for each in rest if not neutral and questions.is_asked_apart(each)]
    kept = [each for each in rest if each not in asked]
    # Further questions only fill up a short post.
    kept += [replace(each, weak=True) for each in asked[most:] if most]
    asked = asked[:most]
    if len(kept) + len(asked) + (answer is not None) < LEAST_SECTIONS or not (answer or kept):
        answer, asked, kept = None, [], list(ranked)
    opening = [answer] if answer else []
    answered = _words([*opening, *asked])
    main, others = _of_main_page(kept, brief)
    there = answered + _words(main)
    enough = until_enough(others, brief.target_words, LEAST_SECTIONS - len([*opening, *main]), there)
    chosen = _with_required([*main, *enough], [*opening, *asked], required)
    placed = arranged(chosen, asked, library, brief, budget, answer)
    return Outline(
        title,
        meta_title,
        tuple(_section(f"s{n}", p.candidate, p.heading, p.level, budget) for n, p in enumerate(placed, 1)),
        _numbered("q", asked, budget),
    )


def _of_main_page(candidates: Sequence[Candidate], brief: Brief) -> tuple[list[Candidate], list[Candidate]]:
    """Return the sections of the main page, in its order, and the others.

    They are the thread of the post: all that fit, within most of its length.
    """
    own = [each for each in candidates if each.section.page.page_id == brief.main_page]
    main: list[Candidate] = []
    for each in sorted(own, key=lambda candidate: candidate.section.position):
        if len(main) < LEAST_SECTIONS or _words(main) < brief.target_words * _MAIN_SHARE:
            main.append(each)
    return main, [each for each in candidates if each not in own]


def until_enough(
    ranked: Sequence[Candidate], count: int, fewest: int = LEAST_SECTIONS, there: int = 0
) -> list[Candidate]:
    """Return the best sections for a post of about ``count`` words that has ``there``, at least ``fewest``.

    Sections that say far less on the topic than others only fill up a post of fewer than 200 words.
    """
    chosen: list[Candidate] = []
    for candidate in ranked:
        wanted = min(count, _FILLED_WORDS) if candidate.weak else count
        is_full = there + _words(chosen) >= wanted or len(chosen) == MOST_SECTIONS
        if len(chosen) >= fewest and is_full:
            break
        chosen.append(candidate)
    return chosen


def _words(chosen: Sequence[Candidate]) -> int:
    return sum(each.excerpt.words for each in chosen)


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


def _with_required(
    chosen: list[Candidate], asked: Sequence[Candidate], required: Sequence[Candidate]
) -> list[Candidate]:
    """Return the chosen sections with those of required pages that are not among them."""
    there = {candidate.section.page.page_id for candidate in (*chosen, *asked)}
    known = {mark for candidate in (*chosen, *asked) for mark in candidate.excerpt.marks}
    headings = {candidate.heading.lower() for candidate in (*chosen, *asked)}
    missing = [
        candidate
        for candidate in required
        if candidate.section.page.page_id not in there
        and not candidate.excerpt.marks & known
        and candidate.heading.lower() not in headings
    ]
    return [*chosen[: max(LEAST_SECTIONS, MOST_SECTIONS - len(missing))], *missing]


def quote_budget(target_words: int) -> int:
    """Return the length of one excerpt in words: 90, or more if twelve of 90 would not reach the target."""
    return max(_QUOTE_WORDS, min(_LONGEST_QUOTE_WORDS, target_words // MOST_SECTIONS))


def _quotable(library: Library, brief: Brief) -> tuple[int, tuple[Candidate, ...]]:
    """Return the length of one excerpt and the sections to quote; excerpts are longer if there are few."""
    keywords = (brief.primary_keyword, *brief.secondary)
    budget = quote_budget(brief.target_words)
    ranked = candidates(library, brief.topic, keywords, budget, brief.about_pages, brief.main_page)
    if sum(each.excerpt.words for each in ranked if not each.weak) >= brief.target_words:
        return budget, ranked
    longest = _LONGEST_QUOTE_WORDS
    return longest, candidates(library, brief.topic, keywords, longest, brief.about_pages, brief.main_page)


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
