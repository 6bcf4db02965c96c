"""What the refusals of a server of chat completions mean: its statuses, its codes and its words."""

from __future__ import annotations

import re
from typing import Final

import openai

_REFUSED_PARAMETERS: Final = frozenset({400, 422})
_CREDIT_CODES: Final = frozenset({"insufficient_quota", "billing_hard_limit_reached", "insufficient_credits"})
_STATUS_OF: Final = {
    "rate_limit_exceeded": 429, "rate_limit_error": 429, "invalid_api_key": 401, "authentication_error": 401,
    "permission_error": 403, "model_not_found": 404,
}  # fmt: skip
_POLICY_CODES: Final = frozenset({"content_filter", "content_policy_violation"})
_CONTEXT_CODES: Final = frozenset(
    {"context_length_exceeded", "context_window_exceeded", "exceed_context_size_error"}
)
_CONTEXT_WORDS: Final = re.compile(
    r"context (?:length|window|size)|maximum context|too many tokens", re.IGNORECASE
)


def meaning(error: openai.APIError, status: int) -> tuple[str, dict[str, str]]:
    """Return the failure code of a refusal, and its reason where it is known."""
    if _is_named(error, _POLICY_CODES):
        return "CONTENT_REJECTED", {}
    if status == 402 or _is_named(error, _CREDIT_CODES):
        return "PROVIDER_CREDIT_EXHAUSTED", {}
    if status in {401, 403}:
        return "PROVIDER_AUTH", {}
    if status == 429:
        return "PROVIDER_RATE_LIMITED", {}
    if _is_context_length(error):
        return "PROVIDER_REJECTED", {"reason": "context_length"}
    return "PROVIDER_FAILED" if status >= 500 else "PROVIDER_REJECTED", {}


def status_amid(error: openai.APIError) -> int:
    """Return the status that an error amid a stream would have had as a refusal."""
    code = str(error.code)
    if re.fullmatch("[45][0-9]{2}", code):
        return int(code)
    return _STATUS_OF.get(code) or _STATUS_OF.get(str(error.type), 500)


def is_refused_parameter(error: openai.APIStatusError) -> bool:
    """Tell whether a server may have refused how it was asked, and not what."""
    known = _is_named(error, _POLICY_CODES | _CREDIT_CODES) or _is_context_length(error)
    return error.status_code in _REFUSED_PARAMETERS and not known


def _is_context_length(error: openai.APIError) -> bool:
    return _is_named(error, _CONTEXT_CODES) or bool(_CONTEXT_WORDS.search(error.message))


def _is_named(error: openai.APIError, codes: frozenset[str]) -> bool:
    """Tell whether an error bears one of these codes; servers use its type for them too, and numbers."""
    return not codes.isdisjoint((str(error.code), str(error.type)))
