"""A WordPress site as far as publishing meets it: what 6.1 was seen to answer, and faults at will.

It stands in where no real one can be had: PHP and a database server are no part of the tests' machine.
"""

from __future__ import annotations

import base64
import html
import itertools
import json
import re
import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

from app.infra.http import Fetcher, FetchPolicy
from app.publishing.base import Access
from tests.support.servers import Reply, Request, SiteServer

USER, PASSWORD = "seo-author", "abcdEFGHijklMNOPqrstUVWX"
AUTHOR = (
    "edit_posts", "edit_published_posts", "publish_posts", "delete_posts", "delete_published_posts",
)  # fmt: skip
NOT_SIGNED_IN = {"code": "rest_not_logged_in", "message": "You are not currently logged in."}
STATUS_FORBIDDEN = {
    "code": "rest_invalid_param", "message": "Invalid parameter(s): status",
    "data": {"status": 400, "details": {"status": {"code": "rest_forbidden_status"}}},
}  # fmt: skip

Fault = Callable[[Reply], Reply]
"""What becomes of an answer on its way; what was asked is done all the same."""


def lost(_reply: Reply) -> Reply:
    """The answer never comes."""
    return Reply(hang_up=True)


def gateway(_reply: Reply) -> Reply:
    """Something in front of the site answers in its place."""
    return Reply(502, {"Content-Type": "text/html"}, b"<html>Bad gateway</html>")


@dataclass
class Article:
    """A post of the site."""

    id: int
    slug: str
    title: str
    content: str
    excerpt: str
    status: str


@dataclass
class WordPress:
    """The site. ``faults`` meet the next writes in turn; ``may`` is what the user is allowed to do."""

    site: SiteServer
    pretty: bool = True
    may: tuple[str, ...] = AUTHOR
    articles: list[Article] = field(default_factory=list)
    faults: list[Fault | None] = field(default_factory=list)
    writes: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._ids = itertools.count(17)
        self.site.otherwise = self._answer

    @property
    def live(self) -> list[Article]:
        """The posts that anybody can read."""
        return [each for each in self.articles if each.status == "publish"]

    def access(self, *, user: str = USER, password: str = PASSWORD, seconds: float = 10) -> Access:
        """The way to it, as a target's publisher has it."""
        policy = FetchPolicy("tests", allow=frozenset({("127.0.0.1", self.site.port)}), total_seconds=seconds)
        return Access({"url": f"{self.site.url}/", "username": user}, password, Fetcher(policy))

    def add(self, slug: str, content: str = "<p>By hand.</p>", status: str = "publish") -> Article:
        """A post that somebody else made."""
        article = Article(next(self._ids), self._free(slug), slug, content, "", status)
        self.articles.append(article)
        return article

    def _answer(self, request: Request) -> Reply:
        url = urlsplit(request.path)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        path = query.get("rest_route") if not self.pretty else url.path.removeprefix("/wp-json")
        if path == url.path or path is None:
            root = f"{self.site.url}/wp-json/" if self.pretty else f"{self.site.url}/?rest_route=/"
            return Reply(200, {"Link": f'<{root}>; rel="https://api.w.org/"'}, b"<html>My blog</html>")
        reply = self._called(request, path, query)
        if request.method == "GET":
            return reply
        self.writes.append((f"{request.method} {path}", json.loads(request.body or b"{}")))
        fault = self.faults.pop(0) if self.faults else None
        return fault(reply) if fault else reply

    def _called(self, request: Request, path: str, query: dict[str, str]) -> Reply:
        pair = base64.b64encode(f"{USER}:{PASSWORD}".encode()).decode()
        known = request.headers.get("authorization") == f"Basic {pair}"
        if path == "/wp/v2/users/me":
            may = dict.fromkeys(self.may, True)
            return told(200, {"id": 2, "capabilities": may}) if known else told(401, NOT_SIGNED_IN)
        if request.method == "GET":
            return self._listed(query) if known and self.may else told(400, STATUS_FORBIDDEN)
        if not known or not self.may:
            return told(403 if known else 401, {"code": "rest_cannot_create"})
        if path == "/wp/v2/posts":
            return self._made(json.loads(request.body))
        number = re.fullmatch(r"/wp/v2/posts/(\d+)", path)
        article = next((each for each in self.articles if number and each.id == int(number[1])), None)
        if article is None:
            return told(404, {"code": "rest_post_invalid_id"})
        if request.method == "DELETE" and query.get("force"):
            self.articles.remove(article)
            return told(200, {"deleted": True})
        if request.method == "DELETE" and article.status == "trash":
            return told(410, {"code": "rest_already_trashed"})
        if request.method == "DELETE":
            article.status, article.slug = "trash", f"{article.slug}__trashed"
            return told(200, self._shown(article))
        return self._changed(article, json.loads(request.body))

    def _listed(self, query: dict[str, str]) -> Reply:
        text = query["search"]
        found = [each for each in self.articles if text in each.content and each.status != "trash"]
        return told(200, [self._shown(each) for each in found])

    def _made(self, fields: dict[str, Any]) -> Reply:
        article = Article(next(self._ids), self._free(spelled(fields["slug"])), "", "", "", "draft")
        self.articles.append(article)
        return told(201, self._shown(self._with(article, fields)))

    def _changed(self, article: Article, fields: dict[str, Any]) -> Reply:
        if fields.get("status") == "publish" and "publish_posts" not in self.may:
            return told(403, {"code": "rest_cannot_publish"})
        return told(200, self._shown(self._with(article, fields)))

    def _with(self, article: Article, fields: dict[str, Any]) -> Article:
        for name in ("title", "content", "excerpt", "status"):
            setattr(article, name, fields.get(name, getattr(article, name)))
        return article

    def _free(self, slug: str) -> str:
        taken = {each.slug for each in self.articles}
        names: Iterable[str] = (slug, *(f"{slug}-{number}" for number in range(2, 99)))
        return next(name for name in names if name not in taken)

    def _shown(self, article: Article) -> dict[str, Any]:
        shown = article.status == "publish"
        link = f"{self.site.url}/{article.slug}/" if shown else f"{self.site.url}/?p={article.id}"
        return {
            "id": article.id, "status": article.status, "slug": article.slug, "link": link,
            "content": {"raw": article.content, "rendered": article.content},
            "title": {"raw": article.title, "rendered": html.unescape(article.title)},
        }  # fmt: skip


def spelled(slug: str) -> str:
    """A slug as WordPress writes it: without accents, one hyphen at a time, encoded, and cut."""
    plain = "".join(each for each in unicodedata.normalize("NFKD", slug) if not unicodedata.combining(each))
    return re.sub("-+", "-", plain.replace(".", "-"))[:40] if plain.isascii() else quote(slug).lower()[:198]


def told(status: int, answer: Any) -> Reply:
    """An answer of the API."""
    return Reply(status, {"Content-Type": "application/json"}, json.dumps(answer).encode())
