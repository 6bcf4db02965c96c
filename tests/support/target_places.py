"""Places that a project publishes to through a gateway, and what they have afterwards."""

from __future__ import annotations

import base64
import http.client
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, Protocol
from urllib.parse import quote, urlsplit

from app.infra.http.client import Fetcher
from app.infra.http.response import FetchPolicy
from app.publishing.targets.base import Access
from app.publishing.targets.ghost import api as ghost_api
from tests.support.gateway import Forward, Gateway, Matches, to_site
from tests.support.ghost_site import GhostSite
from tests.support.servers import Reply, Request
from tests.support.wordpress_site import OPTIONS, WordPressSite

_PUBLISHER: Final = "author"


class Shown(NamedTuple):
    """A post as a place has it."""

    title: str
    is_live: bool
    text: str


class Place(Protocol):
    """A target with a ``gateway`` in front of it. ``steps`` are the writes of a job; each is one call.

    ``patience`` is longer than one call takes, in seconds. ``posts`` has those whose titles begin so.
    """

    kind: str
    settings: dict[str, str]
    secret: str | None
    gateway: Gateway
    steps: Mapping[str, Matches]
    patience: float

    def posts(self, titles: str) -> list[Shown]: ...

    def remove(self, titles: str) -> None: ...


@dataclass
class WordPressPlace:
    """A WordPress site whose search finds nothing."""

    url: str
    username: str
    secret: str | None
    patience: float
    kind = "wordpress"

    def __post_init__(self) -> None:
        forward = to_site(urlsplit(self.url).netloc)
        self.gateway = Gateway(_with_options(forward, "no_search"))
        self.settings = {"url": f"{self.gateway.url}/", "username": self.username}
        self.steps = {
            "upload": lambda request: _is_sent(request, "POST", "/wp/v2/media"),
            "create": lambda request: _is_sent(request, "POST", "/wp/v2/posts"),
            "publish": _is_change,
            "update": _is_change,
            "unpublish": _is_change,
            "delete": lambda request: request.method == "DELETE",
        }

    def posts(self, titles: str) -> list[Shown]:
        """Return what an editor sees in the site's list."""
        return [
            Shown(post["title"]["raw"], post["status"] in ("publish", "future"), post["content"]["raw"])
            for post in self._rows(titles)
        ]

    def remove(self, titles: str) -> None:
        """Delete the posts and their pictures."""
        for post in list(self._rows(titles)):
            self._call("DELETE", f"posts/{post['id']}?force=true")
            if post.get("featured_media"):
                self._call("DELETE", f"media/{post['featured_media']}?force=true")

    def _rows(self, titles: str) -> Iterator[dict[str, Any]]:
        for page in range(1, 100):
            rows = self._call("GET", f"posts?status=any&context=edit&per_page=100&page={page}")
            if not isinstance(rows, list):  # the last page was full
                return
            yield from (row for row in rows if row["title"]["raw"].startswith(titles))
            if len(rows) < 100:
                return

    def _call(self, method: str, route: str) -> Any:
        pair = base64.b64encode(f"{self.username}:{self.secret}".encode()).decode()
        return _json(self.url, method, f"/wp-json/wp/v2/{route}", {"Authorization": f"Basic {pair}"})


@dataclass
class GhostPlace:
    """A site of Ghost."""

    url: str
    secret: str | None
    patience: float
    kind = "ghost"

    def __post_init__(self) -> None:
        self.gateway = Gateway(to_site(urlsplit(self.url).netloc))
        self.settings = {"url": f"{self.gateway.url}/"}
        self.steps = {
            "upload": lambda request: _is_sent(request, "POST", "/images/upload/"),
            "create": lambda request: _is_sent(request, "POST", "/posts/"),
            "publish": lambda request: request.method == "PUT",
            "update": lambda request: request.method == "PUT",
            "unpublish": lambda request: request.method == "PUT",
            "delete": lambda request: request.method == "DELETE",
        }

    def posts(self, titles: str) -> list[Shown]:
        """Return what the owner sees in the site's list."""
        return [
            Shown(post["title"], post["status"] in ("published", "sent", "scheduled"), post["html"] or "")
            for post in self._rows(titles)
        ]

    def remove(self, titles: str) -> None:
        """Delete the posts."""
        for post in list(self._rows(titles)):
            ghost_api.request(self._access(), "DELETE", f"posts/{post['id']}/")

    def _rows(self, titles: str) -> Iterator[dict[str, Any]]:
        wanted = quote(f"title:~^'{titles}'", safe="")
        for page in range(1, 100):
            query = f"posts/?filter={wanted}&limit=100&page={page}&formats=html"
            response = ghost_api.request(self._access(), "GET", query)
            yield from (post for post in ghost_api.posts_of(response) if post["title"].startswith(titles))
            meta = json.loads(response.body).get("meta") or {}
            if not meta.get("pagination", {}).get("next"):
                return

    def _access(self) -> Access:
        place = urlsplit(self.url)
        allow = frozenset({(place.hostname or "", place.port or 80)})
        return Access({"url": f"{self.url}/"}, self.secret, Fetcher(FetchPolicy("tests", allow=allow)))


class WebhookPlace:
    """A receiver that makes a post of every message that brings one, even if it has that post already."""

    kind = "webhook"
    secret = None
    patience = 0.6

    def __init__(self) -> None:
        self._posts: list[dict[str, Any]] = []
        self.gateway = Gateway(self._answer)
        self.settings = {"url": f"{self.gateway.url}/hook"}
        self.steps = {
            "create": lambda request: _type(request) == "blog_post.published",
            "update": lambda request: _type(request) == "blog_post.updated",
            "unpublish": lambda request: _type(request) == "blog_post.unpublished",
        }

    def posts(self, titles: str) -> list[Shown]:
        """Return what it has; all of it is live."""
        return [
            Shown(data["post"]["title"], True, data["post"]["content"])
            for data in self._posts
            if data["post"]["title"].startswith(titles)
        ]

    def remove(self, titles: str) -> None:
        """Forget the posts."""
        self._posts = [data for data in self._posts if not data["post"]["title"].startswith(titles)]

    def _answer(self, request: Request) -> Reply:
        message = json.loads(request.body)
        kind, data = message["type"].removeprefix("blog_post."), message["data"]
        there = [each for each in self._posts if each["publication_id"] == data["publication_id"]]
        if kind == "published":
            self._posts.append(data)
            return _known(data)
        if kind == "unpublished":
            self._posts = [each for each in self._posts if each not in there]
            return Reply(204)
        if not there:
            return Reply(404)
        if kind == "updated":
            there[0].update(data)
        return _known(there[0])


@contextmanager
def look_alikes() -> Iterator[list[Place]]:
    """Run a place of each kind that is called over HTTP, in this process."""
    wordpress, ghost = WordPressSite(), GhostSite()
    ghost.filters = False
    server = Gateway(wordpress.answer)
    places = [
        WordPressPlace(server.url, _PUBLISHER, wordpress.passwords[_PUBLISHER], 0.6),
        GhostPlace(ghost.url, ghost.key, 0.6),
        WebhookPlace(),
    ]
    yield places
    for running in (*(place.gateway for place in places), server, ghost):
        running.close()


def _with_options(forward: Forward, options: str) -> Forward:
    return lambda request: forward(replace(request, headers={**request.headers, OPTIONS: options}))


def _is_sent(request: Request, method: str, path: str) -> bool:
    return request.method == method and urlsplit(request.path).path.endswith(path)


def _is_change(request: Request) -> bool:
    """Return whether WordPress is to change a post that it has."""
    return request.method == "POST" and "/wp/v2/posts/" in request.path


def _type(request: Request) -> str:
    return str(json.loads(request.body)["type"])


def _known(data: Mapping[str, Any]) -> Reply:
    answer = {
        "id": data["publication_id"],
        "url": f"https://blog.example/{data['post']['slug']}",
        "content_sha256": data["content_sha256"],
    }
    return Reply(200, {"Content-Type": "application/json"}, json.dumps(answer).encode())


def _json(url: str, method: str, path: str, headers: Mapping[str, str]) -> Any:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
    try:
        connection.request(method, path, headers=dict(headers))
        return json.loads(connection.getresponse().read())
    finally:
        connection.close()
