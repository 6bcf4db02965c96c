"""PUBLISH_BLOG_POST: brings a post to a publish target, once, and each changed text of it once.

    begin (committed) | look, when it may have been sent before | gate | sending (committed) | send | settle

Whatever ends the work in between leaves a publication that the next attempt or the sweep settles by looking.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from marshmallow import Schema, ValidationError, fields, validates_schema

from app.content.model import BlogPost
from app.content.posts.service import get_post
from app.failures import ServiceFailure
from app.infra.clock import rfc3339, utc_now
from app.infra.db import LARGEST_ID, db, release
from app.infra.faults import Point, reach
from app.infra.http.client import fetcher_from
from app.infra.inputs import Boolean, Text
from app.infra.settings import current_settings
from app.operations.base import JobResult, Operation, OperationFailed, Payload, Run, Stopped
from app.operations.fields import blog_post_id
from app.projects.model import Project
from app.publishing import publications
from app.publishing.base import NOT_DELIVERED, Delivered, Document, PublishProblem
from app.publishing.delivery import LOOKS, Delivery
from app.publishing.document import document_of
from app.publishing.gate import judge
from app.publishing.model import Publication, PublishTarget
from app.publishing.publications import LIVE_STATES, PublicationLease
from app.publishing.registry import publisher_of
from app.publishing.service import access_to, choose_target, target_of

_STEP: Final = 0.25


def _target(value: Any) -> None:
    named = isinstance(value, str) and 0 < len(value) <= 80 and "\x00" not in value
    numbered = isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST_ID
    if value is not None and not named and not numbered:
        raise ValidationError("Give the id or the name of a publish target.")


class PublishBlogPostInput(Schema):
    """Which post goes where."""

    blog_post_id = blog_post_id("The post to publish.")
    target = fields.Raw(
        load_default=None, allow_none=True, validate=_target,
        metadata={
            "description": "Id or name of a publish target; the project's first when left out.",
            "type": ["integer", "string"],
            "minimum": 1,
            "minLength": 1,
            "maxLength": 80,
        },
    )  # fmt: skip
    override_quality_gate = Boolean(
        metadata={"description": "Publish in spite of the quality gate's findings. Needs override_reason."}
    )
    override_reason = Text(
        1, 500, metadata={"description": "Why the quality gate is overridden; kept with the publication."}
    )

    @validates_schema
    def _reason_with_override(self, data: Mapping[str, Any], **_kwargs: Any) -> None:
        if data.get("override_quality_gate") and not data.get("override_reason"):
            raise ValidationError("Say why the quality gate is overridden.", "override_reason")


def admit(project: Project, payload: Payload) -> None:
    """Refuse what cannot be published now, judged in this order: post, in progress, target, gate."""
    post = get_post(project, payload["blog_post_id"])
    if post.status == "publishing":
        raise ServiceFailure("PUBLISH_IN_PROGRESS", details={"blog_post_id": post.id})
    target = choose_target(project, payload.get("target"))
    if already_published(post, target) is None:
        judge(post, override=bool(payload.get("override_quality_gate")))


def already_published(post: BlogPost, target: PublishTarget) -> Publication | None:
    """Return the publication of a post that is live at a target with its present text."""
    publication = publications.active_publication(post.id, target.id)
    return publication if publication is not None and publications.carries(publication, post) else None


def perform(run: Run, looks: Sequence[float] = LOOKS) -> JobResult:
    """Publish the post; how it went is written in the transaction that ends the job."""
    run.progress("prepare", 0, 2)
    target = target_of(run.project_id, run.payload.get("target"))
    _check_project(run)
    publisher = publisher_of(target.kind)
    fetcher = fetcher_from(current_settings(), should_stop=run.should_stop)
    try:
        access = access_to(target, fetcher)
    except PublishProblem as problem:
        raise OperationFailed(problem.failure) from problem
    target_id, name = target.id, target.name
    lease = publications.begin(run.payload["blog_post_id"], target_id, run.job_id)
    release()
    work = _Publishing(run, lease, name)
    if lease.state in LIVE_STATES:
        return JobResult(_known(lease))
    delivery = Delivery(publisher, access, lease.publication_id, work.pause, looks, lease.update)
    try:
        found = delivery.find() if lease.state == "sending" else None
        if found is not None and publications.is_earlier_text(lease):
            work.save(found)
            db.session.commit()
            return perform(run, looks)
        delivered = found or delivery.send(work.prepare)
    except PublishProblem as problem:
        raise OperationFailed(
            problem.failure, effect=partial(publications.record_failure, lease, problem)
        ) from problem
    reach(Point.PUBLISH_AFTER_SEND_BEFORE_RECORD)
    return JobResult(_result(lease, delivered), effect=partial(work.save, delivered))


@dataclass
class _Publishing:
    """One attempt's hold on its publication."""

    run: Run
    lease: PublicationLease
    target_name: str

    def pause(self, seconds: float) -> None:
        """Wait, noticing within a moment when the work has to end."""
        ends = time.monotonic() + seconds
        self.run.check_cancelled()
        while (left := ends - time.monotonic()) > 0:
            time.sleep(min(_STEP, left))
            self.run.check_cancelled()

    def prepare(self) -> Document:
        """Judge the text as it is now and write down that it is about to leave."""
        is_update = self.lease.update is not None
        told = f"{self.target_name}: the changed text" if is_update else self.target_name
        self.run.progress("deliver", 1, 2, told)
        post = db.session.get_one(BlogPost, self.lease.post_id, populate_existing=True)
        try:
            overridden = judge(post, override=bool(self.run.payload.get("override_quality_gate")))
        except ServiceFailure as refusal:
            raise PublishProblem(refusal.failure, NOT_DELIVERED) from refusal
        document = document_of(post, self.lease.publication_id, is_update=is_update)
        override = self._override(overridden) if overridden else None
        ours = publications.mark_sending(self.lease, document.digest, override)
        release()
        if not ours:
            raise Stopped
        return document

    def save(self, delivered: Delivered) -> None:
        """Write that the post is live."""
        if not publications.record_live(self.lease, delivered):
            raise RuntimeError("the publication was settled by somebody else")

    def _override(self, checks: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Return what is kept of these findings having been let pass."""
        return {
            "by": self.run.requested_by,
            "at": rfc3339(utc_now()),
            "reason": self.run.payload["override_reason"],
            "checks": checks,
        }


def _check_project(run: Run) -> None:
    post = db.session.get(BlogPost, run.payload["blog_post_id"])
    if post is None or post.project_id != run.project_id:
        raise ServiceFailure("BLOG_POST_NOT_FOUND")


def _known(lease: PublicationLease) -> dict[str, Any]:
    publication = db.session.get_one(Publication, lease.id)
    return _result(lease, Delivered(publication.external_id, publication.url or ""))


def _result(lease: PublicationLease, delivered: Delivered) -> dict[str, Any]:
    return {
        "blog_post_id": lease.post_id,
        "target_id": lease.target_id,
        "publication_id": lease.publication_id,
        "external_id": delivered.external_id,
        "url": delivered.url,
    }


OPERATION = Operation(
    name="PUBLISH_BLOG_POST",
    title="Publish blog post",
    summary="Publishes a blog post at one of the project's publish targets.",
    schema=PublishBlogPostInput,
    perform=perform,
    admit=admit,
)
