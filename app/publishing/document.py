"""Posts as documents for publish targets."""

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from app.content.model import BlogPost, ProjectImage
from app.content.posts.covers import Cover, cover_bytes, cover_facts, json_ld_of
from app.content.posts.images import file_address, image_bytes, images_in, sent_name
from app.content.rendering.html import render_html
from app.content.rendering.images import ImageAddress, reference_to
from app.infra.clock import rfc3339, utc_now
from app.publishing.model import Publication
from app.publishing.targets.base import Document, Picture, Reference, Visibility

_TEXT: Final = (
    "title",
    "meta_title",
    "slug",
    "description",
    "language",
    "primary_keyword",
    "tags",
    "keywords",
    "content",
)
_MOST_COVER_BYTES: Final = 300_000
"""A larger cover is not sent: receivers would refuse the request for its size."""
_MOST_IMAGE_BYTES: Final = 300_000
"""The same for all images of a text together; the first ones are sent."""


def reference_of(publication: Publication) -> Reference:
    return Reference(
        publication.publication_id,
        publication.slug,
        publication.created_at,
        publication.external_id,
        publication.existing_id,
    )


def document_of(
    post: BlogPost, publication_id: str, *, visibility: Visibility = "live", is_update: bool = False
) -> Document:
    """Return a post as it is sent, its JSON-LD without an address. Raises IMAGE_STORAGE_FAILED."""
    cover, shown = cover_facts(post), images_in(post.project_id, post.content)
    json_ld = dated(json_ld_of(post, cover), post.published_at or utc_now())
    members = members_of(post, json_ld, {image.id: reference_to(image.id) for image in shown}.get)
    digest = content_sha256(post)
    # Loading pictures may end the transaction, so it comes last.
    picture, images = picture_of(post, cover), pictures_of(shown)
    return Document(
        publication_id,
        digest,
        {
            **members,
            "cover_image": _cover_image(cover, picture.data),
            "images": _images(shown, images),
        },
        visibility,
        is_update,
        picture,
        images,
    )


def members_of(post: BlogPost, json_ld: list[Any], image_address: ImageAddress) -> dict[str, Any]:
    """Return the JSON-ready members of a post that readers and search engines see, without its cover."""
    return {
        "id": post.id,
        "version": post.version,
        **{name: getattr(post, name) for name in _TEXT},
        "content_html": render_html(post.content, image_address),
        "word_count": post.word_count,
        "reading_minutes": post.reading_minutes,
        "faq": post.faq,
        "json_ld": json_ld,
    }


def pictures_of(images: Iterable[ProjectImage]) -> dict[int, Picture]:
    return {
        image.id: Picture(image_bytes(image), image.media_type, image.alt, sent_name(image))
        for image in images
    }


def image_facts(image: ProjectImage) -> dict[str, Any]:
    return {
        "id": image.id,
        "reference": reference_to(image.id),
        "url": file_address(image.project_id, image.id),
        "file_name": sent_name(image),
        "alt": image.alt,
        "width": image.width,
        "height": image.height,
        "media_type": image.media_type,
    }


def picture_of(post: BlogPost, cover: Cover) -> Picture:
    return Picture(cover_bytes(post), cover.media_type, cover.alt, picture_name(post, cover))


def picture_name(post: BlogPost, cover: Cover) -> str:
    """Return the file name of a post's cover: it contains the slug, and changes with the picture."""
    extension = cover.media_type.removeprefix("image/").replace("jpeg", "jpg")
    return f"{post.slug}-{cover.etag[:8]}.{extension}"


def content_sha256(post: BlogPost) -> str:
    """Return the digest of everything that a reader sees of a post."""
    members = {name: getattr(post, name) for name in _TEXT}
    if post.cover_digest is not None:
        members["cover_image"] = post.cover_digest
    return hashlib.sha256(json.dumps(members, sort_keys=True).encode()).hexdigest()


def dated(json_ld: list[Any], published_at: datetime | None, url: str | None = None) -> list[Any]:
    """Return schema.org data with the posting's date and page; None removes them."""
    added: dict[str, Any] = {}
    if published_at is not None:
        added["datePublished"] = rfc3339(published_at)
    if url is not None:
        added["mainEntityOfPage"] = {"@type": "WebPage", "@id": url}
    return [_with(entry, added) for entry in json_ld]


def _cover_image(cover: Cover, picture: bytes) -> dict[str, Any]:
    is_small = len(picture) <= _MOST_COVER_BYTES
    return {
        **cover.to_dict(),
        "data": base64.b64encode(picture).decode("ascii") if is_small else None,
    }


def _images(shown: Iterable[ProjectImage], pictures: Mapping[int, Picture]) -> list[dict[str, Any]]:
    left, listed = _MOST_IMAGE_BYTES, []
    for image in shown:
        picture = pictures[image.id].data
        fits = len(picture) <= left
        left -= len(picture) if fits else 0
        data = base64.b64encode(picture).decode("ascii") if fits else None
        listed.append({**image_facts(image), "data": data})
    return listed


def _with(entry: Any, added: dict[str, Any]) -> Any:
    if not isinstance(entry, dict) or entry.get("@type") != "BlogPosting":
        return entry
    kept = {k: v for k, v in entry.items() if k not in ("datePublished", "mainEntityOfPage")}
    return {**kept, **added}
