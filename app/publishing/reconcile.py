"""Settling publications whose job is over: by asking the target, or by a person's word."""

from __future__ import annotations

import logging
from typing import Final

from rq.timeouts import BaseTimeoutException
from sqlalchemy import ColumnElement, Select, and_, or_, select

from app.content.model import BlogPost
from app.failures import ServiceFailure, failure
from app.infra.clock import rfc3339
from app.infra.db import database_now, db, release
from app.infra.fields import display_url
from app.infra.http.client import fetcher_from
from app.infra.settings import current_settings
from app.projects.model import Project
from app.publishing import publications
from app.publishing.base import UNKNOWN, Delivered, PublishProblem
from app.publishing.document import dated
from app.publishing.model import Publication, PublishTarget
from app.publishing.publications import LIVE_STATES, PublicationLease
from app.publishing.registry import publisher_of
from app.publishing.service import access_to

_log = logging.getLogger(__name__)

LOOKUP_SECONDS: Final = 10.0
LOOKUP_INTERVAL: Final = 15 * 60.0
"""Seconds until a publication of unknown outcome is asked for again, and so on for a day."""
LOOKUP_PERIOD: Final = 24 * 3600.0
"""After this a person has to settle it."""


def reconcile_publications(active_jobs: Select[int], limit: int = 20) -> int:
    """Settle publications that a canceled or lost job left behind; return how many were looked into.

    ``active_jobs`` selects the ids of the jobs that are queued or running. Run it periodically; two at once
    do nothing twice. No transaction is open while a target is asked.
    """
    rows = db.session.scalars(
        select(Publication.publication_id)
        .where(_due(active_jobs))
        .order_by(Publication.updated_at)
        .limit(limit)
    ).all()
    release()
    for publication_id in rows:
        try:
            _settle(publication_id, active_jobs)
        except BaseTimeoutException:
            raise
        except Exception:
            # One that cannot be settled must not keep those behind it waiting.
            _log.exception("publication %s could not be settled", publication_id)
        finally:
            release()
    return len(rows)


def confirm_live(project: Project, publication_id: str, url: str) -> Publication:
    """Take a person's word that a publication of unknown outcome is at its target, under ``url``.

    Raises NOT_FOUND, PUBLISH_IN_PROGRESS while its job works, URL_NOT_ALLOWED.
    """
    publication = _settled_by_hand(project, publication_id)
    if publication.state != "unknown":
        return publication
    delivered = Delivered(publication.external_id, display_url(url, "/url"))
    publications.record_live(publications.lease_unchanged(publication), delivered)
    db.session.commit()
    return publication


def confirm_gone(project: Project, publication_id: str) -> Publication:
    """Take a person's word that a post is not, or no longer, at a target.

    The post is a draft again when it is nowhere else. Raises NOT_FOUND, PUBLISH_IN_PROGRESS.
    """
    publication = _settled_by_hand(project, publication_id)
    if publication.state in ("failed", "unpublished"):
        return publication
    if publications.record_end(publications.lease_unchanged(publication), "unpublished"):
        _forget_the_place(publication.blog_post_id)
    db.session.commit()
    return publication


def _due(active_jobs: Select[int]) -> ColumnElement[bool]:
    grace = 2.0 * current_settings().lease_seconds
    over = or_(Publication.job_id.is_(None), Publication.job_id.not_in(active_jobs))
    unsettled = or_(
        Publication.state == "intent",
        # A worker that was told to stop may still be in the middle of its call.
        and_(Publication.state == "sending", Publication.updated_at < database_now(-grace)),
        and_(
            Publication.state == "unknown",
            Publication.updated_at < database_now(-LOOKUP_INTERVAL),
            Publication.created_at > database_now(-LOOKUP_PERIOD),
        ),
    )
    return and_(over, unsettled)


def _settle(publication_id: str, active_jobs: Select[int]) -> None:
    row = db.session.execute(
        select(Publication, PublishTarget)
        .join(PublishTarget, PublishTarget.id == Publication.target_id)
        .where(Publication.publication_id == publication_id, _due(active_jobs))
    ).one_or_none()
    if row is None:
        return
    publication, target = row
    lease = publications.lease_unchanged(publication)
    if publication.state == "intent":
        publications.record_end(
            lease, "failed", failure("CANCELED", "The job ended before anything was sent.")
        )
    else:
        _write(lease, _asked(lease, target))
    db.session.commit()


def _asked(lease: PublicationLease, target: PublishTarget) -> Delivered | PublishProblem | None:
    """Ask the target, holding no connection to the database."""
    publisher = publisher_of(target.kind)
    try:
        access = access_to(target, fetcher_from(current_settings(), total_seconds=LOOKUP_SECONDS))
        release()
        return publisher.look(lease.publication_id, access, lease.update)
    except PublishProblem as problem:
        return problem


def _write(lease: PublicationLease, answer: Delivered | PublishProblem | None) -> None:
    if isinstance(answer, Delivered):
        publications.record_live(lease, answer)
    elif answer is None:
        not_there = failure("CANCELED", "The job ended before the target had the text.")
        publications.record_end(lease, "failed", not_there)
    else:
        publications.record_failure(lease, PublishProblem(answer.failure, UNKNOWN))


def _settled_by_hand(project: Project, publication_id: str) -> Publication:
    publication = db.session.scalar(
        select(Publication)
        .join(BlogPost, BlogPost.id == Publication.blog_post_id)
        .where(Publication.publication_id == publication_id, BlogPost.project_id == project.id)
    )
    if publication is None:
        raise ServiceFailure("NOT_FOUND")
    if publication.state in ("intent", "sending"):
        raise ServiceFailure("PUBLISH_IN_PROGRESS", details={"since": rfc3339(publication.updated_at)})
    return publication


def _forget_the_place(post_id: int) -> None:
    """Let a locked post name another place where it is live, or none."""
    post = db.session.get_one(BlogPost, post_id)
    other = db.session.scalar(
        select(Publication)
        .where(Publication.blog_post_id == post_id, Publication.state.in_(LIVE_STATES))
        .order_by(Publication.id)
        .limit(1)
    )
    post.published_at = other.published_at if other is not None else None
    post.published_url = other.url if other is not None else None
    post.json_ld = dated(post.json_ld, post.published_at, post.published_url)
    publications.update_post_status(post)
