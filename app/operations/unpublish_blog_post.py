"""UNPUBLISH_BLOG_POST: hides a post from the readers of one target, and asks the target whether it is hidden.

    begin (committed) | find | hidden or gone: record unpublished
                             | live: unpublish, then find again until it is hidden

If the job ends in between, its publication stays open, and the reconciliation asks the target.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from marshmallow import Schema
from sqlalchemy import select

from app.content.posts.service import get_idle_post
from app.failures import ServiceFailure
from app.infra.db import db, release
from app.infra.faults import Point, reach
from app.operations.base import JobResult, Operation, OperationFailed, Payload, Run
from app.operations.fields import blog_post_id
from app.operations.publishing import access_for, pause, record_failed_job, target_field
from app.projects.model import Project
from app.publishing import publications, scheduled
from app.publishing.calls import CallLog
from app.publishing.delivery import LOOKUP_DELAYS
from app.publishing.document import reference_of
from app.publishing.lease import PublicationLease
from app.publishing.model import MAYBE_LIVE, Publication, PublishTarget
from app.publishing.service import get_target
from app.publishing.targets.base import NOT_DELIVERED, PublishProblem, RemotePost
from app.publishing.targets.registry import kind_of
from app.publishing.withdrawal import Withdrawal


class UnpublishBlogPostInput(Schema):
    blog_post_id = blog_post_id("The post to unpublish.")
    target = target_field("Id or name of a publish target; may be left out if the post is live at one.")


def admit(project: Project, payload: Payload) -> None:
    """Refuse a post that cannot be unpublished now, and cancel what waits for it at the target.

    Raises, in this order: BLOG_POST_NOT_FOUND, PUBLISH_IN_PROGRESS, PUBLISH_TARGET_MISSING,
    PUBLISH_TARGET_REQUIRED, UNPUBLISH_NOT_SUPPORTED.
    """
    post = get_idle_post(project, payload["blog_post_id"])
    target = target_of(project.id, post.id, payload.get("target"))
    kind = kind_of(target.kind)
    if kind.unpublish is None:
        raise ServiceFailure("UNPUBLISH_NOT_SUPPORTED", hints=[kind.unpublishing])
    scheduled.cancel_waiting(post.id, target.id)


def target_of(project_id: int, post_id: int, ref: int | str | None) -> PublishTarget:
    """Return the named target, or the only one where the post is, or may be, live.

    Raises PUBLISH_TARGET_MISSING, PUBLISH_TARGET_REQUIRED.
    """
    if ref is None:
        ids = db.session.scalars(
            select(Publication.target_id).where(
                Publication.blog_post_id == post_id, Publication.state.in_(MAYBE_LIVE)
            )
        ).all()
        ref = ids[0] if len(ids) == 1 else None
    return get_target(project_id, ref)


def perform(run: Run, lookup_delays: Sequence[float] = LOOKUP_DELAYS) -> JobResult:
    """Unpublish the post. The transaction that ends the job also records the outcome."""
    post_id = run.payload["blog_post_id"]
    target = target_of(run.project_id, post_id, run.payload.get("target"))
    kind, target_id = kind_of(target.kind), target.id
    run.progress("unpublish", 0, 1, target.name)
    target = get_target(run.project_id, target_id)
    access = access_for(run, target)
    lease = publications.begin_unpublishing(post_id, target_id, run.job_id)
    if lease is None:
        return JobResult(_result(post_id, target_id, None))
    publication = db.session.get_one(Publication, lease.id)
    reference, fingerprint = reference_of(publication), publication.fingerprint
    release()
    reach(Point.UNPUBLISH_BEFORE_CALL)
    logged = CallLog(target_id, lease.publication_id, run.job_id).logged(kind)
    withdrawal = Withdrawal(logged, access, reference, partial(pause, run), fingerprint, lookup_delays)
    try:
        hidden = withdrawal.unpublish()
    except PublishProblem as problem:
        raise OperationFailed(problem.failure, effect=partial(_keep, lease, problem)) from problem
    reach(Point.UNPUBLISH_AFTER_CALL_BEFORE_RECORD)
    return JobResult(_result(post_id, target_id, hidden), effect=partial(_save, lease, hidden))


def _save(lease: PublicationLease, hidden: RemotePost | None) -> None:
    if not publications.record_unpublished(lease, hidden):
        raise RuntimeError("the publication lease is lost")


def _keep(lease: PublicationLease, problem: PublishProblem) -> None:
    was_live = db.session.get_one(Publication, lease.id).published_at is not None
    is_live = was_live and problem.certainty == NOT_DELIVERED
    publications.record_end(lease, "live" if is_live else "unknown", problem.failure)


def _result(post_id: int, target_id: int, hidden: RemotePost | None) -> dict[str, Any]:
    return {
        "blog_post_id": post_id,
        "target_id": target_id,
        "external_id": hidden.external_id if hidden is not None else None,
        "state": "unpublished",
    }


OPERATION = Operation(
    name="UNPUBLISH_BLOG_POST",
    title="Unpublish blog post",
    summary="Hides a published blog post from readers at one of the project's publish targets.",
    schema=UnpublishBlogPostInput,
    perform=perform,
    admit=admit,
    on_failed=record_failed_job,
)
