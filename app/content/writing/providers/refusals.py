"""What a provider's error means: its HTTP status, its codes and its message."""

import math
import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from app.infra.http.headers import retry_after_seconds

_REFUSED_PARAMETERS: Final = frozenset({400, 422})
_CREDIT_CODES: Final = frozenset(
    {
        "insufficient_quota",
        "credit_balance_exhausted",
        "organization_spend_limit_exceeded",
        "organization_usage_limit_exceeded",
        "project_spend_limit_exceeded",
        "billing_hard_limit_reached",
        "billing_not_active",
        "insufficient_credits",
        "billing_error",
        "enforced_spend_limit_reached",
        "contract_spend_limit_reached",
        "linked_organization_spend_limit_reached",
        "linked_organization_billing_unavailable",
    }
)
_CREDIT_WORDS: Final = re.compile(
    r"credit balance is too low|reached your specified (?:workspace )?API usage limits", re.IGNORECASE
)
_STATUSES: Final = {
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "invalid_api_key": 401,
    "authentication_error": 401,
    "permission_error": 403,
    "model_not_found": 404,
    "not_found_error": 404,
    "request_too_large": 413,
}
"""The HTTP status that belongs to a code, for errors in a stream and those that come with a plain 400."""

_KEY_WORDS: Final = re.compile(r"API key not valid", re.IGNORECASE)
CONTENT_FILTER: Final = "content_filter"
_POLICY_CODES: Final = frozenset({CONTENT_FILTER, "content_policy_violation"})
_POLICY_WORDS: Final = re.compile(r"content filtering policy", re.IGNORECASE)
_CONTEXT_CODES: Final = frozenset(
    {
        "context_length_exceeded",
        "context_window_exceeded",
        "exceed_context_size_error",
        "request_too_large",
        "request_body_too_large_after_decoding",
    }
)
_CONTEXT_WORDS: Final = re.compile(
    r"context (?:length|window|size|limit)|maximum context|too many tokens|prompt is too long", re.IGNORECASE
)

_REASONS_IN_STREAMS: Final = {
    "CONTENT_REJECTED": CONTENT_FILTER,
    "PROVIDER_CREDIT_EXHAUSTED": "credit_exhausted",
    "PROVIDER_AUTH": "key_refused",
    "PROVIDER_RATE_LIMITED": "rate_limit",
    "PROVIDER_REJECTED": "request_refused",
    "PROVIDER_FAILED": "server_error",
}
"""What an error in a stream means, by the code of our failure: it has no HTTP status that says so."""


class Refused(Exception):
    """Raised when a server answers with an error; ``code`` and ``details`` are those of our failure.

    ``is_parameter`` is true when the server may have refused a parameter. The server's message is left out,
    because some servers repeat the key or the prompt in it.
    """

    def __init__(self, code: str, *, is_parameter: bool = False, **details: Any) -> None:
        super().__init__(code)
        self.code = code
        self.is_parameter = is_parameter
        self.details = details


def is_flagged(body: object) -> bool:
    """Return whether the body of an error says that moderation flagged the question, as OpenRouter's do."""
    metadata = body.get("metadata") if isinstance(body, Mapping) else None
    return isinstance(metadata, Mapping) and bool(metadata.get("reasons"))


def refused(status: int, names: Collection[str], message: str, headers: Mapping[str, str]) -> Refused:
    """Return the meaning of an HTTP error; ``names`` are its codes and types."""
    meant = _status_of(names, message, otherwise=400) if status == 400 else status
    code, reason = _meaning(meant, names, message)
    is_parameter = code == "PROVIDER_REJECTED" and meant in _REFUSED_PARAMETERS and not reason
    return Refused(code, is_parameter=is_parameter, http_status=status, **reason, **_wait(headers))


def refused_in_stream(names: Collection[str], message: str) -> Refused:
    """Return the meaning of an error that arrived as an event of a stream."""
    code, reason = _meaning(_status_of(names, message, otherwise=500), names, message)
    return Refused(code, reason=reason.get("reason", _REASONS_IN_STREAMS[code]))


def _meaning(status: int, names: Collection[str], message: str) -> tuple[str, dict[str, str]]:
    """Return the failure code of an error, and its reason if known."""
    if not _POLICY_CODES.isdisjoint(names) or _POLICY_WORDS.search(message):
        return "CONTENT_REJECTED", {}
    if status == 402 or not _CREDIT_CODES.isdisjoint(names) or _CREDIT_WORDS.search(message):
        return "PROVIDER_CREDIT_EXHAUSTED", {}
    if status in {401, 403}:
        return "PROVIDER_AUTH", {}
    if status == 429:
        return "PROVIDER_RATE_LIMITED", {}
    if status == 413 or not _CONTEXT_CODES.isdisjoint(names) or _CONTEXT_WORDS.search(message):
        return "PROVIDER_REJECTED", {"reason": "context_length"}
    return "PROVIDER_FAILED" if status >= 500 else "PROVIDER_REJECTED", {}


def _status_of(names: Collection[str], message: str, *, otherwise: int) -> int:
    """Return the HTTP status that belongs to the codes of an error, or to its message."""
    for name in names:
        if re.fullmatch("[45][0-9]{2}", name):
            return int(name)
        if name in _STATUSES:
            return _STATUSES[name]
    return 401 if _KEY_WORDS.search(message) else otherwise


def _wait(headers: Mapping[str, str]) -> dict[str, int]:
    """Return the whole seconds that the provider asks to wait, if any."""
    seconds = retry_after_seconds({name.lower(): value for name, value in headers.items()})
    return {} if seconds is None else {"retry_after_seconds": math.ceil(seconds)}
