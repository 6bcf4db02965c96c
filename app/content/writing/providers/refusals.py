"""What the refusals of a model's server mean: its statuses, its codes and its words."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from app.infra.http.headers import retry_after_seconds

_REFUSED_PARAMETERS: Final = frozenset({400, 422})
_CREDIT_CODES: Final = frozenset(
    {
        "insufficient_quota", "billing_hard_limit_reached", "insufficient_credits", "billing_error",
        "enforced_spend_limit_reached", "contract_spend_limit_reached",
        "linked_organization_spend_limit_reached", "linked_organization_billing_unavailable",
    }
)  # fmt: skip
_CREDIT_WORDS: Final = re.compile(r"credit balance is too low", re.IGNORECASE)
_STATUS_OF: Final = {
    "rate_limit_exceeded": 429, "rate_limit_error": 429, "invalid_api_key": 401, "authentication_error": 401,
    "permission_error": 403, "model_not_found": 404, "not_found_error": 404, "request_too_large": 413,
}  # fmt: skip
_POLICY_CODES: Final = frozenset({"content_filter", "content_policy_violation"})
_POLICY_WORDS: Final = re.compile(r"content filtering policy", re.IGNORECASE)
_CONTEXT_CODES: Final = frozenset(
    {
        "context_length_exceeded", "context_window_exceeded", "exceed_context_size_error",
        "request_too_large", "request_body_too_large_after_decoding",
    }
)  # fmt: skip
_CONTEXT_WORDS: Final = re.compile(
    r"context (?:length|window|size|limit)|maximum context|too many tokens|prompt is too long", re.IGNORECASE
)


class Refused(Exception):
    """Raised for what a server answered instead of a text; ``code`` and ``details`` are of the failure.

    ``is_parameter`` tells that it may have refused how it was asked, and not what. Holds nothing of the
    server's words: some repeat the key or the prompt.
    """

    def __init__(self, code: str, *, is_parameter: bool = False, **details: Any) -> None:
        super().__init__(code)
        self.code = code
        self.is_parameter = is_parameter
        self.details = details


def refused(status: int, names: Collection[str], words: str, headers: Mapping[str, str]) -> Refused:
    """Return what a refusal with a status means; ``names`` are the codes and types it bears."""
    code, reason = _meaning(status, names, words)
    is_known = code in {"CONTENT_REJECTED", "PROVIDER_CREDIT_EXHAUSTED"} or bool(reason)
    is_parameter = status in _REFUSED_PARAMETERS and not is_known
    return Refused(code, is_parameter=is_parameter, http_status=status, **reason, **_wait(headers))


def refused_amid(names: Collection[str], words: str) -> Refused:
    """Return what an error means that came as an event of a stream."""
    code, reason = _meaning(_status_amid(names), names, words)
    return Refused(code, reason=reason.get("reason", "server_error"))


def _meaning(status: int, names: Collection[str], words: str) -> tuple[str, dict[str, str]]:
    """Return the failure code of a refusal, and its reason where it is known."""
    if not _POLICY_CODES.isdisjoint(names) or _POLICY_WORDS.search(words):
        return "CONTENT_REJECTED", {}
    if status == 402 or not _CREDIT_CODES.isdisjoint(names) or _CREDIT_WORDS.search(words):
        return "PROVIDER_CREDIT_EXHAUSTED", {}
    if status in {401, 403}:
        return "PROVIDER_AUTH", {}
    if status == 429:
        return "PROVIDER_RATE_LIMITED", {}
    if status == 413 or not _CONTEXT_CODES.isdisjoint(names) or _CONTEXT_WORDS.search(words):
        return "PROVIDER_REJECTED", {"reason": "context_length"}
    return "PROVIDER_FAILED" if status >= 500 else "PROVIDER_REJECTED", {}


def _status_amid(names: Collection[str]) -> int:
    """Return the status that an error amid a stream would have had as a refusal."""
    for name in names:
        if re.fullmatch("[45][0-9]{2}", name):
            return int(name)
        if name in _STATUS_OF:
            return _STATUS_OF[name]
    return 500


def _wait(headers: Mapping[str, str]) -> dict[str, int]:
    """Return the whole seconds that the provider asks to wait, if it does."""
    seconds = retry_after_seconds({name.lower(): value for name, value in headers.items()})
    return {} if seconds is None else {"retry_after_seconds": math.ceil(seconds)}
