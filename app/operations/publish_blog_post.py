"""PUBLISH_BLOG_POST: publishes a post at a target once, and each changed text of it once.

    begin (committed) | look up what may have been sent | gate | mark sending (committed) | send | record

If the job ends in between, its publication stays open. The next attempt, or the reconciliation, looks it up.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import exists, select

from app.content.model import BlogPost
from app.content.posts.service import get_idle_post
from app.failures import ServiceFailure, invalid_field
from app.infra.clock import rfc3339, utc_now
from app.infra.db import db, release, row_of_project
from app.infra.faults import Point, reach
from app.operations.base import JobResult, Operation, OperationFailed, Payload, Run, Stopped
from app.operations.publishing import PublishBlogPostInput, access_for, pause, record_failed_job
from app.projects.model import Project
from app.publishing import publications, scheduled
from app.publishing.calls import CallLog
from app.publishing.delivery import LOOKUP_DELAYS, Delivery
from app.publishing.document import document_of, reference_of
from app.publishing.existing import ExistingPost
from app.publishing.gate import judge
from app.publishing.lease import PublicationLease
from app.publishing.model import LIVE_STATES, Publication, PublishTarget
from app.publishing.public_address import NOT_OPENED, PublicAddress, open_once
from app.publishing.service import get_target
from app.publishing.targets.base import (
    NOT_DELIVERED,
    Document,
    PublishProblem,
    Reference,
    RemotePost,
    RemoteStatus,
    Visibility,
)
from app.publishing.targets.registry import kind_of


def admit(project: Project, payload: Payload) -> None:
    """Refuse a post that cannot be published now.

    Raises, in this order: BLOG_POST_NOT_FOUND, PUBLISH_IN_PROGRESS, PUBLISH_TARGET_MISSING,
    PUBLISH_TARGET_REQUIRED, INVALID_REQUEST for a draft at a target without drafts and for an existing post
    at a target that cannot update one, PUBLISH_QUALITY_GATE_BLOCKED.
    """
    post = get_idle_post(project, payload["blog_post_id"])
    target = get_target(project.id, payload.get("target"))
    visibility = visibility_of(payload, target)
    kind = kind_of(target.kind)
    if visibility == "draft" and not kind.has_drafts:
        raise invalid_field("/payload/visibility", "This kind of target has no drafts.")
    if payload.get("existing_post") and kind.post_with_slug is None:
        raise invalid_field("/payload/existing_post", "This kind of target cannot update a post it has.")
    if already_published(post, target, visibility) is None:
        judge(post, override=bool(payload.get("override_quality_gate")))


def visibility_of(payload: Payload, target: PublishTarget) -> Visibility:
    """Return how a post is to be at its target: as asked for, else as the target's setting says."""
    wanted = payload.get("visibility") or target.settings.get("default_status")
    return "draft" if wanted == "draft" else "live"


def already_published(
    post: BlogPost, target: PublishTarget, visibility: Visibility = "live"
) -> Publication | None:
    """Return the publication of a post whose present text the target has, live or as a draft."""
    publication = publications.active_publication(post.id, target.id)
    if publication is None or not publications.is_current(publication, post, visibility):
        return None
    return publication


def perform(run: Run, lookup_delays: Sequence[float] = LOOKUP_DELAYS) -> JobResult:
    """Publish the post. The transaction that ends the job also records the outcome of the publication."""
    run.progress("prepare", 0, 2)
    target = get_target(run.project_id, run.payload.get("target"))
    row_of_project(BlogPost, run.payload["blog_post_id"], run.project_id, "BLOG_POST_NOT_FOUND")
    kind, target_id, name = kind_of(target.kind), target.id, target.name
    access = access_for(run, target)
    post_id, visibility = run.payload["blog_post_id"], visibility_of(run.payload, target)
    lease = publications.begin(post_id, target_id, run.job_id, visibility, reuses_drafts=kind.has_drafts)
    if lease.state in (*LIVE_STATES, "draft"):
        ends = partial(scheduled.end_by_publishing, lease.id, run.job_id)
        return JobResult(_result_as_recorded(lease), effect=ends)
    publication = db.session.get_one(Publication, lease.id)
    attempt = _Attempt(run, lease, name, visibility)
    named = run.payload.get("existing_post")
    delivery = Delivery(
        CallLog(target_id, lease.publication_id, run.job_id).logged(kind),
        access,
        reference_of(publication),
        partial(pause, run),
        lookup_delays,
        lease.update,
        publication.fingerprint,
        overwrite=bool(run.payload.get("overwrite")),
        created=attempt.save_id,
        existing=ExistingPost(**named) if named else None,
        refer=attempt.save_reference,
        is_foreign=attempt.is_foreign,
    )
    release()
    try:
        found = _found(delivery, lease)
        if found is None or not attempt.is_done(found):
            found = delivery.send(attempt.prepare, found)
        elif publications.is_earlier_text(lease):
            attempt.save(found)
            db.session.commit()
            return perform(run, lookup_delays)
    except PublishProblem as problem:
        effect = partial(publications.record_failure, lease, problem)
        raise OperationFailed(problem.failure, effect=effect) from problem
    reach(Point.PUBLISH_AFTER_SEND_BEFORE_RECORD)
    is_shown = kind.shows_posts and found.status == "live"
    public = open_once(found.url, access.http) if is_shown else NOT_OPENED
    return JobResult(_result(lease, found, public), effect=partial(attempt.save, found, public))


def _found(delivery: Delivery, lease: PublicationLease) -> RemotePost | None:
    if lease.state == "sending":
        return delivery.find()
    if not delivery.kind.has_drafts:
        return None
    try:
        return delivery.find_now()
    except PublishProblem as problem:
        # Nothing was sent yet.
        raise PublishProblem(problem.failure, NOT_DELIVERED) from problem


@dataclass
class _Attempt:
    """One attempt of a job to publish, under its publication lease."""

    run: Run
    lease: PublicationLease
    target_name: str
    visibility: Visibility

    def is_done(self, found: RemotePost) -> bool:
        """Return whether the target has the text that was sent before this attempt, as it is wanted."""
        if self.lease.state != "sending" or (found.status == "draft") != (self.visibility == "draft"):
            return False
        sent = db.session.get_one(Publication, self.lease.id).content_sha256
        return found.digest == self.lease.update if self.lease.update else found.digest in (None, sent)

    def save_id(self, remote: RemotePost, fingerprint: str | None) -> None:
        """Record a post's id at the target and what is known of its text there. Raises Stopped."""
        reach(Point.PUBLISH_AFTER_CREATE_BEFORE_ID)
        slug = remote.slug or Publication.slug
        self._change(external_id=remote.external_id, slug=slug, fingerprint=fingerprint)
        reach(Point.PUBLISH_AFTER_CREATE_BEFORE_LIVE)

    def save_reference(self, reference: Reference) -> None:
        """Record which post at the target is to be ours. Raises Stopped if the lease is lost."""
        self._change(
            external_id=reference.external_id,
            existing_id=reference.existing_id,
            slug=reference.slug,
            fingerprint=None,
        )

    def is_foreign(self, publication_id: str) -> bool:
        """Return whether a publication id belongs to another post of this service."""
        others = Publication.publication_id == publication_id, Publication.blog_post_id != self.lease.post_id
        found = db.session.scalar(select(exists().where(*others)))
        release()
        return bool(found)

    def prepare(self) -> Document:
        """Check the present text, record that it is about to be sent, and return it.

        Raises PublishProblem if the quality gate blocks it or an image cannot be loaded, Stopped if the lease
        is lost.
        """
        is_update = self.lease.update is not None
        message = f"{self.target_name}: the changed text" if is_update else self.target_name
        self.run.progress("deliver", 1, 2, message)
        post = db.session.get_one(BlogPost, self.lease.post_id, populate_existing=True)
        try:
            overridden = judge(post, override=bool(self.run.payload.get("override_quality_gate")))
            document = document_of(
                post, self.lease.publication_id, visibility=self.visibility, is_update=is_update
            )
        except ServiceFailure as refused:
            raise PublishProblem(refused.failure, NOT_DELIVERED) from refused
        override = self._override(overridden) if overridden else None
        self._go_on_if(publications.mark_sending(self.lease, document.digest, override))
        reach(Point.PUBLISH_BEFORE_CREATE)
        return document

    def save(self, remote: RemotePost, public: PublicAddress = NOT_OPENED) -> None:
        """Record the post as the target has it, and its public address; commits nothing."""
        if not publications.record_remote(self.lease, remote, public):
            raise RuntimeError("the publication lease is lost")

    def _change(self, **values: Any) -> None:
        self._go_on_if(self.lease.change_now(**values))

    def _go_on_if(self, is_ours: bool) -> None:
        release()
        if not is_ours:
            raise Stopped

    def _override(self, checks: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        return {
            "by": self.run.requested_by,
            "at": rfc3339(utc_now()),
            "reason": self.run.payload["override_reason"],
            "checks": checks,
        }


def _result_as_recorded(lease: PublicationLease) -> dict[str, Any]:
    publication = db.session.get_one(Publication, lease.id)
    status: RemoteStatus = "draft" if publication.state == "draft" else "live"
    remote = RemotePost(publication.external_id, publication.url or "", status)
    return _result(lease, remote, PublicAddress(publication.public_status, publication.public_remark))


def _result(lease: PublicationLease, remote: RemotePost, public: PublicAddress) -> dict[str, Any]:
    return {
        "blog_post_id": lease.post_id,
        "target_id": lease.target_id,
        "publication_id": lease.publication_id,
        "external_id": remote.external_id,
        "url": remote.url,
        "state": remote.status,
        "public_url_status": public.status,
        "warnings": [public.remark] if public.remark else [],
    }


OPERATION = Operation(
    name="PUBLISH_BLOG_POST",
    title="Publish blog post",
    summary="Publishes a blog post at one of the project's publish targets.",
    schema=PublishBlogPostInput,
    perform=perform,
    admit=admit,
    on_failed=record_failed_job,
)
