"""What the dashboard says where the words of the catalogue are for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.failures import CATALOGUE

_MESSAGES: Final[Mapping[str, str]] = {
    "MISSING_IDEMPOTENCY_KEY": "The form is not complete.",
    "INVALID_IDEMPOTENCY_KEY": "The form is not complete.",
    "IDEMPOTENCY_KEY_CONFLICT": "This form was sent already.",
}
_HINTS: Final[Mapping[str, str]] = {
    "MISSING_IDEMPOTENCY_KEY": "Reload the page and send the form again.",
    "INVALID_IDEMPOTENCY_KEY": "Reload the page and send the form again.",
    "IDEMPOTENCY_KEY_CONFLICT": "Reload the page and send the form again.",
    "PUBLISH_QUALITY_GATE_BLOCKED": "Mend the findings listed here, then publish again.",
    "POST_CHANGED": "Look at the post as it is now, then decide again.",
    "PROPOSAL_SETTLED": "Open the post to see whether another new text waits.",
    "PROJECT_ALREADY_EXISTS": "Go on with that project.",
    "ROLLBACK_NOT_SUPPORTED": "Only jobs that generate a post can be rolled back.",
    "INVALID_REQUEST": "Correct what is named here, then send it again.",
    "RATE_LIMITED": "Wait a little, then try again.",
    "PUBLISH_REJECTED": "Mend what the target objects to, in its settings or the post, then publish again.",
    "PROVIDER_RATE_LIMITED": "Retry the job in a few minutes.",
    "TARGET_RATE_LIMITED": "Publish again in a few minutes.",
}


def in_plain_words(failure: Mapping[str, Any]) -> dict[str, Any]:
    """Return a failure object as the dashboard says it; words made for this very case stay."""
    told, code = dict(failure), str(failure.get("code"))
    kind = CATALOGUE.get(code)
    if kind is None:
        return told
    if told.get("message") == kind.message:
        told["message"] = _MESSAGES.get(code, kind.message)
    if code in _HINTS and told.get("remediation_hints") == list(kind.hints):
        told["remediation_hints"] = [_HINTS[code]]
    return told
