"""The REST API of a WordPress site: where it is, and the calls about posts.

Its address is always discovered (sites without pretty permalinks have another one than the rest), and nothing
is sent with credentials but to the site's own domain. Redirects of calls are never followed.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self
from urllib.parse import urlencode

from bs4 import BeautifulSoup

from app.failures import failure
from app.infra.http import FetchError, Response, SmallResponse
from app.infra.urls import InvalidUrl, normalise, same_site
from app.publishing.answers import problem_of_answer, problem_of_fetch, rejected
from app.publishing.base import CALL_SECONDS, NOTHING_THERE, UNKNOWN, Access, PublishProblem

_REL: Final = "https://api.w.org/"
_LINK: Final = re.compile(r'<([^<>]+)>\s*;[^,]*rel="?' + re.escape(_REL) + '"?')
_MOST_BYTES: Final = 4_000_000
_FIELDS: Final = "id,status,slug,link,content"
_NOT_WORDPRESS: Final = (
    "Open the site in a browser and check that the address is that of the WordPress site itself.",
    "Check that no plugin turns the REST API off.",
)
_CREDENTIALS: Final = (
    "Make a new application password in WordPress under Users, Profile, and give it to the target.",
    "Check that the user name is right and that the user may publish posts.",
)


@dataclass(frozen=True)
class RemotePost:
    """A post as WordPress has it; ``content`` is the text as it is stored."""

    id: int
    status: str
    slug: str
    link: str
    content: str

    @classmethod
    def of(cls, data: Any) -> Self:
        """Read a post of the API. Raises KeyError, TypeError or ValueError."""
        post = cls(int(data["id"]), data["status"], data["slug"], data["link"], data["content"]["raw"])
        if not all(isinstance(text, str) for text in (post.status, post.slug, post.link, post.content)):
            raise ValueError("not a post")
        return post


class WordPressApi:
    """The calls, made as one user with an application password."""

    def __init__(self, access: Access, named: str | None) -> None:
        """``named`` is what ``named_root`` returned. Raises PublishProblem when it may not be called."""
        self._http = access.http
        self._root = _checked_root(access.settings["url"], named)
        pair = f"{access.settings['username']}:{access.secret or ''}"
        self._authorization = "Basic " + base64.b64encode(pair.encode()).decode("ascii")

    @classmethod
    def discover(cls, access: Access) -> Self:
        """Find the API of the site. Raises PublishProblem."""
        return cls(access, named_root(access))

    def capabilities(self) -> frozenset[str]:
        """Return what the user that the credentials belong to may do."""
        answer = self._call("GET", "wp/v2/users/me", {"context": "edit"})
        granted = answer.get("capabilities") if isinstance(answer, dict) else None
        if not isinstance(granted, dict):
            raise _unreadable()
        return frozenset(name for name, is_granted in granted.items() if is_granted)

    def search(self, text: str) -> list[RemotePost]:
        """Return posts of any status but those in the trash that hold a text."""
        query = {"search": text, "status": "any", "context": "edit", "_fields": _FIELDS}
        answer = self._call("GET", "wp/v2/posts", query)
        if not isinstance(answer, list):
            raise _unreadable()
        return [_read(data) for data in answer]

    def create(self, fields: Mapping[str, Any]) -> RemotePost:
        """Create a post; return it as WordPress has it: its slug may be another one."""
        return _read(self._call("POST", "wp/v2/posts", fields=fields))

    def change(self, post_id: int, fields: Mapping[str, Any]) -> RemotePost:
        """Change a post; the same change twice is one."""
        return _read(self._call("POST", f"wp/v2/posts/{post_id}", fields=fields))

    def delete(self, post_id: int) -> None:
        """Delete a post for good; one that is gone is fine."""
        self._remove(post_id, {"force": "true"})

    def trash(self, post_id: int) -> None:
        """Move a post to the trash, which frees its slug; one that is gone, or there already, is fine."""
        self._remove(post_id, {})

    def _remove(self, post_id: int, query: Mapping[str, str]) -> None:
        response = self._send("DELETE", f"wp/v2/posts/{post_id}", query)
        if response.status not in (200, 404, 410):
            raise _problem(response)

    def _call(
        self,
        method: str,
        path: str,
        query: Mapping[str, str] | None = None,
        fields: Mapping[str, Any] | None = None,
    ) -> Any:
        response = self._send(method, path, query or {}, fields)
        if response.status not in (200, 201):
            raise _problem(response)
        try:
            return json.loads(response.body)
        except (ValueError, RecursionError):
            raise _unreadable(response) from None

    def _send(
        self, method: str, path: str, query: Mapping[str, str], fields: Mapping[str, Any] | None = None
    ) -> SmallResponse:
        headers = {"Accept": "application/json", "Authorization": self._authorization}
        body = None
        if fields is not None:
            headers["Content-Type"] = "application/json"
            body = json.dumps(fields).encode()
        url = self._root + path
        if query:
            # Without pretty permalinks the path itself is a part of the query.
            url += ("&" if "?" in self._root else "?") + urlencode(query)
        try:
            return self._http.send(
                method, url, body, headers, max_bytes=_MOST_BYTES,
                total_seconds=min(CALL_SECONDS, self._http.policy.total_seconds),
            )  # fmt: skip
        except FetchError as error:
            raise problem_of_fetch(error) from error


def named_root(access: Access) -> str | None:
    """Return the address of the API that a site names, None when it names none. Raises PublishProblem.

    It stands in the Link header and, where a cache has dropped that, in the page.
    """
    seconds = min(CALL_SECONDS, access.http.policy.total_seconds)
    try:
        with access.http.get(
            access.settings["url"], max_bytes=_MOST_BYTES, total_seconds=seconds
        ) as response:
            if response.status != 200:
                raise problem_of_answer(_without_body(response))
            return _named_in(response)
    except FetchError as error:
        raise problem_of_fetch(error) from error


def _named_in(response: Response) -> str | None:
    for value in response.each("link"):
        if found := _LINK.search(value):
            return found[1]
    link = BeautifulSoup(response.read(), "html.parser").select_one(f'link[rel="{_REL}"][href]')
    return str(link["href"]) if link is not None else None


def _checked_root(site: str, named: str | None) -> str:
    """Return where credentials may be sent: to the site's own domain, and by https if the site has it."""
    try:
        root = normalise(named, site) if named else None
    except InvalidUrl:
        root = None
    message = None
    if root is None:
        message = "No WordPress REST API was found at this address."
    elif not same_site(site, root) or (site.startswith("https:") and not root.startswith("https:")):
        message = "The site names a WordPress REST API at another domain, or without https."
    if root is None or message is not None:
        raise PublishProblem(failure("PUBLISH_REJECTED", message, hints=_NOT_WORDPRESS), NOTHING_THERE)
    return root


def _without_body(response: Response) -> SmallResponse:
    return SmallResponse(response.status, response.headers, b"", response.url)


def _problem(response: SmallResponse) -> PublishProblem:
    """Judge an answer that is no success; one who is not signed in may not even ask for drafts (400)."""
    problem = problem_of_answer(response)
    if response.status not in (401, 403) and b"rest_forbidden_status" not in response.body:
        return problem
    named = failure("TARGET_AUTH", details=problem.failure.details, hints=_CREDENTIALS)
    return PublishProblem(named, problem.outcome)


def _read(data: Any) -> RemotePost:
    try:
        return RemotePost.of(data)
    except (KeyError, TypeError, ValueError):
        raise _unreadable() from None


def _unreadable(response: SmallResponse | None = None) -> PublishProblem:
    message = "The site's answer is not that of WordPress."
    told = rejected(response, message) if response else failure("PUBLISH_REJECTED", message)
    return PublishProblem(told, UNKNOWN)
