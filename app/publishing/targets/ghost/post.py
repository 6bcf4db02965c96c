"""A post as Ghost's Admin API takes it, and the marker by which it is found there again. Pure.

The marker is in the post's code injection, which belongs to the page's head. What the owner of the site has
added there is kept.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from app.infra.urls import normalise
from app.publishing.targets.base import Document, RemotePost
from app.publishing.targets.ghost.api import STATUSES
from app.publishing.targets.ghost.html import with_cards

_MOST_TITLE: Final = 255
_MOST_EXCERPT: Final = 300
_MOST_META_TITLE: Final = 300
_MOST_META_DESCRIPTION: Final = 500
_MOST_TAG: Final = 191
_MOST_HEAD: Final = 65_535

_MARKER: Final = re.compile(r"<!-- publication:(\S+) sha256:(\S+) -->")
_BLOCK: Final = re.compile(r"<!-- publication:\S+ sha256:\S+ -->.*?<!-- /publication -->\n?", re.DOTALL)


def first_members(document: Document) -> dict[str, Any]:
    """Return the members that belong to the site once the post is there: its slug and tags."""
    return {"slug": document.post["slug"], "tags": _tags(document.post["tags"])}


def text_members(document: Document, head: str | None) -> dict[str, Any]:
    """Return the members that each change sets. ``head`` is the post's present code injection."""
    post = document.post
    return {
        "title": cut(post["title"], _MOST_TITLE),
        "html": with_cards(post["content_html"]),
        "custom_excerpt": cut(post["description"], _MOST_EXCERPT),
        "meta_title": cut(post["meta_title"], _MOST_META_TITLE),
        "meta_description": cut(post["description"], _MOST_META_DESCRIPTION),
        "codeinjection_head": _head(document, head or ""),
    }


def remote_of(post: Mapping[str, Any]) -> RemotePost:
    """Return one of Ghost's posts, read with its HTML, as what it is to this service."""
    marker = _MARKER.search(post.get("codeinjection_head") or "")
    return RemotePost(
        external_id=post["id"],
        url=normalise(post["url"]),
        status=STATUSES[post["status"]],
        digest=marker[2] if marker else None,
        fingerprint=_fingerprint(post),
        slug=post["slug"],
        title=post.get("title"),
        text=post.get("html"),
        publication_id=marker[1] if marker else None,
        version=post["updated_at"],
    )


def cut(text: str | None, most: int) -> str | None:
    """Return a text of at most ``most`` characters, cut at a space; None if it is empty."""
    if not text:
        return None
    if len(text) <= most:
        return text
    start = text[: most - 1]
    return f"{start.rpartition(' ')[0] or start}…"


def _fingerprint(post: Mapping[str, Any]) -> str:
    shown = [post.get(name) for name in ("title", "html", "custom_excerpt", "feature_image")]
    return hashlib.sha256(json.dumps(shown).encode()).hexdigest()


def _head(document: Document, head: str) -> str:
    marker = f"<!-- publication:{document.publication_id} sha256:{document.digest} -->"
    others = _BLOCK.sub("", head)
    block = f"{marker}{_json_ld(document.post['json_ld'])}<!-- /publication -->\n"
    if len(block) + len(others) > _MOST_HEAD:
        block = f"{marker}<!-- /publication -->\n"
    return block + others


def _json_ld(entries: Iterable[Any]) -> str:
    """Return a script element with the schema.org data that Ghost does not write itself.

    Ghost describes each article with the address and the dates that it has there.
    """
    kept = [entry for entry in entries if entry.get("@type") != "BlogPosting"]
    if not kept:
        return ""
    text = json.dumps(kept, ensure_ascii=False).replace("<", "\\u003c")
    return f'<script type="application/ld+json">{text}</script>'


def _tags(names: Iterable[str]) -> list[str]:
    """Return tags as Ghost takes them: a leading # would make a tag internal, a leading comma is refused."""
    tags = (name.strip(" #,")[:_MOST_TAG] for name in names)
    return list(dict.fromkeys(tag for tag in tags if tag))
