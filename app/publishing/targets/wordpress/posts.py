"""Posts in WordPress' format: the fields to send, and the posts in responses. Pure.

A comment at the end of the content has the publication id and the digest of the text. It identifies the post
when the response to a request was lost.
"""

import hashlib
import html
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import unquote

from app.infra.urls import InvalidUrl, normalise
from app.publishing.targets.base import Document, Reference, RemotePost, RemoteStatus

Post = Mapping[str, Any]

SLUG_VARIANTS: Final = 9
"""WordPress appends a number to a slug that is taken; lookups try numbers up to this one."""

_STATUSES: Final[dict[str, RemoteStatus]] = {"publish": "live", "future": "scheduled"}
_SENT_STATUS: Final = {"live": "publish", "draft": "draft"}
_MARKER: Final = re.compile(r"<!--\s*publication:(\w+) sha256:([0-9a-f]*)\s*-->")
_LAST_CLOSING: Final = re.compile(r"(?:</[a-z0-9]+>\s*)*\Z")
_PREFORMATTED: Final = re.compile(r"(<pre\b.*?</pre>)", re.DOTALL)
_BLOCK_END: Final = re.compile(r"(</(?:p|h[1-6]|ul|ol|blockquote|table|pre)>|<hr[^>]*>) ")
_SPACE_AROUND_TAG: Final = re.compile(r"\s*(<[^>]*>)\s*")
_EDITOR_MARKUP: Final = re.compile(
    r"<!--\s*publication:[^>]*-->|<!--\s*/?wp:[^>]*[^/>]-->|</?p\b[^>]*>|<br\b[^>]*>", re.IGNORECASE
)


class Marker(NamedTuple):
    publication_id: str
    digest: str


def text_fields(document: Document) -> dict[str, Any]:
    """Return the fields of every write: title, content, excerpt, slug and status."""
    post = document.post
    return {
        "title": html.escape(post["title"], quote=False),
        "content": marked_content(post["content_html"], document),
        "excerpt": html.escape(post["description"] or "", quote=False),
        "slug": post["slug"],
        "status": _SENT_STATUS[document.visibility],
    }


def marked_content(content_html: str, document: Document) -> str:
    """Return the content with its marker.

    WordPress shows a line break inside a paragraph as one, and turns a comment on its own into an empty
    paragraph. So each paragraph is put on one line, and the marker inside the last element.
    """
    parts = _PREFORMATTED.split(content_html)
    lines = [part if index % 2 else part.replace("\n", " ") for index, part in enumerate(parts)]
    text = _BLOCK_END.sub(r"\1\n", "".join(lines)).strip()
    marker = f"<!-- publication:{document.publication_id} sha256:{document.digest} -->"
    end = _LAST_CLOSING.search(text)
    position = len(text) if end is None else end.start()
    return f"{text[:position]}{marker}{text[position:]}"


def marker_of(post: Post) -> Marker | None:
    """Return the last marker in a post's content, or None."""
    found = _MARKER.findall(_raw(post, "content"))
    return Marker(*found[-1]) if found else None


def is_of(post: Post, publication_id: str) -> bool:
    marker = marker_of(post)
    return marker is not None and marker.publication_id == publication_id


def original(posts: Iterable[Post], reference: Reference) -> Post | None:
    """Return the oldest post with the reference's marker, because a plugin may have copied the post."""
    ours = [post for post in posts if is_post(post) and is_of(post, reference.publication_id)]
    return min(ours, key=lambda post: int(post["id"]), default=None)


def is_post(value: Any) -> bool:
    """Return whether a value from a response is a post with its raw content (WordPress' context "edit")."""
    if not isinstance(value, dict) or type(value.get("id")) is not int or value["id"] <= 0:
        return False
    texts = (value.get(name) for name in ("status", "link", "slug"))
    content = value.get("content")
    is_raw = isinstance(content, dict) and isinstance(content.get("raw"), str)
    return is_raw and all(isinstance(text, str) for text in texts)


def remote_of(post: Post, asked_slug: str = "") -> RemotePost:
    """Return a post of WordPress as a RemotePost.

    ``asked_slug`` is the slug that was sent; it is returned if WordPress only changed its hyphens. A post
    without a marker gets an empty digest, because its text is certainly not the one that was sent.
    """
    marker = marker_of(post)
    slug = unquote(post["slug"])
    return RemotePost(
        external_id=str(post["id"]),
        url=_address(post["link"]),
        status=_STATUSES.get(post["status"], "draft"),
        digest="" if marker is None else marker.digest,
        fingerprint=fingerprint(post),
        slug=asked_slug if slug == _wordpress_slug(asked_slug) else slug,
        title=html.unescape(_raw(post, "title")),
        text=_raw(post, "content"),
        publication_id=None if marker is None else marker.publication_id,
    )


def live_address(post: Post, slug: str) -> str | None:
    """Return the address that a post will have with a slug, or None if its response has no template."""
    template = post.get("permalink_template")
    return template.replace("%postname%", slug) if isinstance(template, str) else None


def fingerprint(post: Post) -> str:
    """Return a digest of a post's title, content and excerpt that changes only if a person edits them.

    Paragraph tags, line breaks, spaces around tags and comments that mark blocks do not count, because
    WordPress' editors rewrite them when somebody saves a post unchanged.
    """
    texts = [_normalised(_raw(post, name)) for name in ("title", "content", "excerpt")]
    return hashlib.sha256(json.dumps(texts).encode()).hexdigest()


def _normalised(text: str) -> str:
    spaced = _SPACE_AROUND_TAG.sub(r"\1", _EDITOR_MARKUP.sub(" ", text))
    return " ".join(html.unescape(spaced).split())


def _raw(post: Post, field: str) -> str:
    value = post.get(field)
    return str(value.get("raw") or "") if isinstance(value, dict) else ""


def _wordpress_slug(slug: str) -> str:
    return re.sub("-+", "-", slug).strip("-")


def _address(link: str) -> str:
    try:
        return normalise(link)
    except InvalidUrl:
        return ""
