"""The steps of a publication, each recorded before the next, so that a post is never published twice.

    begin (post → publishing, publication → intent) | mark_sending | the calls | record_remote, record_failure

A changed text goes through the same steps under the same publication id, as an update. In the end the
publication is live again, with the new text or with the former one.

Every step locks the post's row before it changes the post's status, so concurrent publications of one post
cannot interleave.
"""

import uuid
from collections.abc import Iterable, Mapping
from typing import Any, Final

from sqlalchemy import and_, case, exists, or_, select
from sqlalchemy.exc import IntegrityError

from app.content.model import BlogPost
from app.failures import Failure, ServiceFailure, invalid_field
from app.infra.clock import utc_now
from app.infra.db import database_now, db
from app.publishing import scheduled
from app.publishing.document import content_sha256, dated
from app.publishing.lease import PublicationLease, lease_for_job, update_row
from app.publishing.model import HIDDEN_STATES, IN_PROGRESS_STATES, LIVE_STATES, MAYBE_LIVE, Publication
from app.publishing.public_address import NOT_OPENED, PublicAddress
from app.publishing.service import refuse_removed
from app.publishing.targets.base import UNKNOWN, PublishProblem, RemotePost, Visibility

_NOT_KNOWN: Final = ""
"""The digest of the text at a target for which the outcome of an update is unknown."""


def active_publication(post_id: int, target_id: int) -> Publication | None:
    """Return the publication of a post at a target that neither failed nor was unpublished, or None."""
    return db.session.scalar(
        select(Publication).where(
            Publication.blog_post_id == post_id,
            Publication.target_id == target_id,
            Publication.state.not_in(("failed", "unpublished")),
        )
    )


def hidden_publication(post_id: int, target_id: int) -> Publication | None:
    """Return the newest publication of a post that the target may have as a hidden draft, or None."""
    return db.session.scalar(
        select(Publication)
        .where(
            Publication.blog_post_id == post_id,
            Publication.target_id == target_id,
            Publication.state.in_(HIDDEN_STATES),
            Publication.external_id.is_not(None),
        )
        .order_by(Publication.id.desc())
        .limit(1)
    )


def is_current(publication: Publication, post: BlogPost, visibility: Visibility = "live") -> bool:
    """Return whether the target has the post's present text, live or as a draft."""
    states = LIVE_STATES if visibility == "live" else ("draft",)
    return publication.state in states and publication.content_sha256 == content_sha256(post)


def outdated(post: BlogPost, publications: Iterable[Publication]) -> set[int]:
    """Return the ids of the publications that are live with another text than the post's present one."""
    return {each.id for each in publications if each.state in LIVE_STATES and not is_current(each, post)}


def is_earlier_text(lease: PublicationLease) -> bool:
    """Return whether the post was changed after its first text was sent, so that an update must follow."""
    publication = db.session.get_one(Publication, lease.id, populate_existing=True)
    post = db.session.get_one(BlogPost, lease.post_id, populate_existing=True)
    return lease.update is None and publication.content_sha256 != content_sha256(post)


def begin(
    post_id: int,
    target_id: int,
    job_id: int,
    visibility: Visibility = "live",
    *,
    reuses_drafts: bool = False,
) -> PublicationLease:
    """Start to publish a post, and commit; return the lease of a new publication or of the open one.

    If the lease's state is sending, the target may have the text already: look it up before sending. If the
    target has the present text as wanted, nothing is changed and the state is live or draft. With
    ``reuses_drafts`` a hidden draft at the target is published, instead of a new post. Raises
    PUBLISH_IN_PROGRESS, BLOG_POST_NOT_FOUND, PUBLISH_TARGET_MISSING, and INVALID_REQUEST for a draft of a
    post that is, or may be, live at the target.
    """
    _take_post(post_id, target_id, job_id)
    post = db.session.get_one(BlogPost, post_id, populate_existing=True)
    known = active_publication(post_id, target_id)
    if known is None and reuses_drafts:
        known = hidden_publication(post_id, target_id)
    if known is not None and is_current(known, post, visibility):
        lease = lease_for_job(known, job_id)
        db.session.rollback()
        return lease
    if known is not None and visibility == "draft" and known.published_at and known.state in MAYBE_LIVE:
        db.session.rollback()
        raise invalid_field("/visibility", "The post is, or may be, live there. Unpublish it first.")
    try:
        refuse_removed(target_id)
        if known is None:
            publication = _intent(post, target_id, job_id, visibility)
        else:
            publication = _reopened(known, job_id, visibility)
        db.session.flush()
        lease = lease_for_job(publication, job_id)
        db.session.commit()
    except IntegrityError:
        # The target was deleted meanwhile.
        db.session.rollback()
        raise ServiceFailure("PUBLISH_TARGET_MISSING") from None
    return lease


def begin_unpublishing(post_id: int, target_id: int, job_id: int) -> PublicationLease | None:
    """Start to unpublish a post, and commit; return its lease, or None if it is not live at the target.

    Raises PUBLISH_IN_PROGRESS, BLOG_POST_NOT_FOUND.
    """
    _take_post(post_id, target_id, job_id)
    known = active_publication(post_id, target_id)
    if known is None or known.state not in MAYBE_LIVE:
        db.session.rollback()
        return None
    values = {"job_id": job_id, "state": "sending", "desired_state": "unpublished"}
    update_row(Publication, (Publication.id == known.id,), updated_at=database_now(), **values)
    db.session.refresh(known)
    lease = lease_for_job(known, job_id)
    db.session.commit()
    return lease


def mark_sending(lease: PublicationLease, digest: str, override: Mapping[str, Any] | None = None) -> bool:
    """Record that a text is about to be sent, and commit; return False if the lease is lost.

    ``override`` is stored as Publication describes it. An update without one keeps the former override.
    """
    values: dict[str, Any] = {"content_sha256": digest} if lease.update is None else {}
    if override is not None or lease.update is None:
        values["override"] = override
    return lease.change_now(state="sending", **values)


def record_remote(lease: PublicationLease, remote: RemotePost, public: PublicAddress = NOT_OPENED) -> bool:
    """Record the post as the target has it, live, scheduled or hidden as a draft; commits nothing.

    ``public`` is what a reader got at its address. What waits to be published there by a schedule is
    canceled. Returns False if the lease is lost.
    """
    post = _locked_post(lease.post_id)
    now = utc_now()
    values: dict[str, Any] = {
        "state": remote.status,
        "external_id": remote.external_id,
        "url": remote.url,
        "fingerprint": remote.fingerprint,
        "public_status": public.status,
        "public_remark": public.remark,
        "failure": None,
        "published_at": None if remote.status == "draft" else now,
    }
    if lease.update is not None:
        values["content_sha256"] = lease.update
    former = db.session.scalar(select(Publication.url).where(Publication.id == lease.id))
    if post is None or not lease.change(**values):
        return False
    if remote.status != "draft" and post.published_url in (None, former):
        post.published_at, post.published_url = post.published_at or now, remote.url
        post.json_ld = dated(post.json_ld, post.published_at, remote.url)
    update_post_status(post)
    job_id = db.session.scalar(select(Publication.job_id).where(Publication.id == lease.id))
    scheduled.end_by_publishing(lease.id, job_id)
    return True


def record_unpublished(lease: PublicationLease, hidden: RemotePost | None) -> bool:
    """Record that the target does not show the post, and the draft that is ``hidden`` there.

    The post becomes a draft unless it is live elsewhere. Returns False if the lease is lost. Commits nothing.
    """
    post = _locked_post(lease.post_id)
    values: dict[str, Any] = {
        "state": "unpublished",
        "failure": None,
        "external_id": None,
        "public_status": None,
        "public_remark": None,
    }
    if hidden is not None:
        values |= {"external_id": hidden.external_id, "fingerprint": hidden.fingerprint}
    if post is None or not lease.change(**values):
        return False
    other = db.session.scalar(
        select(Publication)
        .where(Publication.blog_post_id == post.id, Publication.state.in_(LIVE_STATES))
        .order_by(Publication.id)
        .limit(1)
    )
    post.published_at = other.published_at if other is not None else None
    post.published_url = other.url if other is not None else None
    post.json_ld = dated(post.json_ld, post.published_at, post.published_url)
    update_post_status(post)
    return True


def record_failure(lease: PublicationLease, problem: PublishProblem) -> bool:
    """Record a failed call as failed or unknown; return False if the lease is lost. Commits nothing."""
    return record_end(lease, "unknown" if problem.certainty == UNKNOWN else "failed", problem.failure)


def record_end(lease: PublicationLease, state: str, failure: Failure | None = None) -> bool:
    """Record the state in which a publication ended; return False if the lease is lost. Commits nothing.

    A publication whose update failed, or has an unknown outcome, is live as before.
    """
    post = _locked_post(lease.post_id)
    values: dict[str, Any] = {"failure": failure.to_dict() if failure is not None else None, "state": state}
    if lease.update is not None:
        values["state"] = "live"
        if state == "unknown":
            values["content_sha256"] = _NOT_KNOWN
    if post is None or not lease.change(**values):
        return False
    update_post_status(post)
    return True


def update_post_status(post: BlogPost) -> None:
    db.session.flush()
    in_progress = exists().where(
        Publication.blog_post_id == post.id, Publication.state.in_(IN_PROGRESS_STATES)
    )
    status = case(
        (in_progress, "publishing"), (BlogPost.published_at.is_not(None), "published"), else_="draft"
    )
    update_row(BlogPost, (BlogPost.id == post.id,), status=status)
    db.session.expire(post, ["status"])


def _take_post(post_id: int, target_id: int, job_id: int) -> None:
    ours = exists().where(
        Publication.blog_post_id == post_id,
        Publication.target_id == target_id,
        Publication.job_id == job_id,
        Publication.state.in_(IN_PROGRESS_STATES),
    )
    free = or_(BlogPost.status.in_(("draft", "published")), and_(BlogPost.status == "publishing", ours))
    if update_row(BlogPost, (BlogPost.id == post_id, free), status="publishing"):
        return
    there = db.session.scalar(select(BlogPost.id).where(BlogPost.id == post_id)) is not None
    db.session.rollback()
    raise ServiceFailure("PUBLISH_IN_PROGRESS" if there else "BLOG_POST_NOT_FOUND")


def _intent(post: BlogPost, target_id: int, job_id: int, visibility: Visibility) -> Publication:
    now: Any = database_now()
    publication = Publication(
        blog_post_id=post.id,
        target_id=target_id,
        job_id=job_id,
        publication_id=f"pub_{uuid.uuid4().hex}",
        state="intent",
        desired_state=visibility,
        slug=post.slug,
        content_sha256=content_sha256(post),
        created_at=now,
        updated_at=now,
    )
    db.session.add(publication)
    return publication


def _reopened(known: Publication, job_id: int, visibility: Visibility) -> Publication:
    may_be_there = known.state in ("sending", "unknown") or known.content_sha256 == _NOT_KNOWN
    values: dict[str, Any] = {"state": "sending" if may_be_there else "intent"}
    if known.state in HIDDEN_STATES:
        values["published_at"] = None
    update_row(
        Publication,
        (Publication.id == known.id,),
        job_id=job_id,
        desired_state=visibility,
        updated_at=database_now(),
        **values,
    )
    db.session.refresh(known)
    return known


def _locked_post(post_id: int) -> BlogPost | None:
    return db.session.get(BlogPost, post_id, with_for_update=True, populate_existing=True)
