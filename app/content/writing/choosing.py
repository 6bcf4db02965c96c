"""Which engine writes a post, and what happens when the language model fails: nothing silent."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from app.config import Settings
from app.content.artefacts import SourceSnapshot, WrittenPost
from app.content.request import GenerationRequest
from app.content.writing.article.reasons import why_left
from app.content.writing.article.writer import THIN, ModelFailed, Work, write_llm
from app.content.writing.digest.engine import write_extractive
from app.content.writing.providers.registry import is_configured, provider_for
from app.failures import invalid_field

ENGINES: Final = ("auto", "llm", "extractive")
ON_FAILURE: Final = ("fail", "extractive")

OWN_FAILURES: Final = frozenset({"CANCELED", "JOB_TIMEOUT"})
"""Failures of the job itself: no other engine may go on after them."""

Engine = Literal["llm", "extractive"]


@dataclass(frozen=True)
class Choice:
    """The engine of a generation, and whether the extractive one takes over when the model fails."""

    engine: Engine
    falls_back: bool = False


def has_provider(settings: Settings) -> bool:
    """Tell whether the operator has named a text provider."""
    return is_configured(settings.llm_base_url, settings.llm_api_key, settings.llm_model)


def check_engine(payload: Mapping[str, Any], settings: Settings) -> None:
    """Refuse the model's engine where there is no model. Raises INVALID_REQUEST naming the field."""
    if payload.get("engine") == "llm" and not has_provider(settings):
        raise invalid_field(
            "/payload/engine", "No text provider is configured; use auto or extractive, or ask the operator."
        )


def choose(payload: Mapping[str, Any], settings: Settings) -> Choice:
    """Return what writes the post: as asked, and the model by itself when there is one."""
    asked = payload.get("engine") or "auto"
    by_model = asked == "llm" or (asked == "auto" and has_provider(settings))
    return Choice("llm" if by_model else "extractive", payload.get("on_llm_failure") == "extractive")


def write(
    request: GenerationRequest, snapshot: SourceSnapshot, choice: Choice, settings: Settings, work: Work
) -> WrittenPost:
    """Return the post. Raises ServiceFailure, and what ``work.stage`` raises."""

    def extractive() -> WrittenPost:
        return write_extractive(request, snapshot, lambda name, _done, _total: work.stage(name, ""))

    if choice.engine == "extractive":
        return extractive()
    provider = provider_for(settings.llm_base_url, settings.llm_api_key, settings.llm_model)
    try:
        written = write_llm(request, snapshot, provider, work)
    except ModelFailed as error:
        # Excerpts are never a full draft.
        if not choice.falls_back or request.minimum_kind == "full" or error.failure.code in OWN_FAILURES:
            raise
        return _instead(error, extractive, work)
    return written or _with_warning(extractive(), THIN)


def _instead(error: ModelFailed, extractive: Callable[[], WrittenPost], work: Work) -> WrittenPost:
    """Return the built-in writer's post; what the model's calls took is counted all the same."""
    told = f"{why_left(error.failure)}, so the built-in writer wrote this post."
    work.stage("build_brief", told)
    written = _with_warning(extractive(), told)
    return replace(written, usage=replace(written.usage, **error.usage.taken()))


def _with_warning(written: WrittenPost, warning: str) -> WrittenPost:
    return replace(written, warnings=(warning, *written.warnings))
