"""The versions of a post: each saved text, to be compared and brought back."""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Final

from sqlalchemy import Select, delete, select

from app.content.model import BlogPost, BlogPostVersion
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db

TEXTS: Final = ("title", "meta_title", "description", "content")
"""The members that a version keeps. The slug is none of them: it is an address, which must not move back."""

WHY: Final = ("generated", "edited", "autosaved", "refreshed", "restored", "set_aside")
"""Why a version can have been kept."""

MOST_KEPT: Final = 50
_JOINED: Final = timedelta(minutes=10)
"""Autosaves of one person within this time are one version."""


def keep_version(post: BlogPost, why: str, by: str = "") -> None:
    """Keep the present text of a post that was flushed, unless the newest version has it; the caller commits.

    An autosave takes the place of the same person's last one if that began within ten minutes. The oldest of
    more than MOST_KEPT versions are removed.
    """
    texts = {name: getattr(post, name) for name in TEXTS}
    newest = db.session.scalar(_of(post).limit(1))
    if newest is not None and newest.why != "set_aside" and _has(newest, texts):
        return
    if newest is None or not _joins(newest, why, by):
        _add(post, why, by, texts, post.word_count)
        return
    for name, text in texts.items():
        setattr(newest, name, text)
    newest.version, newest.word_count, newest.saved_at = post.version, post.word_count, utc_now()


def set_aside(post: BlogPost, texts: Mapping[str, str], by: str, word_count: int) -> None:
    """Keep a text that was typed for a post but not saved in it; the post stays as it is."""
    _add(post, "set_aside", by, {name: texts[name] for name in TEXTS}, word_count)
    db.session.commit()


def list_versions(post: BlogPost, most: int = MOST_KEPT) -> Sequence[BlogPostVersion]:
    """Return the versions of a post, newest first."""
    return db.session.scalars(_of(post).limit(most)).all()


def get_version(post: BlogPost, version_id: int) -> BlogPostVersion:
    """Return a version of the post. Raises POST_VERSION_NOT_FOUND."""
    found = db.session.get(BlogPostVersion, version_id)
    if found is None or found.blog_post_id != post.id:
        raise ServiceFailure("POST_VERSION_NOT_FOUND")
    return found


def _has(kept: BlogPostVersion, texts: Mapping[str, str]) -> bool:
    return all(getattr(kept, name) == text for name, text in texts.items())


def _joins(newest: BlogPostVersion, why: str, by: str) -> bool:
    same = newest.why == why == "autosaved" and newest.by == by
    return same and utc_now() - newest.created_at < _JOINED


def _of(post: BlogPost) -> Select[BlogPostVersion]:
    where = BlogPostVersion.blog_post_id == post.id
    return select(BlogPostVersion).where(where).order_by(BlogPostVersion.id.desc())


def _add(post: BlogPost, why: str, by: str, texts: Mapping[str, str], word_count: int) -> None:
    kept = BlogPostVersion(
        blog_post_id=post.id, version=post.version, why=why, by=by[:200], word_count=word_count, **texts
    )
    db.session.add(kept)
    db.session.flush()
    too_old = _of(post).with_only_columns(BlogPostVersion.id).offset(MOST_KEPT)
    ids = db.session.scalars(too_old).all()
    if ids:
        db.session.execute(delete(BlogPostVersion).where(BlogPostVersion.id.in_(ids)))
