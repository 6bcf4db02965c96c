"""Why a provider failed, as the details of its failure name it."""

from __future__ import annotations

from typing import Final

from app.failures import Failure, ServiceFailure

_OF_ONE_QUESTION: Final = frozenset(
    {"PROVIDER_FAILED", "PROVIDER_TIMEOUT", "CONTENT_REJECTED", "INVALID_REQUEST"}
)

_RETRY: Final = "Retry the job: what was answered is not asked for again."
_SHORTER: Final = "Choose a shorter length (length, target_words) or fewer sections (outline)."
_OWN_LIMITS: Final = {
    "call_limit": (
        "The job used up the {limit} calls to the text provider that it may make.",
        (_SHORTER, _RETRY),
    ),
    "token_limit": (
        "The job used up the {limit:,} tokens of the text provider that it may take.",
        (_SHORTER, "Give shorter instructions and key points.", _RETRY),
    ),
    "too_long": (
        "One answer of the model grew longer than any post, so it was left.",
        ("Retry the job.", "If it stays, ask the operator for another model (LLM_MODEL)."),
    ),
    "PROVIDER_TIMEOUT": (
        "The text provider did not finish in the time that one call may take.",
        (_RETRY, _SHORTER, "If it stays, ask the operator for a faster model (LLM_MODEL)."),
    ),
}
"""The limits that are the service's own, by reason or code: what was reached, and what to change."""


def told_of(found: Failure) -> str:
    """Return a failure's code, and its reason where it names one."""
    reason = _reason(found)
    return f"{found.code}, {reason}" if reason else found.code


def why_left(found: Failure) -> str:
    """Return why the model writes no post, without a full stop: a limit of our own in its own words."""
    is_own = (_reason(found) or found.code) in _OWN_LIMITS
    return f"{found.message.rstrip('.') if is_own else 'The language model failed'} ({told_of(found)})"


def is_too_long(found: Failure) -> bool:
    """Tell whether the model cannot take so long a question."""
    return _reason(found) == "context_length"


def is_cut(found: Failure) -> bool:
    """Tell whether the answer found no room: it shares the window with the question."""
    return _reason(found) == "truncated"


def is_own_limit(found: Failure) -> bool:
    """Tell whether the job's own limit of calls or tokens was reached, so that no call was made."""
    return _reason(found) in {"call_limit", "token_limit"}


def is_of_one_question(found: Failure) -> bool:
    """Tell whether a failure leaves the job's other questions as they are: no refused key, no cancel."""
    return found.code in _OF_ONE_QUESTION


def final(found: Failure, tries: int) -> ServiceFailure:
    """Return the failure of a question that is not asked again; a limit of our own is told as such."""
    details = {**(found.details or {}), "tries": tries}
    own = _OWN_LIMITS.get(_reason(found) or found.code)
    if own is None:
        return ServiceFailure(found.code, found.message, hints=found.hints, details=details)
    message, hints = own
    return ServiceFailure(found.code, message.format_map(details), hints=hints, details=details)


def too_long(found: Failure) -> ServiceFailure:
    """Return the failure of a job whose input stays too long."""
    return ServiceFailure(
        "INVALID_REQUEST",
        "The input is too long for the model, even with half of the evidence.",
        hints=["Give shorter instructions and key points, or ask for a model that takes longer input."],
        details=found.details,
    )


def _reason(found: Failure) -> str | None:
    return (found.details or {}).get("reason")
