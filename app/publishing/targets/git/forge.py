"""Calls to a forge's API: addresses, the token, and each answer that is no success as a PublishProblem."""

import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from app.failures import failure
from app.infra.http.response import SmallResponse
from app.publishing.targets.base import NOT_DELIVERED, UNKNOWN, Access, PublishProblem
from app.publishing.targets.http_calls import (
    call,
    details_of,
    found_in,
    json_of,
    problem_of_response,
    rejection,
    unusable,
)

T = TypeVar("T")

_GITHUB: Final = {"Accept": "application/vnd.github+json", "X-GitHub-Api-Version": "2022-11-28"}
_GITEA: Final = {"Accept": "application/json"}
_ENTER_ANOTHER: Final = "Make a new token with write access to the repository's contents, and enter it here."
_SHORTEST_WAIT: Final = 1
_LONGEST_WAIT: Final = 86_400


@dataclass(frozen=True)
class Forge:
    """A repository at a forge. Calls return any response, and raise PublishProblem without one."""

    access: Access

    @property
    def has_pages(self) -> bool:
        """Whether the forge is Gitea or Forgejo, which return trees page by page."""
        return str(self.access.settings["api_url"]).endswith("/api/v1")

    @property
    def creating(self) -> str:
        """The method that creates a file."""
        return "POST" if self.has_pages else "PUT"

    def get(self, path: str) -> SmallResponse:
        return self.request("GET", path)

    def request(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> SmallResponse:
        return self.send(method, f"/repos/{self.access.settings['repository']}{path}", body)

    def send(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> SmallResponse:
        headers = dict(_GITEA if self.has_pages else _GITHUB)
        headers["Authorization"] = f"{'token' if self.has_pages else 'Bearer'} {self.access.secret or ''}"
        data = None if body is None else json.dumps(body).encode()
        if data is not None:
            headers["Content-Type"] = "application/json"
        return call(self.access, method, f"{self.access.settings['api_url']}{path}", data, headers)

    def is_empty(self) -> bool:
        """Return whether the repository has no branch yet."""
        return bool(json_of(succeeded(self.get("/branches?per_page=1&limit=1"))) == [])


def succeeded(response: SmallResponse) -> SmallResponse:
    """Return a response that is a success. Raises PublishProblem for any other."""
    if response.status not in (200, 201):
        raise problem_of(response)
    return response


def member_of(response: SmallResponse, name: str, kind: type[T]) -> T:
    """Return a member of a response's JSON object. Raises PublishProblem if it is not of this type."""
    answer = json_of(response)
    value = answer.get(name) if isinstance(answer, dict) else None
    if not isinstance(value, kind):
        raise unusable(response)
    return value


def problem_of(response: SmallResponse) -> PublishProblem:
    """Return the problem of a response that is no success, with the forge's own words."""
    details = details_of(response, words_of(response))
    if response.status == 401:
        return PublishProblem(failure("TARGET_AUTH", hints=[_ENTER_ANOTHER], details=details), NOT_DELIVERED)
    if response.status in (403, 429) and (seconds := _seconds_to_wait(response.headers)) is not None:
        limited = failure("TARGET_RATE_LIMITED", details={**details, "retry_after_seconds": seconds})
        return PublishProblem(limited, NOT_DELIVERED)
    if response.status in (403, 404):
        return refused(response)
    if 300 <= response.status < 400:
        # Something between here and the forge may redirect after the forge has done what was asked.
        message = "The forge answered with a redirect, and redirects are never followed."
        return PublishProblem(rejection(response, message), UNKNOWN)
    return problem_of_response(response)


def refused(response: SmallResponse) -> PublishProblem:
    """Return the problem of a token that may not do something; forges answer 404 to hide what is there."""
    message = "The token may not do this at the forge, or it does not see the repository."
    details = details_of(response, words_of(response))
    failed = failure("TARGET_FORBIDDEN", message, hints=[_ENTER_ANOTHER], details=details)
    return PublishProblem(failed, NOT_DELIVERED)


def words_of(response: SmallResponse) -> str | None:
    """Return the message of an error response, None if it is not one of a forge."""
    message = found_in(response, "message")
    return message if isinstance(message, str) else None


def _seconds_to_wait(headers: Mapping[str, str]) -> int | None:
    wait = headers.get("retry-after", "").strip()
    if not wait.isdecimal() and headers.get("x-ratelimit-remaining", "").strip() == "0":
        reset = headers.get("x-ratelimit-reset", "").strip()
        wait = str(max(0, int(reset) - int(time.time()))) if reset.isdecimal() else "60"
    return max(_SHORTEST_WAIT, min(int(wait), _LONGEST_WAIT)) if wait.isdecimal() else None
