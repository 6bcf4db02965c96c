"""The record of a publication, step by step, so that a post is never published twice.

    begin (post → publishing, intent; committed) | sending (committed) | the call | landed or missed

A changed text takes the same steps under the same publication id, as an update. Whatever becomes of that, the
publication is live again: with the new text, or with the one that the target has had.

Whoever changes a post's status locks its row first, so the steps of two publications never mix.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
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

OPEN_STATES: Final = ("intent", "sending", "unknown")
LIVE_STATES: Final = ("live", "scheduled")
_IN_PROGRESS: Final = ("intent", "sending")
_NOT_KNOWN: Final = ""
"""The digest of the text at a target that took an update, or did not, without saying so."""


@dataclass(frozen=True)
class PublicationLease:
    """A publication in the hands of one job or one sweep; ``guards`` hold while nobody else took it.

    ``update`` is the digest of the text that takes the place of the one at the target, None for the first.
    """

    id: int
    post_id: int
    target_id: int
    publication_id: str
    state: str
    update: str | None
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


def carries(publication: Publication, post: BlogPost) -> bool:
    """Whether a publication is live with the post's present text."""
    return publication.state in LIVE_STATES and publication.content_sha256 == content_sha256(post)


def outdated(post: BlogPost, publications: Iterable[Publication]) -> set[int]:
    """Return the ids of those publications that are live with another text than the post's present one."""
    return {each.id for each in publications if each.state in LIVE_STATES and not carries(each, post)}


def is_earlier_text(lease: PublicationLease) -> bool:
    """Whether the first text was sent before the post was changed, so that an update has to follow it."""
    publication = db.session.get_one(Publication, lease.id, populate_existing=True)
    post = db.session.get_one(BlogPost, lease.post_id, populate_existing=True)
    return lease.update is None and publication.content_sha256 != content_sha256(post)


def begin(post_id: int, target_id: int, job_id: int) -> PublicationLease:
    """Take a post for publishing, and commit; its publication at the target is new, or the one to go on with.

    A text of state sending may be at the target already: look before sending. A publication that is live with
    the present text is left as it is, and the post too. Raises PUBLISH_IN_PROGRESS, BLOG_POST_NOT_FOUND,
    PUBLISH_TARGET_MISSING.
    """
    _take_post(post_id, target_id, job_id)
    post = db.session.get_one(BlogPost, post_id, populate_existing=True)
    known = active_publication(post_id, target_id)
    if known is not None and carries(known, post):
        lease = _lease_of_job(known, job_id)
        db.session.rollback()
        return lease
    try:
        publication = _intent(post, target_id, job_id) if known is None else _adopted(known, job_id)
        db.session.flush()
        lease = _lease_of_job(publication, job_id)
        db.session.commit()
    except IntegrityError:
        # The target was removed a moment ago.
        db.session.rollback()
        raise ServiceFailure("PUBLISH_TARGET_MISSING") from None
    return lease


def mark_sending(lease: PublicationLease, digest: str, override: Mapping[str, Any] | None = None) -> bool:
    """Write down that a call is about to leave, and commit; False when the publication is no longer ours.

    ``override`` tells that this text leaves in spite of the gate, as Publication has it; an update without
    one keeps what was said of the text before.
    """
    values: dict[str, Any] = {"content_sha256": digest} if lease.update is None else {}
    if override is not None or lease.update is None:
        values["override"] = override
    changed = _change(lease, state="sending", **values)
    db.session.commit()
    return changed


def record_live(lease: PublicationLease, delivered: Delivered) -> bool:
    """Record that the target has the post; commits nothing. False when the publication is not ours now."""
    post = _locked_post(lease.post_id)
    now = utc_now()
    values = {"external_id": delivered.external_id, "url": delivered.url, "published_at": now}
    if lease.update is not None:
        values["content_sha256"] = lease.update
    former = db.session.scalar(select(Publication.url).where(Publication.id == lease.id))
    if post is None or not _change(lease, state="live", failure=None, **values):
        return False
    if post.published_url in (None, former):
        post.published_at, post.published_url = post.published_at or now, delivered.url
        post.json_ld = dated(post.json_ld, post.published_at, delivered.url)
    update_post_status(post)
    return True


def record_failure(lease: PublicationLease, problem: PublishProblem) -> bool:
    """Record a failure, as unknown or failed by its outcome; commits nothing. False as in ``record_live``."""
    return record_end(lease, "unknown" if problem.certainty == UNKNOWN else "failed", problem.failure)


def record_end(lease: PublicationLease, state: str, failure: Failure | None = None) -> bool:
    """Record how a publication ended without being live; commits nothing. False as in ``record_live``.

    One whose update failed, or of whose update nothing is known, is live as before.
    """
    post = _locked_post(lease.post_id)
    values: dict[str, Any] = {"failure": failure.to_dict() if failure is not None else None, "state": state}
    if lease.update is not None:
        values["state"] = "live"
        if state == "unknown":
            values["content_sha256"] = _NOT_KNOWN
    if post is None or not _change(lease, **values):
        return False
    update_post_status(post)
    return True


def lease_unchanged(publication: Publication) -> PublicationLease:
    """Hold a publication for as long as nobody else touches it."""
    guards = (
        Publication.job_id.is_not_distinct_from(publication.job_id),
        Publication.state == publication.state,
        Publication.updated_at == publication.updated_at,
    )
    return _with_guards(publication, guards)


def update_post_status(post: BlogPost) -> None:
    """Give a locked post the status that its publications leave it."""
    db.session.flush()
    underway = exists().where(Publication.blog_post_id == post.id, Publication.state.in_(_IN_PROGRESS))
    status = case((underway, "publishing"), (BlogPost.published_at.is_not(None), "published"), else_="draft")
    _update(BlogPost, (BlogPost.id == post.id,), status=status)
    db.session.expire(post, ["status"])


def _take_post(post_id: int, target_id: int, job_id: int) -> None:
    ours = exists().where(
        Publication.blog_post_id == post_id,
        Publication.target_id == target_id,
        Publication.job_id == job_id,
        Publication.state.in_(_IN_PROGRESS),
    )
    free = or_(BlogPost.status.in_(("draft", "published")), and_(BlogPost.status == "publishing", ours))
    if _update(BlogPost, (BlogPost.id == post_id, free), status="publishing"):
        return
    there = db.session.scalar(select(BlogPost.id).where(BlogPost.id == post_id)) is not None
    db.session.rollback()
    raise ServiceFailure("PUBLISH_IN_PROGRESS" if there else "BLOG_POST_NOT_FOUND")


def _intent(post: BlogPost, target_id: int, job_id: int) -> Publication:
    now: Any = database_now()
    publication = Publication(
        blog_post_id=post.id, target_id=target_id, job_id=job_id, publication_id=f"pub_{uuid.uuid4().hex}",
        state="intent", content_sha256=content_sha256(post), created_at=now, updated_at=now,
    )  # fmt: skip
    db.session.add(publication)
    return publication


def _adopted(known: Publication, job_id: int) -> Publication:
    maybe_there = known.state in ("sending", "unknown") or known.content_sha256 == _NOT_KNOWN
    state = "sending" if maybe_there else "intent"
    _update(Publication, (Publication.id == known.id,), job_id=job_id, state=state, updated_at=database_now())
    db.session.refresh(known)
    return known


def _lease_of_job(publication: Publication, job_id: int) -> PublicationLease:
    return _with_guards(publication, (Publication.job_id == job_id, Publication.state.in_(OPEN_STATES)))


def _with_guards(publication: Publication, guards: tuple[ColumnElement[bool], ...]) -> PublicationLease:
    return PublicationLease(
        publication.id,
        publication.blog_post_id,
        publication.target_id,
        publication.publication_id,
        publication.state,
        _update_of(publication),
        guards,
    )


def _update_of(publication: Publication) -> str | None:
    """Return the digest of the text that is underway to a target which has another one of this post already.

    Nobody changes a post that is being published, so it is the post's own.
    """
    if publication.published_at is None or publication.state not in _IN_PROGRESS:
        return None
    return content_sha256(db.session.get_one(BlogPost, publication.blog_post_id))


def _locked_post(post_id: int) -> BlogPost | None:
    return db.session.get(BlogPost, post_id, with_for_update=True, populate_existing=True)


def _change(lease: PublicationLease, **values: Any) -> bool:
    return _update(
        Publication, (Publication.id == lease.id, *lease.guards), updated_at=database_now(), **values
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
