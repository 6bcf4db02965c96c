"""The reason why a provider failed, and what users read about it."""

from collections.abc import Sequence
from typing import Final

from app.failures import Failure, ServiceFailure
from app.infra.clock import from_now

_ABOUT_ONE_QUESTION: Final = frozenset(
    {"PROVIDER_FAILED", "PROVIDER_TIMEOUT", "CONTENT_REJECTED", "INVALID_REQUEST"}
)

_KEPT: Final = "answers that arrived are kept."
_RETRY: Final = f"Retry the job: {_KEPT}"
_SHORTER: Final = "Choose a shorter length (length, target_words) or fewer sections (outline)."
_UNREADABLE: Final = (
    "The text provider's answer did not have the form that was asked for.",
    (_RETRY, "For the operator: if it happens again, choose another model than {model} ({setting})."),
)
_EXPLAINED: Final = {
    "call_limit": (
        "The job used up the {limit} calls to the text provider that it may make.",
        (_SHORTER, _RETRY),
    ),
    "token_limit": (
        "The next question would exceed the {limit:,} tokens of the text provider that a job may take.",
        (_SHORTER, "Give shorter instructions and key points.", _RETRY),
    ),
    "too_long": (
        "One answer of the model grew longer than any post, so it was abandoned.",
        (_RETRY, "For the operator: if it happens again, choose another model than {model} ({setting})."),
    ),
    "connection": (
        "The text provider could not be reached, or the connection to it broke.",
        (_RETRY, "For the operator: if it happens again, check that the workers reach {provider}."),
    ),
    "broken_output": _UNREADABLE,
    "wrong_schema": _UNREADABLE,
    "truncated": (
        "The model's answer was cut off before its end.",
        (
            _SHORTER,
            "For the operator: choose a model with a larger output or window than {model} ({setting}).",
        ),
    ),
    "PROVIDER_TIMEOUT": (
        "The text provider did not finish in the time that one call may take.",
        (
            _RETRY,
            _SHORTER,
            "For the operator: if it happens again, choose a faster model than {model} ({setting}).",
        ),
    ),
}
"""What is said of some reasons and codes: the message, and hints what to change."""


def code_and_reason(found: Failure) -> str:
    """Return a failure's code, with its reason if it has one."""
    reason = _reason(found)
    return f"{found.code}, {reason}" if reason else found.code


def why_no_text(found: Failure) -> str:
    """Return why the model wrote nothing, in words for people and without a full stop."""
    return found.message.rstrip(".")


def is_too_long(found: Failure) -> bool:
    """Return whether the question was too long for the model."""
    return _reason(found) == "context_length"


def is_cut(found: Failure) -> bool:
    """Return whether the answer was cut: it shares the model's window with the question."""
    return _reason(found) == "truncated"


def is_own_limit(found: Failure) -> bool:
    """Return whether the job reached its limit of calls or tokens, so that no call was made."""
    return _reason(found) in {"call_limit", "token_limit"}


def is_about_one_question(found: Failure) -> bool:
    """Return whether other questions of the job may still succeed: no refused key, no cancel."""
    return found.code in _ABOUT_ONE_QUESTION


def final_failure(found: Failure, tries: int, setting: str) -> ServiceFailure:
    """Return the failure of a question that is not retried; ``setting`` names the question's model."""
    details = {**(found.details or {}), "tries": tries}
    explained = _EXPLAINED.get(_reason(found) or found.code)
    if explained is None:
        return ServiceFailure(found.code, found.message, hints=_hints(found), details=details)
    message, hints = explained
    known = {**details, "setting": setting}
    return ServiceFailure(
        found.code,
        message.format_map(known),
        hints=[hint.format_map(known) for hint in hints],
        details=details,
    )


def job_timed_out() -> ServiceFailure:
    """Return the failure of a job whose time ended while it needed an answer."""
    operator = (
        "For the operator: if it happens again, raise JOB_DEADLINE, or choose a faster model (LLM_MODEL)."
    )
    return ServiceFailure("JOB_TIMEOUT", hints=(_RETRY, _SHORTER, operator))


def input_too_long(found: Failure, setting: str, *, was_shortened: bool) -> ServiceFailure:
    """Return the failure of a job with a question that is too long for its model, which ``setting`` names."""
    message = "The model cannot read as much text at once as this post needs"
    even = ", even with half of the passages from the pages" if was_shortened else ""
    details = found.details or {}
    return ServiceFailure(
        "INVALID_REQUEST",
        f"{message}{even}.",
        hints=[
            _SHORTER,
            "Give shorter instructions and key points.",
            f"For the operator: choose a model with a larger window than {details['model']} ({setting}).",
        ],
        details=details,
    )


def _hints(found: Failure) -> Sequence[str]:
    """Return a failure's hints; the first one, to retry, names the time that the provider asks to wait."""
    seconds = (found.details or {}).get("retry_after_seconds")
    return (f"Retry the job {from_now(seconds)}: {_KEPT}", *found.hints[1:]) if seconds else found.hints


def _reason(found: Failure) -> str | None:
    return (found.details or {}).get("reason")
