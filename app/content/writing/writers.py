"""Writes or plans a post with the chosen engine, and what happens when the language model fails."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from app.config import Settings
from app.content.artefacts import Brief, SourceSnapshot
from app.content.drafts import WrittenPost
from app.content.evidence.units import units_of
from app.content.plan import PostPlan, within_limits
from app.content.request import GenerationRequest
from app.content.retrieval.coverage_words import missing_words
from app.content.writing.article.answers import NotCovered
from app.content.writing.article.material import Material, material_of
from app.content.writing.article.writer import (
    ModelFailed,
    Work,
    plan_only,
    write_article,
)
from app.content.writing.choosing import Choice
from app.content.writing.digest.engine import write_extractive, write_outline_draft
from app.content.writing.digest.planning import plan_digest
from app.content.writing.llm.reasons import why_no_text
from app.content.writing.notes import topic_warnings
from app.content.writing.planned_post import PlannedPost, passages_of
from app.content.writing.providers.registry import providers_for

OWN_FAILURES: Final = frozenset({"CANCELED", "JOB_TIMEOUT"})
"""Failures of the job itself, after which no other engine takes over."""

ABSENT: Final = (
    "No page of the project is about the topic and no key points were given, so the language model was not "
    "asked: this is an outline."
)
NOT_COVERED: Final = "The language model found that the pages do not cover the topic: this is an outline."


def write(
    request: GenerationRequest, snapshot: SourceSnapshot, choice: Choice, settings: Settings, work: Work
) -> WrittenPost:
    """Return the post. Raises ServiceFailure, and what ``work.stage`` raises."""

    def extractive() -> WrittenPost:
        return write_extractive(request, snapshot, lambda name: work.stage(name, ""))

    if choice.engine == "extractive":
        return extractive()
    providers = providers_for(settings, choice.model, choice.verify_model)
    try:
        written = write_article(request, snapshot, providers, work)
    except ModelFailed as error:
        # A digest is never a full draft.
        if not choice.falls_back or request.minimum_kind == "full" or error.failure.code in OWN_FAILURES:
            raise
        return _instead(error, extractive, work)
    return _outline(request, snapshot, written) if isinstance(written, NotCovered) else written


def plan_post(
    request: GenerationRequest, snapshot: SourceSnapshot, choice: Choice, settings: Settings, work: Work
) -> PlannedPost:
    """Return the plan of the post that ``write`` would make. Raises as ``write`` does."""
    work.stage("build_brief", "")
    material = material_of(request, snapshot)
    if choice.engine == "extractive":
        return _digest_plan(material, work)
    providers = providers_for(settings, choice.model, choice.verify_model)
    try:
        planned = plan_only(material, providers, work)
    except ModelFailed as error:
        if not choice.falls_back or error.failure.code in OWN_FAILURES:
            raise
        warning = f"{why_no_text(error.failure)}, so the built-in writer made this plan."
        work.stage("build_brief", warning)
        made = _digest_plan(material, work)
        usage = replace(made.usage, **error.usage.taken())
        return replace(made, usage=usage, warnings=(warning, *made.warnings))
    if isinstance(planned, NotCovered):
        missing = planned.missing if planned.was_asked else _not_covered(material.brief)
        return PlannedPost(material.brief.topic, "llm", missing=missing, usage=planned.usage)
    made = _planned_post(planned.plan, planned.material)
    return replace(made, engine="llm", usage=planned.usage, warnings=(*made.warnings, *planned.notes))


def _digest_plan(material: Material, work: Work) -> PlannedPost:
    """Return the plan of the built-in writer, or what the pages do not cover."""
    work.stage("build_outline", "")
    plan = plan_digest(material.request, material.snapshot, material.library, material.brief)
    if plan is None:
        return PlannedPost(material.brief.topic, "extractive", missing=_not_covered(material.brief))
    return _planned_post(plan, material)


def _not_covered(brief: Brief) -> tuple[str, ...]:
    """Return the words of the topic that the best page does not say, else what the pages say little about."""
    return missing_words(brief.topic, brief.missing_words, brief.language) or brief.gaps


def _planned_post(plan: PostPlan, material: Material) -> PlannedPost:
    kept = within_limits(plan)
    units = (*material.given, *material.about_site, *units_of(material.library.sections))
    passages = passages_of(kept, units, material.snapshot)
    warnings = tuple(topic_warnings(material.brief))
    return PlannedPost(material.brief.topic, "extractive", kept, passages, warnings=warnings)


def _outline(request: GenerationRequest, snapshot: SourceSnapshot, found: NotCovered) -> WrittenPost:
    """Return an outline, for a topic that the pages do not cover, with what is missing."""
    written = write_outline_draft(request, snapshot)
    notes = (
        tuple(f"The passages used do not say: {each}" for each in found.missing) if found.was_asked else ()
    )
    return replace(
        written,
        warnings=(NOT_COVERED if found.was_asked else ABSENT, *written.warnings),
        editor_notes=(*notes, *written.editor_notes),
        usage=replace(written.usage, **found.usage.taken()) if found.was_asked else written.usage,
    )


def _instead(error: ModelFailed, extractive: Callable[[], WrittenPost], work: Work) -> WrittenPost:
    """Return the built-in writer's post; its usage counts the calls of the model that failed."""
    warning = f"{why_no_text(error.failure)}, so the built-in writer wrote this post."
    work.stage("build_brief", warning)
    written = extractive()
    usage = replace(written.usage, **error.usage.taken())
    return replace(written, warnings=(warning, *written.warnings), usage=usage)
