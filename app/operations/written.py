"""What a job tells of a text that an engine wrote, and what it keeps of the way there."""

from __future__ import annotations

from typing import Any, Final

from app.content.drafts import WrittenPost
from app.content.writing.llm.questions import AnswerCache
from app.operations.base import Run

_ANSWERS: Final = "answers"


def told_of(written: WrittenPost, seconds: float) -> dict[str, Any]:
    """Return the members of a job's result that every written text has; ``seconds`` is what writing took."""
    return {
        "draft_kind": written.draft_kind,
        "engine": written.engine,
        "model": written.usage.model,
        "usage": written.usage.taken(),
        "seconds": round(seconds, 2),
        "word_count": written.post.word_count,
        "quality": {"score": written.quality.score, "decision": written.quality.decision},
        "warnings": list(written.warnings),
    }


def artefacts_of(written: WrittenPost) -> dict[str, Any]:
    """Return what a job keeps for a while of how a text came about."""
    return {
        "request": dict(written.request),
        "brief": written.brief.to_dict(),
        "outline": written.outline.to_dict(),
    }


def answer_cache_of(run: Run) -> AnswerCache:
    """Return the answers of a model that earlier attempts of a job kept; new ones are kept beside them."""
    return AnswerCache(run.kept().get(_ANSWERS, {}), lambda answers: run.keep({_ANSWERS: answers}))
