"""Calls to the REST API of a WordPress site, and failed ones as PublishProblem in WordPress' own words."""

import base64
import html
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from app.failures import Failure, failure
from app.infra.http.response import SmallResponse
from app.publishing.targets.base import NOT_DELIVERED, UNKNOWN, Access, PublishProblem
from app.publishing.targets.http_calls import call, details_of, found_in, json_of, problem_of_response

Query = Mapping[str, str | int | Sequence[str]]

HOW_TO_SIGN_IN: Final = (
    "In WordPress, open Users → Profile of this account, make a new application password and enter it here. "
    "The password that the account signs in with does not work."
)
ROLE_NEEDED: Final = (
    "Give the account the role Author, Editor or Administrator in WordPress, or use another account."
)
_MOST_WORDS: Final = 400
_TAG: Final = re.compile(r"<[^<>]*>")
# Codes of plugins that close the API; WordPress itself has none of these.
_CLOSED: Final = re.compile("cannot_access|not_authorized|required|blocked")


@dataclass(frozen=True)
class Api:
    """The REST API of one site. ``root`` is the address that the site names for it."""

    root: str
    access: Access

    def url(self, route: str, query: Query | None = None) -> str:
        """Return the address of a route such as ``wp/v2/posts``."""
        parts = urlsplit(self.root)
        own = dict(parse_qsl(parts.query))
        path = parts.path
        if "rest_route" in own:  # a site without pretty permalinks
            own["rest_route"] = f"{own['rest_route'].rstrip('/')}/{route}"
        else:
            path = f"{path.rstrip('/')}/{route}"
        return urlunsplit((*parts[:2], path, urlencode({**own, **(query or {})}, doseq=True, safe="/"), ""))

    def request(
        self,
        method: str,
        route: str,
        query: Query | None = None,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        is_anonymous: bool = False,
    ) -> SmallResponse:
        """Send a request with the account's credentials; return the response of any status.

        Raises PublishProblem if there is no complete response.
        """
        sent = {"Accept": "application/json", **(headers or {})}
        if not is_anonymous:
            sent["Authorization"] = _basic(self.access)
        return call(self.access, method, self.url(route, query), body, sent)

    def read(self, route: str, query: Query | None = None) -> Any:
        """Return the JSON of a GET. Raises PublishProblem unless the answer is 200."""
        return answer_of(self.request("GET", route, query), 200)

    def send(self, route: str, members: Mapping[str, Any]) -> SmallResponse:
        """Send JSON; return the response of any status. Raises PublishProblem."""
        headers = {"Content-Type": "application/json"}
        return self.request("POST", route, None, json.dumps(members).encode(), headers)


def answer_of(response: SmallResponse, status: int) -> Any:
    """Return the JSON of a response with this status. Raises PublishProblem for every other one.

    Another 2xx status or a text that is not JSON leaves the outcome unknown.
    """
    if response.status != status:
        raise problem_of(response)
    return json_of(response)


def unusable(response: SmallResponse) -> PublishProblem:
    """Return the problem of a success without the object that WordPress sends. Its outcome is unknown."""
    message = "The site answered with success, but not with what WordPress sends."
    return PublishProblem(failure("PUBLISH_ENDPOINT_FAILED", message, details=details_of(response)), UNKNOWN)


def error_of(response: SmallResponse) -> Mapping[str, Any] | None:
    """Return WordPress' error object: ``code``, ``message``, ``data``. None if it is another response."""
    error = found_in(response)
    is_error = isinstance(error, dict) and isinstance(error.get("code"), str)
    return error if is_error and isinstance(error.get("message"), str) else None


def error_code(response: SmallResponse) -> str:
    """Return the code of WordPress' error object, empty if the response has none."""
    error = error_of(response)
    return "" if error is None else str(error["code"])


def problem_of(response: SmallResponse) -> PublishProblem:
    """Return the problem of a response that was not expected, with the target's address, status and words.

    A redirect may come from a proxy or plugin behind which WordPress did what was asked: it is unknown.
    """
    status, error = response.status, error_of(response)
    if not 400 <= status < 500 or status in (408, 429):
        problem = problem_of_response(response)
        return PublishProblem(problem.failure, UNKNOWN if status < 400 else problem.certainty)
    failed = _foreign_failure(status) if error is None else _own_failure(status, error)
    details = details_of(response, None if error is None else _words(error))
    return PublishProblem(replace(failed, details=details), NOT_DELIVERED)


def closed_api(error: Mapping[str, Any]) -> Failure:
    """Return the failure of an API that a plugin closed, in the plugin's words."""
    hints = [
        "Look for a plugin that switches the REST API off or restricts it (security plugins often do), and "
        "allow it for signed-in users."
    ]
    message = f"WordPress' REST API is switched off or closed: “{_words(error)}”"
    return failure("TARGET_API_NOT_FOUND", message, hints=hints)


def _own_failure(status: int, error: Mapping[str, Any]) -> Failure:
    words = _words(error)
    if "disabled" in error["code"] or (status == 403 and _CLOSED.search(error["code"])):
        return closed_api(error)
    if status == 401:
        return failure("TARGET_AUTH", f"WordPress refused the credentials: “{words}”", hints=[HOW_TO_SIGN_IN])
    if status == 403 or _hides_drafts(error):
        message = f"WordPress does not let this account do this: “{words}”"
        return failure("TARGET_FORBIDDEN", message, hints=[ROLE_NEEDED])
    if error["code"] == "rest_no_route":
        return failure("TARGET_API_NOT_FOUND", f"WordPress has no API for posts at this address: “{words}”")
    hint = f"Fix the problem WordPress reported: “{words}” Then publish again."
    return failure("PUBLISH_REJECTED", hints=[hint])


def _hides_drafts(error: Mapping[str, Any]) -> bool:
    """Return whether the account may not list drafts, which WordPress reports as a wrong parameter."""
    data = error.get("data")
    details = data.get("details") if isinstance(data, dict) else None
    status = details.get("status") if isinstance(details, dict) else None
    return isinstance(status, dict) and status.get("code") == "rest_forbidden_status"


def _foreign_failure(status: int) -> Failure:
    if status == 401:
        return failure(
            "TARGET_API_NOT_FOUND",
            "The web server asks for a password of its own before WordPress.",
            hints=["Ask whoever runs the site to let requests to /wp-json/ through without that password."],
        )
    if status in (404, 405, 410):
        return failure("TARGET_API_NOT_FOUND")
    return failure(
        "PUBLISH_ENDPOINT_FAILED",
        f"The site answered with status {status} and a page instead of WordPress' API.",
        hints=[
            "A firewall or a security plugin may block the request. Ask whoever runs the site to allow "
            "requests to WordPress' REST API, then try again."
        ],
    )


def _words(error: Mapping[str, Any]) -> str:
    data = error.get("data")
    params = data.get("params") if isinstance(data, dict) else None
    fields = params.items() if isinstance(params, dict) else ()
    words = " ".join([str(error["message"]), *(f"{name}: {text}" for name, text in fields)])
    return " ".join(html.unescape(_TAG.sub("", words)).split())[:_MOST_WORDS]


def _basic(access: Access) -> str:
    pair = f"{access.settings['username']}:{access.secret or ''}"
    return "Basic " + base64.b64encode(pair.encode()).decode("ascii")
