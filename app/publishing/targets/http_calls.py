"""Calls to a target over HTTP, and failed ones as PublishProblem."""

import json
import re
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from app.failures import Failure, failure
from app.infra.clock import utc_now
from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.http.headers import http_date, retry_after_seconds
from app.infra.http.response import SmallResponse
from app.publishing.targets.base import CALL_SECONDS, NOT_DELIVERED, UNKNOWN, Access, PublishProblem

_MOST_ANSWER_BYTES: Final = 8 * 1024 * 1024
_EXCERPT: Final = 200
_DEFAULT_WAIT: Final = 60
_LONGEST_WAIT: Final = 86_400
_RENEW_CERTIFICATE: Final = "Ask whoever hosts the site to renew or correct its certificate, then try again."
_TIMEOUTS: Final = (FetchErrorKind.TIMEOUT, FetchErrorKind.CONNECT_TIMEOUT)
_MOVED: Final = (301, 307, 308)
_CLOCK_TOLERANCE: Final = 240.0
"""Seconds; signatures are accepted for five minutes."""
_BLANK_OR_CONTROL: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]+")


def call(
    access: Access,
    method: str,
    url: str,
    body: bytes | None = None,
    headers: Mapping[str, str] | None = None,
    *,
    max_bytes: int = _MOST_ANSWER_BYTES,
) -> SmallResponse:
    """Send one request to a target; return the response of any status. Redirects are not followed.

    Raises PublishProblem if there is no complete response.
    """
    seconds = min(CALL_SECONDS, access.http.policy.total_seconds)
    try:
        return access.http.request(method, url, body, headers, total_seconds=seconds, max_bytes=max_bytes)
    except FetchError as error:
        raise problem_of_fetch(error, url) from error


def json_of(response: SmallResponse) -> Any:
    """Return the JSON of a response. Raises PublishProblem, of unknown certainty, for anything else."""
    try:
        return json.loads(response.body)
    except (ValueError, RecursionError):
        raise unusable(response) from None


def found_in(response: SmallResponse, *path: str | int) -> Any:
    """Return what the JSON of a response has at a path, None if it has nothing there or is no JSON."""
    try:
        found = json.loads(response.body)
        for step in path:
            found = found[step]
    except (ValueError, RecursionError, KeyError, IndexError, TypeError):
        return None
    return found


def unusable(response: SmallResponse) -> PublishProblem:
    """Return the problem of a success whose response is not what the target's API answers."""
    return PublishProblem(failure("PUBLISH_ENDPOINT_FAILED", details=details_of(response)), UNKNOWN)


def problem_of_response(response: SmallResponse) -> PublishProblem:
    """Return the problem of a response that is not 2xx.

    A 408 or a 5xx may come from a proxy while the target has the text, and a receiver may redirect to the
    post that it just made: their certainty is unknown. An address that moved did nothing.
    """
    status = response.status
    if status in (401, 403):
        return PublishProblem(failure("TARGET_AUTH", details=details_of(response)), NOT_DELIVERED)
    if status == 429:
        details = {**details_of(response), "retry_after_seconds": _retry_after(response.headers)}
        return PublishProblem(failure("TARGET_RATE_LIMITED", details=details), NOT_DELIVERED)
    if status == 408:
        return PublishProblem(failure("PUBLISH_TIMEOUT", details=details_of(response)), UNKNOWN)
    if 300 <= status < 400:
        message = "The publish target answered with a redirect, and redirects are never followed."
        certainty = NOT_DELIVERED if status in _MOVED else UNKNOWN
        return PublishProblem(rejection(response, message), certainty)
    if 400 <= status < 500:
        return PublishProblem(rejection(response), NOT_DELIVERED)
    return PublishProblem(failure("PUBLISH_ENDPOINT_FAILED", details=details_of(response)), UNKNOWN)


def clock_ahead(response: SmallResponse) -> timedelta:
    """Return how far the clock of a response is ahead of ours; zero if it states no time."""
    now = utc_now()
    return (http_date(response.headers.get("date", "")) or now) - now


def clock_problem(response: SmallResponse, words: str | None = None) -> PublishProblem | None:
    """Return the problem of a refused signature if our clock differs from that of the response, else None."""
    seconds = -round(clock_ahead(response).total_seconds())
    if abs(seconds) < _CLOCK_TOLERANCE:
        return None
    minutes, side = round(abs(seconds) / 60), "ahead of" if seconds > 0 else "behind"
    message = (
        "The publish target refused the signature: "
        f"the clock of this server is {minutes} minutes {side} that of the target."
    )
    details = {**details_of(response, words), "clock_difference_seconds": seconds}
    return PublishProblem(failure("TARGET_CLOCK_DIFFERS", message, details=details), NOT_DELIVERED)


def problem_of_fetch(error: FetchError, url: str) -> PublishProblem:
    """Return the problem of a call to ``url`` without a complete response.

    Only if the request was not sent is it certain that the target does not have the text.
    """
    certainty = UNKNOWN if error.sent else NOT_DELIVERED
    address = {"address": bare_address(url)}
    if error.kind is FetchErrorKind.BLOCKED:
        return PublishProblem(failure("URL_NOT_ALLOWED", error.message, details=address), certainty)
    code = "PUBLISH_TIMEOUT" if error.kind in _TIMEOUTS else "PUBLISH_ENDPOINT_FAILED"
    details = {**address, "reason": error.kind.value, "message": error.message}
    if error.kind is FetchErrorKind.CERTIFICATE:
        return PublishProblem(
            failure(code, error.message, hints=[_RENEW_CERTIFICATE], details=details), certainty
        )
    return PublishProblem(failure(code, details=details), certainty)


def rejection(response: SmallResponse, message: str | None = None, words: str | None = None) -> Failure:
    """Return PUBLISH_REJECTED with the status and the start of the response in its details.

    Without a ``message`` of ours, the hint quotes what the target reported: ``words``, by default the start
    of the response.
    """
    details = details_of(response, words)
    if message is not None:
        return failure("PUBLISH_REJECTED", message, details=details)
    quoted = f", “{details['answer']}”" if details["answer"] else ""
    hint = f"Fix the problem the target reported: status {response.status}{quoted}. Then publish again."
    return failure("PUBLISH_REJECTED", hints=[hint], details=details)


def details_of(response: SmallResponse, words: str | None = None) -> dict[str, object]:
    """Return the details of a failed call: its address without the query, the status and the target's words.

    ``words`` are those that the target reported, by default the start of its response. They are on one line.
    """
    text = response.body[: 8 * _EXCERPT].decode("utf-8", "replace") if words is None else words
    answer = _BLANK_OR_CONTROL.sub(" ", text).strip()[:_EXCERPT]
    return {"address": bare_address(response.url), "status": response.status, "answer": answer}


def bare_address(url: str) -> str:
    """Return a URL without its query, which may have what nobody is to read."""
    return url.partition("?")[0]


def _retry_after(headers: Mapping[str, str]) -> int:
    seconds = retry_after_seconds(headers)
    return _DEFAULT_WAIT if seconds is None else int(min(seconds, _LONGEST_WAIT))
