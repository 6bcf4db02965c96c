"""Publishing to WordPress: through its REST API, as a user with an application password.

    find (by the publication id in the text) | create a hidden draft | publish it by its id

A lost answer leaves a hidden draft at worst, which the next attempt finds and goes on with: publishing by id
is idempotent. The publication id and the text's digest stand in an HTML comment at the end of the text.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from itertools import takewhile
from typing import Any, Final
from urllib.parse import unquote

from app.failures import failure, invalid_field
from app.infra.addresses import check_url
from app.infra.fields import refuse_unknown
from app.infra.outbound_urls import outbound_url
from app.infra.settings import current_settings
from app.infra.urls import InvalidUrl, normalise
from app.publishing.base import (
    HIDDEN,
    NOTHING_THERE,
    UNKNOWN,
    Access,
    Check,
    Delivered,
    Document,
    Outcome,
    PublishProblem,
)
from app.publishing.wordpress_api import RemotePost, WordPressApi, named_root

_PUBLISHED: Final = "publish"
_DRAFT: Final = "draft"
_CHAIN: Final = (
    "The site answers",
    "It has the WordPress REST API",
    "It takes the user name and the application password",
)
_RIGHTS: Final = (
    ("The user may publish posts", frozenset({"edit_posts", "publish_posts", "edit_published_posts"})),
    ("The user may delete posts", frozenset({"delete_posts", "delete_published_posts"})),
)
_RIGHTS_HINTS: Final = ("Give the user the role Author or Editor in WordPress.",)
_MOST_NAME: Final = 60
_MOST_SECRET: Final = 200


class WordPressPublisher:
    """A WordPress site of one's own or hosted; its secret is an application password."""

    kind = "wordpress"
    title = "WordPress"

    def checked_settings(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return ``{"url", "username"}``; the address is that of the site."""
        refuse_unknown(settings, ("url", "username"))
        url, username = (_required(settings, name) for name in ("url", "username"))
        if len(username) > _MOST_NAME or ":" in username or not username.isprintable():
            raise invalid_field("/settings/username", "This is no user name of WordPress.")
        checked = outbound_url(url, "/settings/url")
        if checked.startswith("http:") and not _is_allowed(checked):
            message = "Use https: the application password is sent to this address."
            raise invalid_field("/settings/url", message)
        return {"url": checked, "username": username}

    def new_secret(self) -> None:
        """WordPress makes the password."""

    def checked_secret(self, secret: str) -> str:
        """Return an application password without the spaces that WordPress shows it with."""
        password = "".join(secret.split())
        if not password or len(password) > _MOST_SECRET or not password.isascii():
            raise invalid_field("/secret", "Give the application password as WordPress has shown it.")
        return password

    def deliver(self, document: Document, access: Access) -> Delivered:
        """Create a draft, or go on with the one that an earlier attempt left, and publish it by its id.

        An update keeps the address that the post has at the site.
        """
        fields = _fields(document)
        try:
            api = WordPressApi.discover(access)
            post = _find(api, document.sid)
        except PublishProblem as problem:
            raise PublishProblem(problem.failure, NOTHING_THERE) from problem
        if post is None:
            post = api.create({**fields, "slug": document.post["slug"], "status": _DRAFT})
        if post.status == _DRAFT and not _is_free(post.slug, document.post["slug"]):
            raise PublishProblem(failure("TARGET_SLUG_TAKEN", details={"slug": post.slug}), HIDDEN)
        try:
            published = api.change(post.id, {**fields, "status": _PUBLISHED})
        except PublishProblem as problem:
            raise PublishProblem(problem.failure, _left_behind(problem)) from problem
        return _delivered(published)

    def look(self, sid: str, access: Access, update: str | None = None) -> Delivered | None:
        """Find the post by the publication id in its text; a draft, or one that waits, cannot be read."""
        post = _find(WordPressApi.discover(access), sid)
        if post is None or post.status != _PUBLISHED:
            return None
        if update is not None and _marker(sid, update) not in post.content:
            return None
        return _delivered(post)

    def clear(self, sid: str, access: Access) -> None:
        """Delete the drafts of a publication for good: nobody would look for them in the trash."""
        api = WordPressApi.discover(access)
        for post in _all(api, sid):
            if post.status == _DRAFT:
                api.delete(post.id)

    def unpublish(self, sid: str, access: Access) -> None:
        """Move the post to the trash of the site, where its editors find it for a while."""
        api = WordPressApi.discover(access)
        for post in _all(api, sid):
            api.trash(post.id)

    def test(self, access: Access) -> list[Check]:
        """Find the API, sign in, and see what the user may do."""
        links: list[Check] = []
        try:
            root = named_root(access)
            links.append(Check(_CHAIN[0]))
            api = WordPressApi(access, root)
            links.append(Check(_CHAIN[1]))
            may = api.capabilities()
            links.append(Check(_CHAIN[2]))
        except PublishProblem as problem:
            return [*links, Check(_CHAIN[len(links)], problem.failure)]
        for title, needed in _RIGHTS:
            missing = sorted(needed - may)
            refusal = failure("TARGET_AUTH", f"The user lacks {', '.join(missing)}.", hints=_RIGHTS_HINTS)
            links.append(Check(title, refusal if missing else None))
        return links


def _find(api: WordPressApi, sid: str) -> RemotePost | None:
    # The one that can be read counts, should somebody have copied the text into a draft.
    return min(_all(api, sid), key=lambda post: (post.status != _PUBLISHED, post.id), default=None)


def _all(api: WordPressApi, sid: str) -> list[RemotePost]:
    """Return all posts of a publication: a create that was believed lost may come late."""
    return [post for post in api.search(sid) if f"<!-- {sid} " in post.content]


def _fields(document: Document) -> dict[str, Any]:
    post = document.post
    return {
        "title": html.escape(post["title"], quote=False),
        "content": post["content_html"].rstrip() + _marker(document.sid, document.digest),
        "excerpt": html.escape(post["description"] or "", quote=False),
    }


def _marker(sid: str, digest: str) -> str:
    return f"<!-- {sid} {digest} -->"


def _is_free(theirs: str, ours: str) -> bool:
    """Return whether WordPress gave the slug that was asked for: to one that is taken it adds a number.

    It may be spelled otherwise all the same: accents are dropped, and what is longer than 200 bytes is cut.
    """
    given = unquote(theirs)
    return _numbers(given) in (_numbers(ours), _numbers(ours[: len(given)]))


def _numbers(slug: str) -> list[str]:
    """Return the numbers at the end of a slug."""
    parts = re.split(r"[\W_]+", slug)
    return list(takewhile(str.isdigit, reversed(parts)))


def _left_behind(problem: PublishProblem) -> Outcome:
    """Return where a refusal to publish leaves the post: the draft is there in any case."""
    return UNKNOWN if problem.outcome == UNKNOWN else HIDDEN


def _delivered(post: RemotePost) -> Delivered:
    if post.status != _PUBLISHED:
        message = f"WordPress took the post, but keeps it as “{post.status[:20]}”."
        raise PublishProblem(failure("PUBLISH_REJECTED", message), HIDDEN)
    try:
        return Delivered(str(post.id), normalise(post.link))
    except InvalidUrl:
        message = "WordPress published the post, but did not answer with a usable address."
        raise PublishProblem(failure("PUBLISH_REJECTED", message), UNKNOWN) from None


def _required(settings: Mapping[str, Any], name: str) -> str:
    value = settings.get(name)
    if not isinstance(value, str) or not value.strip():
        raise invalid_field(f"/settings/{name}", "This is required.")
    return value.strip()


def _is_allowed(url: str) -> bool:
    """Return whether the operator named this address as one that may be called inside."""
    allow = current_settings().fetch_allow
    endpoint = check_url(url, allow)
    return (endpoint.host, endpoint.port) in allow
