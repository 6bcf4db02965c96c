"""What the operations about publishing share: their input, waiting, and the end of a failed job."""

import time
from collections.abc import Mapping
from typing import Any, Final

from marshmallow import Schema, ValidationError, fields, validates_schema

from app.failures import Failure
from app.infra.clock import wait_until
from app.infra.db import LARGEST_ID
from app.infra.http.client import fetcher_from
from app.infra.inputs import Boolean, Input, Text
from app.infra.settings import current_settings
from app.notifications import outbox
from app.notifications.kinds import PUBLISHING_FAILED
from app.operations.base import OperationFailed, Run
from app.operations.fields import blog_post_id, choice, documented
from app.publishing import scheduled
from app.publishing.model import PublishTarget
from app.publishing.service import access_to
from app.publishing.targets.base import Access, PublishProblem

_TARGET_SCHEMA: Final = {"type": ["integer", "string"], "minimum": 1, "minLength": 1, "maxLength": 80}


def target_ref(value: Any) -> None:
    """Refuse what is not the id or the name of a target. Raises ValidationError."""
    named = isinstance(value, str) and 0 < len(value) <= 80 and "\x00" not in value
    numbered = isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST_ID
    if value is not None and not named and not numbered:
        raise ValidationError("Give the id or the name of a publish target.")


def target_field(description: str) -> fields.Raw:
    return fields.Raw(
        load_default=None,
        allow_none=True,
        validate=target_ref,
        metadata={"description": description, **_TARGET_SCHEMA},
    )


class ExistingPostInput(Input):
    """A post at the target, as the details of TARGET_SLUG_TAKEN have it."""

    id = Text(1, 200, required=True, allow_none=False, metadata=documented("Its id at the target."))
    fingerprint = Text(
        1, 64, required=True, allow_none=False, metadata=documented("Identifies the text that was shown.")
    )


class PublishBlogPostInput(Schema):
    """The post to publish, the target, and an override of the quality gate."""

    blog_post_id = blog_post_id("The post to publish.")
    target = target_field(
        "Id or name of a publish target. When left out, the project's only target, or its default."
    )
    visibility = choice(
        ("live", "draft"),
        "Whether readers can see the post at the target, or it is a hidden draft there; the target's own "
        "setting when left out.",
        "live",
    )
    overwrite = Boolean(
        metadata=documented("Replace the text at the target although it was edited there since.")
    )
    existing_post = fields.Nested(
        ExistingPostInput,
        allow_none=True,
        metadata=documented(
            "The post at the target that has the address and whose text is to be replaced, as in the "
            "details of TARGET_SLUG_TAKEN."
        ),
    )
    override_quality_gate = Boolean(
        metadata=documented("Publish in spite of the quality gate's findings. Needs override_reason.")
    )
    override_reason = Text(
        1, 500, metadata=documented("Why the quality gate is overridden; kept with the publication.")
    )

    @validates_schema
    def _reason_with_override(self, data: Mapping[str, Any], **_kwargs: Any) -> None:
        if data.get("override_quality_gate") and not data.get("override_reason"):
            raise ValidationError("Say why the quality gate is overridden.", "override_reason")


def access_for(run: Run, target: PublishTarget) -> Access:
    """Return what a job's calls to a target need. Raises OperationFailed if its secret cannot be read."""
    try:
        return access_to(target, fetcher_from(current_settings(), should_stop=run.should_stop))
    except PublishProblem as problem:
        raise OperationFailed(problem.failure) from problem


def record_failed_job(project_id: int, job_id: int, found: Failure) -> None:
    """Record a failed job's end; write the mail about it unless its schedule tries again. Commits nothing."""
    if not scheduled.job_failed(job_id, found):
        facts = {"job_id": job_id, "failure": found.to_dict()}
        outbox.put(PUBLISHING_FAILED, project_id, f"job:{job_id}", facts)


def pause(run: Run, seconds: float) -> None:
    """Wait; stop within a moment when the job has to end. Raises Stopped or JOB_TIMEOUT."""
    wait_until(time.monotonic() + seconds, run.should_stop)
    run.check_cancelled()
