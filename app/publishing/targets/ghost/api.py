"""Calls to Ghost's Admin API: addresses, tokens, and each answer that is no success as a PublishProblem."""

import hashlib
import hmac
import json
import re
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urljoin

from app.failures import Failure, failure
from app.infra.clock import utc_now
from app.infra.crypto import base64url
from app.infra.http.errors import FetchError
from app.infra.http.redirects import redirect_target
from app.infra.http.response import SmallResponse
from app.infra.urls import InvalidUrl, normalise
from app.publishing.targets.base import NOT_DELIVERED, UNKNOWN, Access, PublishProblem, RemoteStatus
from app.publishing.targets.http_calls import (
    call,
    clock_problem,
    details_of,
    found_in,
    json_of,
    problem_of_response,
    rejection,
    unusable,
)

KEY: Final = re.compile(r"\b([0-9a-f]{24}):([0-9a-f]{64})\b", re.IGNORECASE)
"""An Admin API key: the id of the key, and the secret that signs tokens."""

STATUSES: Final[Mapping[str, RemoteStatus]] = {
    "published": "live",
    "sent": "live",
    "scheduled": "scheduled",
    "draft": "draft",
}

_TEXT_MEMBERS: Final = ("id", "url", "slug", "title", "updated_at")
_TOKEN_SECONDS: Final = 300
_ADMIN_PATH: Final = "ghost/api/admin/"
_NEW_KEY: Final = "Copy the Admin API key of the custom integration in Ghost again, and enter it here."
_CLOCKS: Final = (
    "Ghost says that the signature has expired: the clocks of the two servers differ by more than five "
    "minutes. Ask the host of the site to set its clock."
)
_STRIPPED: Final = (
    "Something in front of Ghost removes the Authorization header. Ask the host of the site to pass it on."
)
_IF_LOGIN: Final = (
    "If it leads to a page to sign in, ask whoever runs the site to let calls to /ghost/api/ through."
)
_BEHIND_LOGIN: Final = (
    "Something in front of Ghost, such as a login page or a firewall, refused the call. Ask the host of the "
    "site to let calls to /ghost/api/ through."
)


def request(
    access: Access,
    method: str,
    path: str,
    body: bytes | None = None,
    content_type: str = "application/json",
    *,
    signed: bool = True,
) -> SmallResponse:
    """Send one request to the Admin API, by default with a new token; return the response of any status.

    ``path`` is relative to the API. Raises PublishProblem if there is no response.
    """
    headers = {"Accept": "application/json", "Accept-Version": "v5.0"}
    if signed:
        headers["Authorization"] = f"Ghost {token(access)}"
    if body is not None:
        headers["Content-Type"] = content_type
    return call(access, method, urljoin(access.settings["url"], _ADMIN_PATH + path), body, headers)


def send(access: Access, method: str, path: str, post: Mapping[str, Any]) -> SmallResponse:
    """Create or change a post; return the response of any status. Raises PublishProblem if there is none."""
    return request(access, method, path, json.dumps({"posts": [post]}, ensure_ascii=False).encode())


def only_post(response: SmallResponse) -> dict[str, Any]:
    """Return the post of a response. Raises PublishProblem if it is no success or has not one post."""
    posts = posts_of(response)
    if len(posts) != 1:
        raise unusable(response)
    return posts[0]


def posts_of(response: SmallResponse) -> list[dict[str, Any]]:
    """Return the posts of a response. Raises PublishProblem if it is no success or cannot be read."""
    if response.status not in (200, 201):
        raise problem_of(response)
    answer = json_of(response)
    posts = answer.get("posts") if isinstance(answer, dict) else None
    if not isinstance(posts, list) or not all(_is_post(post) for post in posts):
        raise unusable(response)
    return posts


def is_gone(response: SmallResponse) -> bool:
    return response.status == 404 and error_of(response).get("type") == "NotFoundError"


def problem_of(response: SmallResponse) -> PublishProblem:
    """Return the problem of a response that is no success, with Ghost's own words."""
    error = error_of(response)
    words = _words(error) or None
    if response.status == 401 or error.get("code") == "INVALID_JWT":
        clocks = clock_problem(response, words) if _is_expired(error) else None
        return clocks or _refused("TARGET_AUTH", response, words, _hint_for_key(error))
    if response.status == 403:
        return _refused("TARGET_FORBIDDEN", response, words, _hint_for_refusal(error))
    if 300 <= response.status < 400:
        return PublishProblem(moved(response), UNKNOWN)
    if response.status == 404 and not error:
        return _refused("TARGET_API_NOT_FOUND", response, words, None)
    if 400 <= response.status < 500 and response.status not in (408, 429):
        return PublishProblem(rejection(response, words=words), NOT_DELIVERED)
    return problem_of_response(response)


def error_of(response: SmallResponse) -> Mapping[str, Any]:
    """Return the first error of Ghost's error response, empty if it is not one."""
    error = found_in(response, "errors", 0)
    return error if isinstance(error, dict) else {}


def moved(response: SmallResponse) -> Failure:
    """Return the failure of a redirect, with the address to enter instead."""
    details = details_of(response, "")
    message = "The target's address leads to another address, and redirects are never followed."
    try:
        target = redirect_target(response.url, response.status, response.headers.get("location"))
        site = site_of(normalise(target or ""))
    except (FetchError, InvalidUrl):
        return failure("TARGET_API_NOT_FOUND", message, details=details)
    hint = f"Enter the address it leads to, if it is your site: {site}"
    hints = [hint] if response.status in (301, 308) else [hint, _IF_LOGIN]
    return failure("TARGET_API_NOT_FOUND", message, hints=hints, details={**details, "redirects_to": site})


def site_of(url: str) -> str:
    """Return the address of the site of a normalised URL in it, such as that of Ghost's editor or its API."""
    before, _, _ = f"{url.partition('?')[0].rstrip('/')}/".partition("/ghost/")
    return f"{before.rstrip('/')}/"


def token(access: Access) -> str:
    """Return a new token: a JWT that Ghost accepts for five minutes. Raises PublishProblem without a key."""
    key = KEY.fullmatch(access.secret or "")
    if key is None:
        problem = failure("TARGET_AUTH", "The target has no Admin API key.", hints=[_NEW_KEY])
        raise PublishProblem(problem, NOT_DELIVERED)
    now = int(utc_now().timestamp())
    header = {"alg": "HS256", "typ": "JWT", "kid": key[1]}
    claims = {"iat": now, "exp": now + _TOKEN_SECONDS, "aud": "/admin/"}
    signed = f"{base64url(_compact(header))}.{base64url(_compact(claims))}"
    signature = hmac.new(bytes.fromhex(key[2]), signed.encode(), hashlib.sha256).digest()
    return f"{signed}.{base64url(signature)}"


def _refused(code: str, response: SmallResponse, words: str | None, hint: str | None) -> PublishProblem:
    hints = None if hint is None else [hint]
    return PublishProblem(failure(code, hints=hints, details=details_of(response, words)), NOT_DELIVERED)


def _hint_for_key(error: Mapping[str, Any]) -> str:
    if not error:
        return _BEHIND_LOGIN
    return _CLOCKS if _is_expired(error) else _NEW_KEY


def _is_expired(error: Mapping[str, Any]) -> bool:
    return "expired" in str(error.get("message"))


def _hint_for_refusal(error: Mapping[str, Any]) -> str | None:
    if not error:
        return _BEHIND_LOGIN
    return _STRIPPED if "authenticated user" in str(error.get("context")) else None


def _is_post(post: Any) -> bool:
    if not isinstance(post, dict) or post.get("status") not in STATUSES:
        return False
    if not all(isinstance(post.get(name), str) and post[name] for name in _TEXT_MEMBERS):
        return False
    try:
        normalise(post["url"])
    except InvalidUrl:
        return False
    return True


def _words(error: Mapping[str, Any]) -> str:
    details = error.get("details")
    fields = details if isinstance(details, list) else []
    said = [error.get("message"), error.get("context")]
    said += [each.get("message") for each in fields if isinstance(each, dict)]
    return " ".join(dict.fromkeys(word for word in said if isinstance(word, str) and word))


def _compact(members: Mapping[str, Any]) -> bytes:
    return json.dumps(members, separators=(",", ":")).encode()
