"""Cover images: a generated one on every post, until somebody uploads another."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, Literal
from urllib.parse import urlsplit

from sqlalchemy import delete, select

from app.content.assembly.colours import colours_of
from app.content.assembly.cover import (
    BROWSER_MEDIA_TYPE,
    HEIGHT,
    MEDIA_TYPE,
    WIDTH,
    CoverDesign,
    draw,
    draw_for_browsers,
    draw_preview,
)
from app.content.assembly.json_ld import with_image
from app.content.assembly.pictures import picture_of
from app.content.model import BlogPost, BlogPostCover
from app.content.posts import picture_store
from app.content.posts.picture_store import Place
from app.content.posts.service import write_version
from app.failures import invalid_field
from app.infra.checks import clean_line
from app.infra.clock import utc_now
from app.infra.db import db
from app.projects.model import Project

MOST_ALT: Final = 300


@dataclass(frozen=True)
class Cover:
    """What is known about a post's cover without loading or drawing it.

    ``url`` is where the API serves it, ``etag`` names its bytes.
    """

    url: str
    alt: str
    width: int
    height: int
    media_type: str
    source: Literal["generated", "uploaded"]
    etag: str

    def to_dict(self) -> dict[str, Any]:
        """Return the members that posts show of it."""
        members = ("url", "alt", "width", "height", "media_type", "source")
        return {name: getattr(self, name) for name in members}


def covers_of(project: Project, posts: Iterable[BlogPost]) -> dict[int, Cover]:
    """Return the covers of a project's posts by the post's id; no picture is loaded."""
    found = list(posts)
    with_upload = [post.id for post in found if post.cover_digest is not None]
    uploaded = {}
    if with_upload:
        uploads = select(BlogPostCover).where(BlogPostCover.blog_post_id.in_(with_upload))
        uploaded = {row.blog_post_id: row for row in db.session.scalars(uploads)}
    return {post.id: _cover(project, post, uploaded.get(post.id)) for post in found}


def cover_facts(post: BlogPost) -> Cover:
    """Return what is known about a post's cover."""
    return covers_of(_project(post), [post])[post.id]


def json_ld_of(post: BlogPost, cover: Cover) -> list[dict[str, Any]]:
    """Return a post's schema.org data with its cover."""
    return with_image(
        post.json_ld, alt=cover.alt, width=cover.width, height=cover.height, media_type=cover.media_type
    )


def cover_bytes(post: BlogPost) -> bytes:
    """Return the picture of a post's cover, loaded or drawn. Raises IMAGE_STORAGE_FAILED."""
    return _uploaded(post) or draw(_design(_project(post), post))


def browser_media_type(cover: Cover) -> str:
    """Return the type of what ``browser_bytes`` returns."""
    return cover.media_type if cover.source == "uploaded" else BROWSER_MEDIA_TYPE


def browser_bytes(post: BlogPost) -> bytes:
    """Return the picture of a post's cover as a browser shows it. Raises IMAGE_STORAGE_FAILED."""
    return _uploaded(post) or draw_for_browsers(_design(_project(post), post))


def preview_bytes(post: BlogPost) -> bytes:
    """Return the same in fewer bytes if the cover is generated. Raises IMAGE_STORAGE_FAILED."""
    return _uploaded(post) or draw_preview(_design(_project(post), post))


def upload_cover(post: BlogPost, data: bytes, media_type: str, alt: str | None = None) -> None:
    """Put a picture in place of a post's cover; the present version of the post becomes the next.

    Raises what ``picture_of`` does for the picture, INVALID_REQUEST naming ``/alt``, POST_CHANGED,
    PUBLISH_IN_PROGRESS while the post is being published, and IMAGE_STORAGE_FAILED.
    """
    text = clean_line("alt", alt, MOST_ALT)
    picture, post_id, version = picture_of(data, media_type), post.id, post.version
    cover = BlogPostCover(
        blog_post_id=post_id,
        media_type=picture.media_type,
        width=picture.width,
        height=picture.height,
        content_hash=picture.content_hash,
        **picture_store.put(picture)._asdict(),
        alt=text,
        created_at=utc_now(),
    )
    write_version(post_id, version, cover_digest=_digest(cover.content_hash, text))
    former = _place(post_id)
    db.session.merge(cover)
    db.session.commit()
    db.session.refresh(post)
    picture_store.discard(former)


def describe_cover(post: BlogPost, alt: str | None) -> None:
    """Change the alt text of an uploaded cover; without one it is the post's title.

    Raises INVALID_REQUEST naming ``/alt``, also for a generated cover, whose text is its alt text, and
    POST_CHANGED and PUBLISH_IN_PROGRESS as ``upload_cover`` does.
    """
    text = clean_line("alt", alt, MOST_ALT)
    stored = db.session.get(BlogPostCover, post.id)
    if stored is None:
        raise invalid_field(
            "/alt", "A generated cover is described by the post's title. Upload a picture first."
        )
    _write(post, _digest(stored.content_hash, text))
    stored.alt = text
    db.session.commit()


def remove_cover(post: BlogPost) -> None:
    """Go back to the generated cover; doing it again changes nothing.

    Raises POST_CHANGED and PUBLISH_IN_PROGRESS as ``upload_cover`` does.
    """
    if post.cover_digest is None:
        return
    _write(post, None)
    former = _place(post.id)
    db.session.execute(delete(BlogPostCover).where(BlogPostCover.blog_post_id == post.id))
    db.session.commit()
    picture_store.discard(former)


def _cover(project: Project, post: BlogPost, uploaded: BlogPostCover | None) -> Cover:
    url = f"/public-api/projects/{project.id}/blog-posts/{post.id}/cover"
    if uploaded is None:
        return Cover(url, post.title, WIDTH, HEIGHT, MEDIA_TYPE, "generated", _design(project, post).digest)
    size = (uploaded.width, uploaded.height)
    alt, etag = uploaded.alt or post.title, uploaded.content_hash
    return Cover(url, alt, *size, uploaded.media_type, "uploaded", etag)


def _uploaded(post: BlogPost) -> bytes | None:
    return picture_store.load(BlogPostCover, post.id) if post.cover_digest is not None else None


def _place(post_id: int) -> Place:
    """Return where the picture of the present cover is, without the picture."""
    stored = select(BlogPostCover.object_key).where(BlogPostCover.blog_post_id == post_id)
    return Place(object_key=db.session.scalar(stored))


def _design(project: Project, post: BlogPost) -> CoverDesign:
    colours = colours_of(urlsplit(project.url).netloc, project.brand_color)
    return CoverDesign(post.title, project.name, post.language, colours)


def _project(post: BlogPost) -> Project:
    return db.session.get_one(Project, post.project_id)


def _write(post: BlogPost, digest: str | None) -> None:
    write_version(post.id, post.version, cover_digest=digest)
    db.session.refresh(post)


def _digest(content_hash: str, alt: str | None) -> str:
    """Return what names an uploaded cover as readers meet it: its picture and its alt text."""
    return hashlib.sha256(f"{content_hash} {alt or ''}".encode()).hexdigest()
