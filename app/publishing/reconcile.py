"""Reconcile publications whose job ended without a confirmed result: by asking the target, or by hand."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from rq.timeouts import BaseTimeoutException
from sqlalchemy import ColumnElement, CompoundSelect, and_, or_, select

from app.content.model import BlogPost
from app.failures import ServiceFailure, existing, failure
from app.infra.checks import display_url
from app.infra.clock import rfc3339
from app.infra.db import database_now, db, release
from app.infra.http.client import fetcher_from
from app.infra.settings import current_settings
from app.projects.model import Project
from app.publishing import publications
from app.publishing.calls import CallLog
from app.publishing.delivery import require_digest
from app.publishing.document import reference_of
from app.publishing.existing import find_ours
from app.publishing.lease import PublicationLease, lease_unchanged
from app.publishing.model import IN_PROGRESS_STATES, Publication, PublishTarget
from app.publishing.service import access_to
from app.publishing.targets.base import UNKNOWN, PublishProblem, RemotePost
from app.publishing.targets.registry import kind_of

_log = logging.getLogger(__name__)

LOOKUP_SECONDS: Final = 10.0
LOOKUP_INTERVAL: Final = 15 * 60.0
"""Seconds between two lookups of a publication of unknown outcome."""
LOOKUP_PERIOD: Final = 24 * 3600.0
"""Seconds after which such a publication is no longer looked up; then a person has to confirm it."""


def reconcile_publications(active_jobs: CompoundSelect[int], limit: int = 20) -> int:
    """Reconcile publications that a canceled or lost job left open; return how many were due.

    ``active_jobs`` selects the ids of the jobs that are queued or running. Run it periodically; two
    concurrent runs do nothing twice. No transaction is open while a target is asked.
    """
    due = db.session.scalars(
        select(Publication.id).where(_is_due(active_jobs)).order_by(Publication.updated_at).limit(limit)
    ).all()
    release()
    for row_id in due:
        with alone(_log, "publication row %s could not be reconciled", row_id):
            _reconcile(row_id, active_jobs)
    return len(due)


@contextmanager
def alone(log: logging.Logger, message: str, row_id: int) -> Iterator[None]:
    """Log an error of one row, which must not keep the others waiting; release the connection afterwards."""
    try:
        yield
    except BaseTimeoutException:
        raise
    except Exception:
        log.exception(message, row_id)
    finally:
        release()


def confirm_live(project: Project, publication_id: str, url: str) -> Publication:
    """Record that a person found a post of unknown outcome at its target, under ``url``.

    Raises NOT_FOUND, PUBLISH_IN_PROGRESS while its job is running, URL_NOT_ALLOWED.
    """
    publication = _confirmable(project, publication_id)
    if publication.state == "unknown":
        remote = RemotePost(publication.external_id, display_url(url, "/url"))
        _commit_unless_lost(publications.record_remote(lease_unchanged(publication), remote))
    return publication


def confirm_gone(project: Project, publication_id: str) -> Publication:
    """Record that a person did not find a post at its target, or unpublished it there.

    The target is asked first; a person's word counts only if the target gives no clear answer. The post
    becomes a draft unless it is live elsewhere. Raises NOT_FOUND, PUBLISH_IN_PROGRESS, and
    UNPUBLISH_NOT_CONFIRMED if the target still shows the post.
    """
    publication = _confirmable(project, publication_id)
    if publication.state not in ("failed", "unpublished"):
        lease = lease_unchanged(publication)
        target = db.session.get_one(PublishTarget, publication.target_id)
        draft = RemotePost(publication.external_id, "", "draft", fingerprint=publication.fingerprint)
        try:
            found = _ask(publication, target)
            hidden = None if found is None else draft
        except PublishProblem:
            found, hidden = None, draft
        if found is not None and found.status != "draft":
            details = {"target": target.name, "url": found.url}
            raise ServiceFailure(
                "UNPUBLISH_NOT_CONFIRMED", "The target still shows the post.", details=details
            )
        _commit_unless_lost(publications.record_unpublished(lease, hidden))
        return db.session.get_one(Publication, lease.id)
    return publication


def _commit_unless_lost(is_recorded: bool) -> None:
    if not is_recorded:
        db.session.rollback()
        raise ServiceFailure("PUBLISH_IN_PROGRESS")
    db.session.commit()


def _is_due(active_jobs: CompoundSelect[int]) -> ColumnElement[bool]:
    grace = 2.0 * current_settings().lease_seconds
    job_ended = or_(Publication.job_id.is_(None), Publication.job_id.not_in(active_jobs))
    return and_(
        job_ended,
        or_(
            Publication.state == "intent",
            # A worker that has to stop may still be waiting for the response to its call.
            and_(Publication.state == "sending", Publication.updated_at < database_now(-grace)),
            and_(
                Publication.state == "unknown",
                Publication.updated_at < database_now(-LOOKUP_INTERVAL),
                Publication.created_at > database_now(-LOOKUP_PERIOD),
            ),
        ),
    )


def _reconcile(row_id: int, active_jobs: CompoundSelect[int]) -> None:
    row = db.session.execute(
        select(Publication, PublishTarget)
        .join(PublishTarget, PublishTarget.id == Publication.target_id)
        .where(Publication.id == row_id, _is_due(active_jobs))
    ).one_or_none()
    if row is None:
        return
    publication, target = row
    lease = lease_unchanged(publication)
    if publication.state == "intent":
        nothing_sent = failure("CANCELED", "The job ended before anything was sent.")
        publications.record_end(lease, "failed", nothing_sent)
    else:
        _ask_target(publication, lease, target)
    db.session.commit()


def _ask_target(publication: Publication, lease: PublicationLease, target: PublishTarget) -> None:
    # The row is not attached to a session after the call.
    fingerprint, desired_state = publication.fingerprint, publication.desired_state
    try:
        found = require_digest(_ask(publication, target), lease.update)
    except PublishProblem as problem:
        publications.record_failure(lease, PublishProblem(problem.failure, UNKNOWN))
        return
    is_withdrawal, is_update = desired_state == "unpublished", lease.update is not None
    is_sent = found is not None and (not is_update or found.digest == lease.update)
    if found is not None and (is_withdrawal or not is_sent):
        # Nothing was written to the text there: an edit since is still to be noticed.
        found = replace(found, fingerprint=fingerprint)
    if found is None and is_withdrawal:
        publications.record_unpublished(lease, None)
    elif found is not None and found.status == "draft" and (is_withdrawal or is_update):
        # An update hides nothing: somebody did so at the target.
        publications.record_unpublished(lease, found)
    elif found is not None and is_sent:
        publications.record_remote(lease, found)
    else:
        not_there = failure("CANCELED", "The job ended before the blog had the text.")
        publications.record_end(lease, "failed", not_there)


def _ask(publication: Publication, target: PublishTarget) -> RemotePost | None:
    log = CallLog(target.id, publication.publication_id)
    reference, kind = reference_of(publication), log.logged(kind_of(target.kind))
    access = access_to(target, fetcher_from(current_settings(), total_seconds=LOOKUP_SECONDS))
    release()
    return find_ours(kind, reference, access)


def _confirmable(project: Project, publication_id: str) -> Publication:
    named = (
        select(Publication)
        .join(BlogPost, BlogPost.id == Publication.blog_post_id)
        .where(Publication.publication_id == publication_id, BlogPost.project_id == project.id)
    )
    publication = existing(db.session.scalar(named), "NOT_FOUND")
    if publication.state in IN_PROGRESS_STATES:
        raise ServiceFailure("PUBLISH_IN_PROGRESS", details={"since": rfc3339(publication.updated_at)})
    return publication
