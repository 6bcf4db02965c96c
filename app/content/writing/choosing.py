"""Which engine writes a post, and what happens when the language model fails: nothing silent."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from app.config import Settings
from app.content.artefacts import Brief, SourceSnapshot
from app.content.drafts import WrittenPost
from app.content.evidence.units import EvidenceUnit, units_of
from app.content.plan import PostPlan, within_limits
from app.content.planning.brief import build_brief
from app.content.request import GenerationRequest
from app.content.retrieval.avoiding import library_for
from app.content.writing.article.writer import (
    ModelFailed,
    NothingToWrite,
    Work,
    plan_only,
    write_article,
)
from app.content.writing.digest.engine import write_extractive, write_outline_draft
from app.content.writing.digest.planning import plan_digest
from app.content.writing.llm.reasons import why_no_text
from app.content.writing.notes import topic_warnings
from app.content.writing.planned_post import PlannedPost, passages_of
from app.content.writing.providers.registry import is_configured, providers_for
from app.content.writing.veto.evidence import given_units
from app.failures import invalid_field
from app.language.stems import search_words, stem

ENGINES: Final = ("auto", "llm", "extractive")
ON_FAILURE: Final = ("fail", "extractive")

OWN_FAILURES: Final = frozenset({"CANCELED", "JOB_TIMEOUT"})
"""Failures of the job itself: no other engine may go on after them."""

ABSENT: Final = (
    "No page of the project is about the topic and no key points were given, so the language model was not "
    "asked: this is an outline."
)
NOT_COVERED: Final = "The language model found that the pages do not cover the topic: this is an outline."

Engine = Literal["llm", "extractive"]


@dataclass(frozen=True)
class Choice:
    """The engine of a generation, and whether the extractive one takes over when the model fails.

    ``model`` and ``verify_model`` are the project's own; None leaves them to the settings.
    """

    engine: Engine
    falls_back: bool = False
    model: str | None = None
    verify_model: str | None = None


def has_provider(settings: Settings) -> bool:
    """Tell whether the operator has named a text provider."""
    return is_configured(settings)


def check_engine(payload: Mapping[str, Any], settings: Settings) -> None:
    """Refuse the model's engine where there is no model. Raises INVALID_REQUEST naming the field."""
    if payload.get("engine") == "llm" and not has_provider(settings):
        raise invalid_field(
            "/payload/engine", "No text provider is configured; use auto or extractive, or ask the operator."
        )


def choose(
    payload: Mapping[str, Any],
    settings: Settings,
    model: str | None = None,
    verify_model: str | None = None,
) -> Choice:
    """Return what writes the post: as asked, and the model by itself when there is one."""
    asked = payload.get("engine") or "auto"
    by_model = asked == "llm" or (asked == "auto" and has_provider(settings))
    falls_back = payload.get("on_llm_failure") == "extractive"
    return Choice("llm" if by_model else "extractive", falls_back, model, verify_model)


def write(
    request: GenerationRequest, snapshot: SourceSnapshot, choice: Choice, settings: Settings, work: Work
) -> WrittenPost:
    """Return the post. Raises ServiceFailure, and what ``work.stage`` raises."""

    def extractive() -> WrittenPost:
        return write_extractive(request, snapshot, lambda name, _done, _total: work.stage(name, ""))

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
    return _outline(request, snapshot, written) if isinstance(written, NothingToWrite) else written


def plan_post(
    request: GenerationRequest, snapshot: SourceSnapshot, choice: Choice, settings: Settings, work: Work
) -> PlannedPost:
    """Return the plan of the post that ``write`` would make. Raises as ``write`` does."""
    if choice.engine == "extractive":
        return _digest_plan(request, snapshot, work)
    providers = providers_for(settings, choice.model, choice.verify_model)
    try:
        planned = plan_only(request, snapshot, providers, work)
    except ModelFailed as error:
        if not choice.falls_back or error.failure.code in OWN_FAILURES:
            raise
        warning = f"{why_no_text(error.failure)}, so the built-in writer made this plan."
        work.stage("build_brief", warning)
        made = _digest_plan(request, snapshot, work)
        usage = replace(made.usage, **error.usage.taken())
        return replace(made, usage=usage, warnings=(warning, *made.warnings))
    library = library_for(request, snapshot)
    brief = build_brief(request, snapshot, library)
    if isinstance(planned, NothingToWrite):
        missing = planned.missing if planned.was_asked else _unsaid(brief)
        return PlannedPost(brief.topic, "llm", missing=missing, usage=planned.usage)
    made = _planned_post(planned.plan, request, snapshot, brief, units_of(library.sections))
    return replace(made, engine="llm", usage=planned.usage, warnings=(*made.warnings, *planned.notes))


def _digest_plan(request: GenerationRequest, snapshot: SourceSnapshot, work: Work) -> PlannedPost:
    """Return the plan that the built-in writer makes, or what the pages do not say."""
    work.stage("build_brief", "")
    library = library_for(request, snapshot)
    brief = build_brief(request, snapshot, library)
    work.stage("build_outline", "")
    units = units_of(library.sections)
    plan = plan_digest(request, snapshot, library, brief, units)
    if plan is None:
        return PlannedPost(brief.topic, "extractive", missing=_unsaid(brief))
    return _planned_post(plan, request, snapshot, brief, units)


def _unsaid(brief: Brief) -> tuple[str, ...]:
    """Return the words of the topic that the best page does not say, else what the pages say little about."""
    words = dict.fromkeys(search_words(brief.topic, brief.language))
    return tuple(each for each in words if stem(each, brief.language) in brief.missing_words) or brief.gaps


def _planned_post(
    plan: PostPlan,
    request: GenerationRequest,
    snapshot: SourceSnapshot,
    brief: Brief,
    units: Sequence[EvidenceUnit],
) -> PlannedPost:
    kept = within_limits(plan)
    passages = passages_of(kept, (*given_units(request, snapshot), *units), snapshot)
    return PlannedPost(brief.topic, "extractive", kept, passages, warnings=tuple(topic_warnings(brief)))


def _outline(request: GenerationRequest, snapshot: SourceSnapshot, found: NothingToWrite) -> WrittenPost:
    """Return the outline of a post that the pages do not carry, with what is missing."""
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
    """Return the built-in writer's post; what the model's calls took is counted all the same."""
    warning = f"{why_no_text(error.failure)}, so the built-in writer wrote this post."
    work.stage("build_brief", warning)
    written = _with_warning(extractive(), warning)
    return replace(written, usage=replace(written.usage, **error.usage.taken()))


def _with_warning(written: WrittenPost, warning: str) -> WrittenPost:
    return replace(written, warnings=(warning, *written.warnings))
