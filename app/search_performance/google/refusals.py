"""What an error response of Google means. Pure.

Google's own words are left out of failures, because they may repeat what was sent.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from app.failures import ServiceFailure
from app.infra.http.headers import retry_after_seconds

_RATES: Final = frozenset(
    {
        "quotaExceeded",
        "rateLimitExceeded",
        "userRateLimitExceeded",
        "dailyLimitExceeded",
        "RATE_LIMIT_EXCEEDED",
        "RESOURCE_EXHAUSTED",
    }
)
_GRANTS: Final = frozenset({"invalid_grant", "insufficientPermissions", "ACCESS_TOKEN_SCOPE_INSUFFICIENT"})
_CLIENTS: Final = frozenset({"invalid_client", "accessNotConfigured", "SERVICE_DISABLED"})
_REASON: Final = re.compile(r"[A-Za-z_]{1,60}", re.ASCII)
_LONGEST_WAIT: Final = 86_400


def refusal(status: int, body: bytes, headers: Mapping[str, str]) -> ServiceFailure:
    """Return the failure of a response that is no success, with its status and Google's reason as details.

    Quotas are refused with 403 by some of Google's servers, so the reason counts more than the status.
    """
    reasons = list(dict.fromkeys(_reasons(body)))
    details: dict[str, Any] = {"http_status": status, "reason": reasons[0] if reasons else None}
    seconds = retry_after_seconds(headers)
    if seconds is not None:
        details["retry_after_seconds"] = math.ceil(min(seconds, _LONGEST_WAIT))
    return ServiceFailure(_code(status, frozenset(reasons)), details=details)


def _code(status: int, reasons: frozenset[str]) -> str:
    if status == 429 or reasons & _RATES:
        return "SEARCH_CONSOLE_RATE_LIMITED"
    if reasons & _CLIENTS:
        return "SEARCH_CONSOLE_REJECTED"
    if status == 401 or reasons & _GRANTS:
        return "SEARCH_CONSOLE_AUTH"
    if status in (403, 404):
        return "SEARCH_CONSOLE_FORBIDDEN"
    if status == 408 or status >= 500 or status < 400:
        return "SEARCH_CONSOLE_FAILED"
    return "SEARCH_CONSOLE_REJECTED"


def _reasons(body: bytes) -> Iterator[str]:
    """Yield the reasons that an error names, in the form of OAuth or of Google's older or newer APIs."""
    try:
        error = json.loads(body)["error"]
    except (ValueError, RecursionError, KeyError, TypeError):
        return
    named: list[Any] = [error]
    if isinstance(error, dict):
        nested = [*_list(error.get("errors")), *_list(error.get("details"))]
        named = [*(each.get("reason") for each in nested if isinstance(each, dict)), error.get("status")]
    yield from (each for each in named if isinstance(each, str) and _REASON.fullmatch(each))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
