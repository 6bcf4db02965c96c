"""The engine that writes with a language model: request and snapshot in, finished post out.

brief → outline (1 call) → sections (1 call each) → claim gate, repairs (1 call each) → questions and opening
(2 calls) → assembly → quality check. Everything but the calls is shared with the extractive engine or pure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.content.artefacts import Brief, Outline, SectionDraft, SourceSnapshot, Usage, WrittenPost
from app.content.assembly.assemble import assemble
from app.content.assembly.linking import Linked, link_up
from app.content.language.text import content_stems
from app.content.planning.brief import build_brief
from app.content.planning.requested_sections import look_up
from app.content.planning.takeaways import find_takeaways
from app.content.quality.gate import check_written_post
from app.content.request import GenerationRequest
from app.content.retrieval.avoiding import library_for
from app.content.writing.article.calls import Attempt, Calls
from app.content.writing.article.draft import draft, mark_of, repaired
from app.content.writing.article.ending import answered, opened
from app.content.writing.article.figures import figures
from app.content.writing.article.memory import Memory
from app.content.writing.article.planning import Material, plan
from app.content.writing.article.reasons import UNANSWERED
from app.content.writing.digest.engine import key_points_draft, takeaways_draft
from app.content.writing.digest.outline import quote_budget
from app.content.writing.notes import gap_notes, link_notes, required_notes, warnings_of_any
from app.content.writing.providers.base import TextProvider
from app.failures import Failure, ServiceFailure

_MOST_NOTES: Final = 40
_TAKEAWAY_WORDS: Final = 90
THIN: Final = (
    "The pages hold too little about the topic and no key points were given, so the language model was not "
    "asked: this is the outline that the built-in writer makes."
)


@dataclass(frozen=True)
class Work:
    """What a writer knows of its job: ``stage(name, message)`` is told to it, and may end it."""

    stage: Callable[[str, str], None]
    should_stop: Callable[[], bool]
    remaining: Callable[[], float]
    memory: Memory


class ModelFailed(ServiceFailure):
    """Raised when a model's post came to nothing; ``usage`` is what its calls took all the same."""

    def __init__(self, found: Failure, usage: Usage) -> None:
        taken = {"usage": usage.taken()} if usage.calls else {}
        details = {**(found.details or {}), **taken} or None
        super().__init__(found.code, found.message, hints=found.hints, details=details)
        self.usage = usage


def is_written_by_model(request: GenerationRequest, brief: Brief) -> bool:
    """Tell whether there is something to write from: pages on the topic, or key points of the caller."""
    return brief.coverage != "absent" or bool(request.key_points)


def write_llm(
    request: GenerationRequest, snapshot: SourceSnapshot, provider: TextProvider, work: Work
) -> WrittenPost | None:
    """Return the post, or None when the sources are too thin to ask a model.

    Raises ModelFailed with the code of what the provider did, JOB_TIMEOUT, CANCELED, and INVALID_REQUEST
    when the input is too long for the model; and what ``work.stage`` raises.
    """
    current = "build_brief"

    def enter(stage: str, message: str = "") -> None:
        nonlocal current
        current = stage
        work.stage(stage, message)

    enter("build_brief")
    library = library_for(request, snapshot)
    brief = replace(build_brief(request, snapshot, library), draft_kind="full")
    if not is_written_by_model(request, brief):
        return None
    material = Material(request, snapshot, library, brief)
    attempt = Attempt(lambda note: work.stage(current, note), work.should_stop, work.remaining, work.memory)
    calls = Calls(provider, attempt)
    try:
        return _written(material, calls, enter)
    except ServiceFailure as error:
        raise ModelFailed(error.failure, calls.usage) from None


def _written(material: Material, calls: Calls, enter: Callable[..., None]) -> WrittenPost:
    request, snapshot, brief = material.request, material.snapshot, material.brief
    enter("build_outline")
    planned = plan(material, calls)
    number = len(planned.outline.sections)
    enter("draft_sections", f"0/{number}")
    texts = draft(material, planned, calls, lambda done: enter("draft_sections", f"{done}/{number}"))
    enter("check_claims")
    takeaways = _takeaways(material)
    said = {mark_of(s) for draft in takeaways for paragraph in draft.paragraphs for s in paragraph.sentences}
    drafts, notes = repaired(material, planned, texts, calls, said)
    if not drafts:
        calls.forget()
        raise _nothing_held(calls.usage)
    enter("assemble")
    answers, notes_on_answers = answered(material, planned, calls, said)
    opening, meta_title, notes_on_opening = opened(material, planned, drafts, calls, said)
    outline = _as_written(replace(planned.outline, meta_title=meta_title), drafts, answers)
    points = key_points_draft(_unsaid(material, [*drafts, *answers]), brief)
    linked, notes_on_links = _linked(material, [*takeaways, *points, *drafts])
    post = assemble(brief, outline, linked.drafts, answers, snapshot, opening, request)
    enter("quality_check")
    # The notes that are promised come first: of the others there may be more than are kept.
    promised = [*notes_on_links, *gap_notes(brief)]
    notes = [*promised, *planned.notes, *notes, *notes_on_answers, *notes_on_opening]
    given = [proof.text for proof in material.given]
    return WrittenPost(
        post=post,
        brief=brief,
        outline=outline,
        quality=check_written_post(post, brief, snapshot, engine="llm", given=given, request=request),
        draft_kind="full",
        engine="llm",
        warnings=_warnings(request, brief, post.slug, notes),
        editor_notes=tuple(notes[:_MOST_NOTES]),
        usage=calls.usage,
    )


def _as_written(outline: Outline, drafts: Sequence[SectionDraft], answers: Sequence[SectionDraft]) -> Outline:
    """Return the outline with the sections that are in the post."""
    written = {draft.id for draft in drafts}
    questions = {draft.heading for draft in answers}
    return replace(
        outline,
        sections=tuple(section for section in outline.sections if section.id in written),
        faq=tuple(section for section in outline.faq if section.heading in questions),
    )


def _takeaways(material: Material) -> tuple[SectionDraft, ...]:
    """Return the key takeaways, which stay the pages' own sentences."""
    if not material.request.include.key_takeaways:
        return ()
    found = find_takeaways(material.library, material.brief, _TAKEAWAY_WORDS)
    return takeaways_draft(found, material.brief, material.snapshot)


def _unsaid(material: Material, drafts: Sequence[SectionDraft]) -> list[str]:
    """Return the caller's key points that no sentence says: all of them stand in the post."""
    told = [s.text for draft in drafts for paragraph in draft.paragraphs for s in paragraph.sentences]
    language = material.brief.language
    return [
        point
        for point in material.request.key_points
        if not any(_says(sentence, point, language) for sentence in told)
    ]


def _says(sentence: str, point: str, language: str) -> bool:
    """Tell whether a sentence holds each content stem and each figure of a point."""
    stems = set(content_stems(point, language))
    held = stems <= set(content_stems(sentence, language)) and set(figures(point)) <= set(figures(sentence))
    return bool(stems) and held


def _linked(material: Material, drafts: Sequence[SectionDraft]) -> tuple[Linked, list[str]]:
    """Return the drafts with as many links into the project as were asked for, and notes on what is missing.

    The pages that have to be used are linked first, if they say anything on the topic.
    """
    request, brief = material.request, material.brief
    pages = {page.page_id: page for page in material.snapshot.pages}
    budget = quote_budget(brief.target_words)
    required = look_up(request.required_page_ids, material.library, brief.topic, budget)
    quoted = (candidate.section.page.page_id for candidate in required.quoted)
    made = link_up(
        drafts,
        pages,
        [candidate.page_id for candidate in brief.link_candidates],
        required=(*quoted, *required.linked),
        least=request.least_links,
        most=request.most_links,
        language=brief.language,
    )
    return made, [*required_notes(required, brief, pages), *link_notes(request, made)]


def _warnings(request: GenerationRequest, brief: Brief, slug: str, notes: Sequence[str]) -> tuple[str, ...]:
    removed = sum(note.startswith("Removed") for note in notes)
    unanswered = (note for note in notes if UNANSWERED in note)
    return (*warnings_of_any(request, brief, slug, removed), *unanswered)


def _nothing_held(usage: Usage) -> ServiceFailure:
    return ServiceFailure(
        "PROVIDER_FAILED",
        "The evidence held nothing of what the text provider wrote.",
        hints=[
            "Add pages about the topic, or choose a topic that the pages say more about.",
            "If the pages do say enough, ask the operator for another model.",
        ],
        details={"provider": usage.provider, "model": usage.model, "reason": "unsupported"},
    )
