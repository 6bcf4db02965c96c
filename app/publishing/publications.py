"""The record of a publication, step by step, so that a post is never published twice.

    begin (post → publishing, intent; committed) | sending (committed) | the call | landed or missed

Whoever changes a post's status locks its row first, so the steps of two publications never mix.
"""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, case, exists, or_, select, update
from sqlalchemy.exc import IntegrityError

from app.content.model import BlogPost
from app.failures import Failure, ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import database_now, db
from app.publishing.base import UNKNOWN, Delivered, PublishProblem
from app.publishing.document import content_sha256, dated
from app.publishing.model import Publication

UNSETTLED: Final = ("intent", "sending", "unknown")
LANDED: Final = ("live", "scheduled")
_UNDERWAY: Final = ("intent", "sending")


@dataclass(frozen=True)
class Held:
    """A publication in the hands of one job or one sweep; ``guards`` hold while nobody else took it."""

    id: int
    post_id: int
    target_id: int
    sid: str
    state: str
    guards: tuple[ColumnElement[bool], ...]


def active_publication(post_id: int, target_id: int) -> Publication | None:
    """Return the one publication of a post at a target that is, or may be, there."""
    return db.session.scalar(
        select(Publication).where(
            Publication.blog_post_id == post_id,
            Publication.target_id == target_id,
            Publication.state.not_in(("failed", "unpublished")),
        )
    )


def begin(post_id: int, target_id: int, job_id: int) -> Held:
    """Take a post for publishing, and commit; its publication at the target is new, or an unsettled one.

    A publication of state sending may be at the target already: look before sending. One of state live is
    left as it is, and the post too. Raises PUBLISH_IN_PROGRESS, BLOG_POST_NOT_FOUND, PUBLISH_TARGET_MISSING.
    """
    _take_post(post_id, target_id, job_id)
    known = active_publication(post_id, target_id)
    if known is not None and known.state in LANDED:
        held = _held(known, job_id)
        db.session.rollback()
        return held
    try:
        publication = _intent(post_id, target_id, job_id) if known is None else _adopted(known, job_id)
        db.session.flush()
        held = _held(publication, job_id)
        db.session.commit()
    except IntegrityError:
        # The target was removed a moment ago.
        db.session.rollback()
        raise ServiceFailure("PUBLISH_TARGET_MISSING") from None
    return held


def mark_sending(held: Held, digest: str, override: Mapping[str, Any] | None = None) -> bool:
    """Write down that a call is about to leave, and commit; False when the publication is no longer ours.

    ``override`` tells that this text leaves in spite of the gate, as Publication has it.
    """
    changed = _change(held, state="sending", content_sha256=digest, override=override)
    db.session.commit()
    return changed


def landed(held: Held, delivered: Delivered) -> bool:
    """Record that the target has the post; commits nothing. False when the publication is not ours now."""
    post = _locked_post(held.post_id)
    now = utc_now()
    values = {"external_id": delivered.external_id, "url": delivered.url, "published_at": now}
    if post is None or not _change(held, state="live", failure=None, **values):
        return False
    if post.published_at is None:
        post.published_at, post.published_url = now, delivered.url
        post.json_ld = dated(post.json_ld, now, delivered.url)
    settle_post(post)
    return True


def missed(held: Held, problem: PublishProblem) -> bool:
    """Record a failure, as unknown or failed by its outcome; commits nothing. False as in ``landed``."""
    return closed(held, "unknown" if problem.outcome == UNKNOWN else "failed", problem.failure)


def closed(held: Held, state: str, failure: Failure | None = None) -> bool:
    """Record how a publication ended without being live; commits nothing. False as in ``landed``."""
    post = _locked_post(held.post_id)
    told = failure.to_dict() if failure is not None else None
    if post is None or not _change(held, state=state, failure=told):
        return False
    settle_post(post)
    return True


def as_seen(publication: Publication) -> Held:
    """Hold a publication for as long as nobody else touches it."""
    guards = (
        Publication.job_id.is_not_distinct_from(publication.job_id),
        Publication.state == publication.state,
        Publication.updated_at == publication.updated_at,
    )
    return _with_guards(publication, guards)


def settle_post(post: BlogPost) -> None:
    """Give a locked post the status that its publications leave it."""
    db.session.flush()
    underway = exists().where(Publication.blog_post_id == post.id, Publication.state.in_(_UNDERWAY))
    status = case((underway, "publishing"), (BlogPost.published_at.is_not(None), "published"), else_="draft")
    _update(BlogPost, (BlogPost.id == post.id,), status=status)
    db.session.expire(post, ["status"])


def _take_post(post_id: int, target_id: int, job_id: int) -> None:
    ours = exists().where(
        Publication.blog_post_id == post_id,
        Publication.target_id == target_id,
        Publication.job_id == job_id,
        Publication.state.in_(_UNDERWAY),
    )
    free = or_(BlogPost.status.in_(("draft", "published")), and_(BlogPost.status == "publishing", ours))
    if _update(BlogPost, (BlogPost.id == post_id, free), status="publishing"):
        return
    there = db.session.scalar(select(BlogPost.id).where(BlogPost.id == post_id)) is not None
    db.session.rollback()
    raise ServiceFailure("PUBLISH_IN_PROGRESS" if there else "BLOG_POST_NOT_FOUND")


def _intent(post_id: int, target_id: int, job_id: int) -> Publication:
    now: Any = database_now()
    post = db.session.get_one(BlogPost, post_id, populate_existing=True)
    publication = Publication(
        blog_post_id=post_id, target_id=target_id, job_id=job_id, sid=f"sid:{uuid.uuid4().hex}",
        state="intent", content_sha256=content_sha256(post), created_at=now, updated_at=now,
    )  # fmt: skip
    db.session.add(publication)
    return publication


def _adopted(known: Publication, job_id: int) -> Publication:
    state = "intent" if known.state == "intent" else "sending"
    _update(Publication, (Publication.id == known.id,), job_id=job_id, state=state, updated_at=database_now())
    db.session.refresh(known)
    return known


def _held(publication: Publication, job_id: int) -> Held:
    return _with_guards(publication, (Publication.job_id == job_id, Publication.state.in_(UNSETTLED)))


def _with_guards(publication: Publication, guards: tuple[ColumnElement[bool], ...]) -> Held:
    return Held(
        publication.id, publication.blog_post_id, publication.target_id, publication.sid, publication.state,
        guards,
    )  # fmt: skip


def _locked_post(post_id: int) -> BlogPost | None:
    return db.session.get(BlogPost, post_id, with_for_update=True, populate_existing=True)


def _change(held: Held, **values: Any) -> bool:
    return _update(
        Publication, (Publication.id == held.id, *held.guards), updated_at=database_now(), **values
    )


def _update(
    model: type[BlogPost] | type[Publication], guards: tuple[ColumnElement[bool], ...], **values: Any
) -> bool:
    """Change one row; return whether there was one that met every guard."""
    changed: Mapping[str, Any] = values
    statement = (
        update(model)
        .where(*guards)
        .values(**changed)
        .returning(model.id)
        .execution_options(synchronize_session=False)
    )
    return db.session.scalar(statement) is not None
