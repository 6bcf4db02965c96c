"""A look-alike of Ghost: its Admin API and its pages, as far as publishing needs them.

What it answers was seen at Ghost 5.130 and 6.65. tests/publishing/test_ghost.py runs against it and against
the real ones.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import html
import json
import re
import secrets
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

from tests.support.servers import Reply, Request, SiteServer

API: Final = "/ghost/api/admin/"
_CONTAINS: Final = re.compile(r"codeinjection_head:~'([^']*)'")
_MOST: Final = {
    "title": 255,
    "slug": 191,
    "custom_excerpt": 300,
    "meta_title": 300,
    "meta_description": 500,
    "feature_image_alt": 191,
    "codeinjection_head": 65_535,
}


class Refusal(Exception):
    """An error that Ghost answers."""

    def __init__(
        self, status: int, message: str, kind: str, code: str | None = None, context: str = ""
    ) -> None:
        self.status = status
        self.error = {
            "message": message,
            "context": context or None,
            "type": kind,
            "code": code,
            "details": None,
        }
        super().__init__(message)


class GhostSite(SiteServer):
    """A site of Ghost with one Admin API key. ``filters`` is False where filters find nothing.

    ``roles`` are those of the person whose token the key is; None for a custom integration. Its clock is
    ``ahead`` seconds fast.
    """

    def __init__(self) -> None:
        self.key = f"{secrets.token_hex(12)}:{secrets.token_hex(32)}"
        self.posts: dict[str, dict[str, Any]] = {}
        self.images: dict[str, bytes] = {}
        self.filters = True
        self.roles: tuple[str, ...] | None = None
        self.version = "6.65"
        self.ahead = 0
        self._now = datetime(2026, 1, 1, tzinfo=UTC)
        super().__init__()

    def answer(self, request: Request) -> Reply:
        self.requests.append(request)
        url = urlsplit(request.path)
        if request.path in self.routes or url.path in self.routes:
            return super().answer(request)
        if not url.path.startswith(API):
            return self._page(url.path)
        if not url.path.endswith("/"):
            return Reply(301, {"Location": f"{url.path}/"})
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        try:
            return self._api(request, url.path.removeprefix(API), query)
        except Refusal as refusal:
            return _json(refusal.status, {"errors": [refusal.error]})

    def _api(self, request: Request, path: str, query: dict[str, str]) -> Reply:
        if path == "site/":
            return _json(200, {"site": {"title": "Garden", "url": f"{self.url}/", "version": self.version}})
        self._require_key(request.headers.get("authorization"))
        match request.method, path.strip("/").split("/"):
            case "GET", ["config"]:
                return _json(200, {"config": {"version": f"{self.version}.0"}})
            case "GET", ["users", "me"]:
                return self._user()
            case "POST", ["images", "upload"]:
                return self._upload(request)
            case _, ["posts", *rest]:
                return self._posts(request, rest, query)
        raise Refusal(404, "Resource not found", "NotFoundError")

    def _posts(self, request: Request, rest: list[str], query: dict[str, str]) -> Reply:
        match request.method, rest:
            case "GET", []:
                return _json(200, {"posts": [_shown(post, query) for post in self._listed(query)]})
            case "POST", []:
                return self._create(_sent(request), query)
            case "GET", ["slug", slug]:
                found = [post for post in self.posts.values() if post["slug"] == unquote(slug)]
                return _one(200, self._existing(found[0]["id"] if found else ""), query)
            case "GET", [post_id]:
                return _one(200, self._existing(post_id), query)
            case "PUT", [post_id]:
                return self._edit(self._existing(post_id), _sent(request), query)
            case "DELETE", [post_id]:
                del self.posts[self._existing(post_id)["id"]]
                return Reply(204)
        raise Refusal(404, "Resource not found", "NotFoundError")

    def _require_key(self, header: str | None) -> None:
        if header is None:
            context = "Unable to determine the authenticated user or integration."
            raise Refusal(403, "Authorization failed", "NoPermissionError", context=context)
        kind, _, token = header.partition(" ")
        if kind != "Ghost":
            raise Refusal(
                401, "Authorization header format is invalid", "UnauthorizedError", "INVALID_AUTH_HEADER"
            )
        try:
            signed, _, signature = token.rpartition(".")
            head, claims = (json.loads(_decoded(part)) for part in signed.split("."))
        except ValueError:
            raise Refusal(400, "Invalid token", "BadRequestError", "INVALID_JWT") from None
        key_id, _, secret = self.key.partition(":")
        if head["kid"] != key_id:
            raise Refusal(401, "Unknown Admin API Key", "UnauthorizedError", "UNKNOWN_ADMIN_API_KEY")
        right = hmac.new(bytes.fromhex(secret), signed.encode(), hashlib.sha256).digest()
        problem = None
        if head["alg"] != "HS256" or claims["aud"] != "/admin/" or _decoded(signature) != right:
            problem = "invalid signature"
        elif min(claims["exp"], claims["iat"] + 300) < datetime.now(UTC).timestamp() + self.ahead:
            problem = "jwt expired"
        if problem:
            raise Refusal(401, f"Invalid token: {problem}", "UnauthorizedError", "INVALID_JWT")

    def _user(self) -> Reply:
        if self.roles is None:
            raise Refusal(404, "Resource not found error, cannot read user.", "NotFoundError")
        return _json(200, {"users": [{"name": "Bob", "roles": [{"name": role} for role in self.roles]}]})

    def _upload(self, request: Request) -> Reply:
        part = re.search(
            rb'filename="([^"]+)"\r\nContent-Type: image/\w+\r\n\r\n(.*)\r\n--', request.body, re.S
        )
        if part is None:
            raise Refusal(422, "Please select an image.", "ValidationError")
        stem, _, ending = part[1].decode().rpartition(".")
        names = (f"{stem}{number}.{ending}" for number in ("", *(f"-{n}" for n in range(1, 99))))
        name = next(each for each in names if each not in self.images)
        self.images[name] = part[2]
        return _json(201, {"images": [{"url": f"{self.url}/content/images/2026/01/{name}", "ref": None}]})

    def _listed(self, query: dict[str, str]) -> list[dict[str, Any]]:
        wanted = _CONTAINS.fullmatch(query.get("filter", ""))
        if wanted is None:
            return list(self.posts.values())
        return [
            p for p in self.posts.values() if self.filters and wanted[1] in (p["codeinjection_head"] or "")
        ]

    def _existing(self, post_id: str) -> dict[str, Any]:
        if post_id not in self.posts:
            raise Refusal(404, "Resource not found error.", "NotFoundError", context="Post not found.")
        return self.posts[post_id]

    def _create(self, sent: dict[str, Any], query: dict[str, str]) -> Reply:
        post = {
            "id": secrets.token_hex(12), "uuid": str(uuid.uuid4()), "status": "draft", "html": None,
            "tags": [], "published_at": None, **dict.fromkeys(_MOST), "feature_image": None,
        }  # fmt: skip
        self._change(post, sent, query)
        self.posts[post["id"]] = post
        return _one(201, post, query)

    def _edit(self, post: dict[str, Any], sent: dict[str, Any], query: dict[str, str]) -> Reply:
        if "updated_at" not in sent:
            raise Refusal(422, "Validation error, cannot edit post.", "ValidationError")
        if sent["updated_at"] != post["updated_at"]:
            message = "Saving failed! Someone else is editing this post."
            raise Refusal(409, message, "UpdateCollisionError", "UPDATE_COLLISION")
        self._change(post, sent, query)
        return _one(200, post, query)

    def _change(self, post: dict[str, Any], sent: dict[str, Any], query: dict[str, str]) -> None:
        for name, most in _MOST.items():
            if len(sent.get(name) or "") > most:
                context = f"Validation failed for {name}."
                raise Refusal(422, "Validation error, cannot save post.", "ValidationError", context=context)
        if query.get("source") != "html":
            sent = {name: value for name, value in sent.items() if name != "html"}
        known = {"title", "html", "status", "tags", "feature_image", "published_at", *_MOST}
        post.update({name: value for name, value in sent.items() if name in known})
        post["tags"] = [tag if isinstance(tag, dict) else {"name": tag} for tag in post["tags"]]
        taken = {other["slug"] for other in self.posts.values() if other is not post}
        slug = post["slug"] or "untitled"
        post["slug"] = next(s for s in (slug, *(f"{slug}-{n}" for n in range(2, 99))) if s not in taken)
        self._now += timedelta(seconds=1)
        post["updated_at"] = self._now.isoformat().replace("+00:00", ".000Z")
        place = post["slug"] if post["status"] == "published" else f"p/{post['uuid']}"
        post["url"] = f"{self.url}/{place}/"

    def _page(self, path: str) -> Reply:
        name = path.rpartition("/")[2]
        if name in self.images:
            return Reply(200, {"Content-Type": "image/png"}, self.images[name])
        for post in self.posts.values():
            if post["status"] == "published" and path == f"/{post['slug']}/":
                title, head = html.escape(post["title"]), post["codeinjection_head"] or ""
                page = f"<html><head><title>{title}</title>{head}</head><body>{post['html']}</body></html>"
                return Reply(200, {"Content-Type": "text/html"}, page.encode())
        return Reply(404, {"Content-Type": "text/html"}, b"<h1>404</h1>")


def _sent(request: Request) -> dict[str, Any]:
    try:
        sent: dict[str, Any] = json.loads(request.body)["posts"][0]
    except ValueError:
        raise Refusal(
            400, "An unexpected error occurred.", "InternalServerError", "UNEXPECTED_ERROR"
        ) from None
    return sent


def _shown(post: dict[str, Any], query: dict[str, str]) -> dict[str, Any]:
    return {k: v for k, v in post.items() if k != "html" or "html" in query.get("formats", "")}


def _one(status: int, post: dict[str, Any], query: dict[str, str]) -> Reply:
    return _json(status, {"posts": [_shown(post, query)]})


def _json(status: int, body: object) -> Reply:
    return Reply(status, {"Content-Type": "application/json; charset=utf-8"}, json.dumps(body).encode())


def _decoded(part: str) -> bytes:
    return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4))
