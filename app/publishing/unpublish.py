"""Unpublishing by a person's wish: the post is taken away from its target, and is a draft here again."""

from __future__ import annotations

from app.failures import ServiceFailure
from app.infra.db import db, release
from app.infra.outbound import fetcher_from
from app.infra.settings import current_settings
from app.projects.model import Project
from app.publishing import settle
from app.publishing.base import PublishProblem
from app.publishing.model import Publication, PublishTarget
from app.publishing.registry import unpublisher_of
from app.publishing.service import PAGE_SECONDS, access_to


def can_unpublish(target: PublishTarget | None) -> bool:
    """Return whether a target takes posts away when it is told to; of others a person does it there."""
    return target is not None and unpublisher_of(target.kind) is not None


def unpublish(project: Project, publication_id: int) -> Publication:
    """Take a post away from its target, then note that it is gone; to repeat it is harmless.

    No transaction is open while the target is told. Raises NOT_FOUND, PUBLISH_IN_PROGRESS, and what the
    target refuses: then the publication stays as it was.
    """
    publication = settle.settled_publication(project, publication_id)
    sid = publication.sid
    target = db.session.get_one(PublishTarget, publication.target_id)
    publisher = unpublisher_of(target.kind)
    if publisher is None:
        raise ServiceFailure("NOT_FOUND")
    try:
        access = access_to(target, fetcher_from(current_settings(), total_seconds=PAGE_SECONDS))
        release()
        publisher.unpublish(sid, access)
    except PublishProblem as problem:
        told = problem.failure
        raise ServiceFailure(told.code, told.message, hints=told.hints, details=told.details) from problem
    return settle.confirm_gone(project, publication_id)
