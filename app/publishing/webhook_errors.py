"""What a webhook's receiver answers when it does not take the post, in our words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from app.failures import Failure, failure
from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.http.headers import retry_after_seconds
from app.infra.http.response import SmallResponse
from app.publishing.base import NOT_DELIVERED, UNKNOWN, PublishProblem

_EXCERPT: Final = 200
_DEFAULT_WAIT: Final = 60
_LONGEST_WAIT: Final = 86_400
_TIMEOUTS: Final = (FetchErrorKind.TIMEOUT, FetchErrorKind.CONNECT_TIMEOUT)
_BLANK_OR_CONTROL: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+")


def problem_of_answer(response: SmallResponse) -> PublishProblem:
    """Judge an answer that is no success. A 5xx or 408 may come from something in front of the receiver."""
    status = response.status
    if status in (401, 403):
        return PublishProblem(failure("TARGET_AUTH", details=_facts(response)), NOT_DELIVERED)
    if status == 429:
        facts = {**_facts(response), "retry_after_seconds": _retry_after(response.headers)}
        return PublishProblem(failure("TARGET_RATE_LIMITED", details=facts), NOT_DELIVERED)
    if status == 408:
        return PublishProblem(failure("PUBLISH_TIMEOUT", details=_facts(response)), UNKNOWN)
    if 300 <= status < 400:
        message = "The publish target answered with a redirect, which is never followed."
        return PublishProblem(rejected(response, message), NOT_DELIVERED)
    if 400 <= status < 500:
        return PublishProblem(rejected(response), NOT_DELIVERED)
    return PublishProblem(failure("PUBLISH_ENDPOINT_FAILED", details=_facts(response)), UNKNOWN)


def problem_of_fetch(error: FetchError) -> PublishProblem:
    """Judge a call without a whole answer: only one that never left is sure to have changed nothing."""
    outcome = UNKNOWN if error.sent else NOT_DELIVERED
    if error.kind is FetchErrorKind.BLOCKED:
        return PublishProblem(failure("URL_NOT_ALLOWED", error.message), outcome)
    code = "PUBLISH_TIMEOUT" if error.kind in _TIMEOUTS else "PUBLISH_ENDPOINT_FAILED"
    return PublishProblem(
        failure(code, details={"reason": error.kind.value, "message": error.message}), outcome
    )


def rejected(response: SmallResponse, message: str | None = None) -> Failure:
    """Return PUBLISH_REJECTED with what the receiver said."""
    return failure("PUBLISH_REJECTED", message, details=_facts(response))


def _facts(response: SmallResponse) -> dict[str, object]:
    text = _BLANK_OR_CONTROL.sub(" ", response.body[: 8 * _EXCERPT].decode("utf-8", "replace")).strip()
    return {"status": response.status, "answer": text[:_EXCERPT]}


def _retry_after(headers: Mapping[str, str]) -> int:
    """Return the seconds until the target wants to be asked again."""
    seconds = retry_after_seconds(headers)
    return _DEFAULT_WAIT if seconds is None else int(min(seconds, _LONGEST_WAIT))
