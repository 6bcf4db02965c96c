"""Requests to Google, and their answers as JSON."""

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlencode

from app.failures import ServiceFailure
from app.infra.http.client import Fetcher
from app.infra.http.errors import FetchError
from app.infra.http.response import SmallResponse
from app.search_performance.google.refusals import refusal

MOST_ANSWER_BYTES: Final = 32 * 1024 * 1024
_FORM: Final = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}


def call(
    http: Fetcher, method: str, url: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> Mapping[str, Any]:
    """Send a request and return the JSON object of its answer. Raises a SEARCH_CONSOLE_… failure."""
    response = send(http, method, url, body, headers)
    if response.status != 200:
        raise refusal(response.status, response.body, response.headers)
    try:
        answer = json.loads(response.body)
    except (ValueError, RecursionError):
        answer = None
    if not isinstance(answer, dict):
        raise unusable()
    return answer


def post_form(http: Fetcher, url: str, fields: Mapping[str, str]) -> Mapping[str, Any]:
    """Post a form and return the JSON object of the answer. Raises a SEARCH_CONSOLE_… failure."""
    return call(http, "POST", url, urlencode(fields).encode(), _FORM)


def send(
    http: Fetcher, method: str, url: str, body: bytes | None = None, headers: Mapping[str, str] | None = None
) -> SmallResponse:
    """Send a request and return the response of any status. Raises SEARCH_CONSOLE_FAILED without one."""
    try:
        return http.request(method, url, body, headers, max_bytes=MOST_ANSWER_BYTES)
    except FetchError as error:
        details = {"reason": error.kind.value, "message": error.message}
        raise ServiceFailure("SEARCH_CONSOLE_FAILED", details=details) from error


def unusable() -> ServiceFailure:
    """Return the failure of a success whose answer is not what Google documents."""
    return ServiceFailure("SEARCH_CONSOLE_FAILED", details={"reason": "unreadable_answer"})
