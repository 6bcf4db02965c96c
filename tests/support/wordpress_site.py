"""A look-alike of WordPress: its REST API, as far as publishing uses it, with the answers of WordPress 6.1.

Each request may carry OPTIONS, by which a test switches on what plugins and settings do to a site. A real
WordPress of the tests obeys the same ones (tests/support/real_wordpress.py).

Long because it is one server: an excerpt of WordPress, route by route.
"""

from __future__ import annotations

import base64
import binascii
import html
import json
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

from tests.support.servers import Reply, Request

OPTIONS = "x-test-options"
"""The header; its value lists no_search, rest_off, login_page, plain_permalinks, no_application_passwords."""

CONTRIBUTOR = ("read", "edit_posts", "delete_posts")
AUTHOR = (*CONTRIBUTOR, "publish_posts", "edit_published_posts", "delete_published_posts", "upload_files")
CAPABILITIES: Mapping[str, tuple[str, ...]] = {
    "administrator": (
        *AUTHOR,
        "edit_others_posts",
        "delete_others_posts",
        "manage_categories",
        "unfiltered_html",
    ),
    "author": AUTHOR,
    "contributor": CONTRIBUTOR,
    "subscriber": ("read",),
}
LIVE = ("publish", "future")
Row = dict[str, Any]


class Refusal(Exception):
    """An error object of WordPress."""

    def __init__(self, status: int, code: str, message: str, **data: Any) -> None:
        super().__init__(code)
        body = {"code": code, "message": message, "data": {"status": status, **data}}
        self.reply = _json(body, status)


class WordPressSite:
    """Users are ``{role: password}``; each user's name is that of its role. ``answer`` is the server."""

    def __init__(self) -> None:
        self.passwords = {role: f"app password of {role}".replace(" ", "") for role in CAPABILITIES}
        self.ids = {role: number for number, role in enumerate(CAPABILITIES, 1)}
        self.posts: dict[int, Row] = {}
        self.media: dict[int, Row] = {}
        self.pages: dict[int, Row] = {}
        self.terms: dict[str, dict[int, Row]] = {
            "tags": {},
            "categories": {1: {"id": 1, "name": "Uncategorized", "slug": "uncategorized"}},
        }
        self._last_id = 1

    def answer(self, request: Request) -> Reply:
        """Return what WordPress answers to a request."""
        call = Call(self, request)
        try:
            if call.route is None:
                return call.page()
            return call.dispatch()
        except Refusal as refusal:
            return refusal.reply

    def new_id(self) -> int:
        self._last_id += 1
        return self._last_id

    def free_slug(self, wanted: str, rows: Mapping[int, Row], but: int | None = None) -> str:
        taken = {row["slug"] for row in rows.values() if row["id"] != but}
        slug = _slug(wanted)
        candidates = [slug, *(f"{slug}-{number}" for number in range(2, 99))]
        return next(each for each in candidates if not slug or each not in taken)


class Call:
    """One request: who makes it, and for which route."""

    def __init__(self, site: WordPressSite, request: Request) -> None:
        self.site = site
        self.request = request
        self.options = request.headers.get(OPTIONS, "").split()
        parts = urlsplit(request.path)
        self.query = parse_qs(parts.query, keep_blank_values=True)
        self.home = f"http://{request.headers['host']}"
        self.is_plain = "plain_permalinks" in self.options
        self.route = self._route(parts.path)
        self.role = self._role()

    def _route(self, path: str) -> str | None:
        if "rest_route" in self.query:
            return self.query["rest_route"][0].strip("/")
        if path.startswith("/wp-json") and not self.is_plain:
            return path.removeprefix("/wp-json").strip("/")
        return None

    def _role(self) -> str | None:
        if "no_application_passwords" in self.options:
            return None
        scheme, _, encoded = self.request.headers.get("authorization", "").partition(" ")
        try:
            name, _, password = base64.b64decode(encoded).decode().partition(":")
        except (binascii.Error, UnicodeDecodeError):
            return None
        is_right = self.site.passwords.get(name) == password.replace(" ", "")
        return name if scheme == "Basic" and is_right else None

    @property
    def root(self) -> str:
        return f"{self.home}/?rest_route=/" if self.is_plain else f"{self.home}/wp-json/"

    def page(self) -> Reply:
        """Answer a page of the site."""
        kind = {"Content-Type": "text/html; charset=UTF-8"}
        path = urlsplit(self.request.path).path
        if "login_page" in self.options and path != "/wp-login.php":
            query = urlencode({"redirect_to": self.home + path})
            return Reply(302, {**kind, "Location": f"{self.home}/wp-login.php?{query}"})
        if path == "/wp-login.php":
            return Reply(200, kind, b'<form><input type="password" name="pwd"></form>')
        slug = path.strip("/")
        shown = [post["title"] for post in self.site.posts.values() if _is_live_at(slug, post)]
        is_there = slug in ("", "index.php") or shown
        link = {} if "rest_off" in self.options else {"Link": f'<{self.root}>; rel="https://api.w.org/"'}
        title = html.escape(shown[0] if shown else "Blog")
        page = f"<html><head></head><body><h1>{title}</h1></body></html>"
        return Reply(200 if is_there else 404, {**kind, **link}, page.encode())

    def dispatch(self) -> Reply:
        """Answer a request to the API."""
        if "rest_off" in self.options:
            raise Refusal(403, "rest_disabled", "The REST API is disabled on this site.")
        if "login_page" in self.options and self.role is None:
            raise Refusal(401, "rest_login_required", "REST API restricted to authenticated users.")
        assert self.route is not None
        name, _, number = self.route.removeprefix("wp/v2/").partition("/")
        handlers: dict[tuple[str, str, bool], Callable[..., Reply]] = {
            ("GET", "", False): self._index,
            ("GET", "users", True): self._me,
            ("GET", "posts", False): self._list_posts,
            ("POST", "posts", False): self._create_post,
            ("GET", "posts", True): self._read_post,
            ("POST", "posts", True): self._change_post,
            ("DELETE", "posts", True): self._delete_post,
            ("GET", "pages", False): self._list_pages,
            ("POST", "pages", False): self._create_page,
            ("DELETE", "pages", True): self._delete_page,
            ("GET", "media", False): self._list_media,
            ("POST", "media", False): self._upload,
            ("GET", "media", True): self._read_media,
            ("POST", "media", True): self._change_media,
        }
        for taxonomy in ("tags", "categories"):
            handlers[("GET", taxonomy, False)] = lambda: self._list_terms(name)
            handlers[("POST", taxonomy, False)] = lambda: self._create_term(name)
            handlers[("GET", taxonomy, True)] = lambda term: self._read_term(name, term)
        handler = handlers.get((self.request.method, name, bool(number)))
        if handler is None:
            raise Refusal(404, "rest_no_route", "No route was found matching the URL and request method.")
        return handler(number) if number else handler()

    def _index(self) -> Reply:
        offered = {"application-passwords": {"endpoints": {"authorization": f"{self.home}/wp-admin/"}}}
        is_offered = "no_application_passwords" not in self.options
        namespaces = ["oembed/1.0", "wp/v2", "wp-site-health/v1"]
        return _json(
            {"name": "Blog", "namespaces": namespaces, "authentication": offered if is_offered else []}
        )

    def _me(self, _name: str) -> Reply:
        if self.role is None:
            raise Refusal(401, "rest_not_logged_in", "You are not currently logged in.")
        capabilities = dict.fromkeys(CAPABILITIES[self.role], True)
        return _json({"id": self.site.ids[self.role], "name": self.role, "capabilities": capabilities})

    def _list_posts(self) -> Reply:
        if self._value("status") == "any" and not self._may("edit_posts"):
            words = "Status is forbidden."
            details = {"status": {"code": "rest_forbidden_status", "message": words, "data": {"status": 403}}}
            message = "Invalid parameter(s): status"
            raise Refusal(400, "rest_invalid_param", message, params={"status": words}, details=details)
        rows = [
            post for post in self.site.posts.values() if post["status"] != "trash" and self._may_edit(post)
        ]
        if slugs := self._value("slug"):
            rows = [post for post in rows if post["slug"] in slugs.split(",")]
        if author := self._value("author"):
            rows = [post for post in rows if post["author"] == int(author)]
        if since := self._value("modified_after"):
            rows = [post for post in rows if post["modified"] > datetime.fromisoformat(since)]
        if search := self._value("search"):
            finds = "no_search" not in self.options
            rows = [post for post in rows if finds and search in post["title"] + post["content"]]
        rows.sort(key=lambda post: post["modified"], reverse=self._value("order") != "asc")
        size, page = int(self._value("per_page") or 10), int(self._value("page") or 1)
        pages = -(-len(rows) // size)
        if page > max(pages, 1):
            raise Refusal(400, "rest_post_invalid_page_number", "The page number is larger than available.")
        shown = [self._shown(post) for post in rows[(page - 1) * size : page * size]]
        return _json(shown, **{"X-WP-Total": str(len(rows)), "X-WP-TotalPages": str(pages)})

    def _create_post(self) -> Reply:
        if not self._may("edit_posts"):
            status = 401 if self.role is None else 403
            raise Refusal(
                status, "rest_cannot_create", "Sorry, you are not allowed to create posts as this user."
            )
        post: Row = {
            "id": self.site.new_id(),
            "author": self.site.ids[self.role or ""],
            "slug": "",
            "status": "draft",
        }
        post |= {
            "title": "",
            "content": "",
            "excerpt": "",
            "categories": [1],
            "tags": [],
            "featured_media": 0,
        }
        self._change(post)
        self.site.posts[post["id"]] = post
        return _json(self._shown(post), 201)

    def _read_post(self, number: str) -> Reply:
        post = self._post(number)
        if self._value("context") == "edit" and not self._may_edit(post):
            status = 401 if self.role is None else 403
            raise Refusal(status, "rest_forbidden_context", "Sorry, you are not allowed to edit this post.")
        if post["status"] != "publish" and not self._may_edit(post):
            status = 401 if self.role is None else 403
            raise Refusal(status, "rest_forbidden", "Sorry, you are not allowed to do that.")
        return _json(self._shown(post))

    def _change_post(self, number: str) -> Reply:
        post = self._post(number)
        if not self._may_edit(post):
            status = 401 if self.role is None else 403
            raise Refusal(status, "rest_cannot_edit", "Sorry, you are not allowed to edit this post.")
        self._change(post)
        return _json(self._shown(post))

    def _change(self, post: Row) -> None:
        """Apply the fields of the request to a post."""
        fields = self._body()
        if fields.get("status") in LIVE and not self._may("publish_posts"):
            raise Refusal(
                403, "rest_cannot_publish", "Sorry, you are not allowed to publish posts in this post type."
            )
        if not isinstance(fields.get("slug", ""), str):
            params = {"slug": "slug is not of type string."}
            raise Refusal(400, "rest_invalid_param", "Invalid parameter(s): slug", params=params)
        for name in ("title", "content", "excerpt"):
            if name in fields:
                post[name] = fields[name] if self._may("unfiltered_html") else _filtered(fields[name])
        known = {name: fields[name] for name in ("status", "tags", "featured_media") if name in fields}
        post |= known
        if "categories" in fields:
            post["categories"] = [
                each for each in fields["categories"] if each in self.site.terms["categories"]
            ]
        if fields.get("slug") or (post["status"] in LIVE and not post["slug"]):
            wanted = fields.get("slug") or post["title"]
            post["slug"] = self.site.free_slug(wanted, self.site.posts, post["id"])
        post["modified"] = datetime.now(UTC)

    def _delete_post(self, number: str) -> Reply:
        post = self._post(number)
        if not self._may_edit(post) or not self._may("delete_posts"):
            status = 401 if self.role is None else 403
            raise Refusal(status, "rest_cannot_delete", "Sorry, you are not allowed to delete this post.")
        if self._value("force") == "true":
            del self.site.posts[post["id"]]
            return _json({"deleted": True, "previous": self._shown(post)})
        if post["status"] == "trash":
            raise Refusal(410, "rest_already_trashed", "The post has already been deleted.")
        post |= {"status": "trash", "slug": f"{post['slug']}__trashed"}
        return _json(self._shown(post))

    def _list_pages(self) -> Reply:
        return _json([page for page in self.site.pages.values() if page["slug"] == self._value("slug")])

    def _create_page(self) -> Reply:
        number, slug = self.site.new_id(), self._body()["slug"]
        self.site.pages[number] = {"id": number, "slug": slug, "link": f"{self.home}/{slug}/"}
        return _json(self.site.pages[number], 201)

    def _delete_page(self, number: str) -> Reply:
        return _json({"deleted": True, "previous": self.site.pages.pop(int(number))})

    def _list_media(self) -> Reply:
        return _json([item for item in self.site.media.values() if item["slug"] == self._value("slug")])

    def _read_media(self, number: str) -> Reply:
        return _json(self.site.media[int(number)])

    def _upload(self) -> Reply:
        if not self._may("upload_files"):
            raise Refusal(
                403, "rest_cannot_create", "Sorry, you are not allowed to upload media on this site."
            )
        if not self.request.body.startswith((b"\x89PNG", b"\xff\xd8", b"RIFF")):
            raise Refusal(
                500, "rest_upload_sideload_error", "Sorry, you are not allowed to upload this file type."
            )
        named = re.search(r'filename="([^"]*)\.\w+"', self.request.headers["content-disposition"])
        assert named is not None
        number, slug = self.site.new_id(), self.site.free_slug(named[1], self.site.media)
        self.site.media[number] = {
            "id": number,
            "slug": slug,
            "alt_text": "",
            "source_url": f"{self.home}/{slug}",
        }
        return _json(self.site.media[number], 201)

    def _change_media(self, number: str) -> Reply:
        self.site.media[int(number)] |= self._body()
        return _json(self.site.media[int(number)])

    def _list_terms(self, taxonomy: str) -> Reply:
        slugs = {_slug(each) for each in self.query.get("slug[]", [])}
        return _json([term for term in self.site.terms[taxonomy].values() if term["slug"] in slugs])

    def _read_term(self, taxonomy: str, number: str) -> Reply:
        term = self.site.terms[taxonomy].get(int(number))
        if term is None:
            raise Refusal(404, "rest_term_invalid", "Term does not exist.")
        return _json(term)

    def _create_term(self, taxonomy: str) -> Reply:
        if not self._may("edit_posts" if taxonomy == "tags" else "manage_categories"):
            raise Refusal(
                403, "rest_cannot_create", "Sorry, you are not allowed to create terms in this taxonomy."
            )
        terms, name = self.site.terms[taxonomy], html.escape(self._body()["name"], quote=False)
        for term in terms.values():
            if term["name"].casefold() == name.casefold():
                message = "A term with the name provided already exists in this taxonomy."
                raise Refusal(400, "term_exists", message, term_id=term["id"])
        number = self.site.new_id()
        slug = self.site.free_slug(html.unescape(name), terms)
        terms[number] = {"id": number, "name": name, "slug": slug}
        return _json(terms[number], 201)

    def _post(self, number: str) -> Row:
        post = self.site.posts.get(int(number))
        if post is None:
            raise Refusal(404, "rest_post_invalid_id", "Invalid post ID.")
        return post

    def _shown(self, post: Row) -> Row:
        link = (
            f"{self.home}/{post['slug']}/" if post["status"] == "publish" else f"{self.home}/?p={post['id']}"
        )
        texts = {
            name: {"raw": post[name], "rendered": post[name]} for name in ("title", "content", "excerpt")
        }
        template = f"{self.home}/%postname%/"
        return {
            **post,
            **texts,
            "link": link,
            "permalink_template": template,
            "modified": post["modified"].isoformat(),
        }

    def _may(self, capability: str) -> bool:
        return self.role is not None and capability in CAPABILITIES[self.role]

    def _may_edit(self, post: Row) -> bool:
        is_own = self.role is not None and post["author"] == self.site.ids[self.role]
        return self._may("edit_others_posts") or (is_own and self._may("edit_posts"))

    def _value(self, name: str) -> str:
        return self.query.get(name, [""])[0]

    def _body(self) -> Row:
        try:
            body = json.loads(self.request.body)
        except ValueError:
            raise Refusal(400, "rest_invalid_json", "Invalid JSON body passed.") from None
        assert isinstance(body, dict)
        return body


def _json(body: Any, status: int = 200, **headers: str) -> Reply:
    return Reply(
        status, {"Content-Type": "application/json; charset=UTF-8", **headers}, json.dumps(body).encode()
    )


def _slug(text: str) -> str:
    kept = re.sub(r"[^a-z0-9\s_-]", "", unquote(text).lower())
    return re.sub(r"[\s-]+", "-", kept).strip("-")


def _filtered(text: str) -> str:
    """WordPress' filter for authors: no scripts, and entities in one form."""
    without = re.sub(r"</?script\b[^>]*>", "", text)
    return re.sub(r"&(?!#?\w+;)", "&amp;", without).replace("&#91;", "&#091;")


def _is_live_at(slug: str, post: Row) -> bool:
    return bool(post["slug"] == slug and post["status"] == "publish")
