"""What the operations about publishing share: the target, waiting, and the end of a failed job."""

import time
from typing import Any, Final

from marshmallow import ValidationError, fields

from app.failures import Failure
from app.infra.clock import wait_until
from app.infra.db import LARGEST_ID
from app.infra.http.client import fetcher_from
from app.infra.settings import current_settings
from app.notifications import outbox
from app.notifications.kinds import PUBLISHING_FAILED
from app.operations.base import OperationFailed, Run
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
    """Return the field for the id or the name of a target."""
    return fields.Raw(
        load_default=None,
        allow_none=True,
        validate=target_ref,
        metadata={"description": description, **_TARGET_SCHEMA},
    )


def access_for(run: Run, target: PublishTarget) -> Access:
    """Return what a job's calls to a target need. Raises OperationFailed if its secret cannot be read."""
    try:
        return access_to(target, fetcher_from(current_settings(), should_stop=run.should_stop))
    except PublishProblem as problem:
        raise OperationFailed(problem.failure) from problem


def record_failed_job(project_id: int, job_id: int, found: Failure) -> None:
    """Record the end of a failed job, and write the mail about it unless its schedule tries again.

    Commits nothing.
    """
    if not scheduled.job_failed(job_id, found):
        facts = {"job_id": job_id, "failure": found.to_dict()}
        outbox.put(PUBLISHING_FAILED, project_id, f"job:{job_id}", facts)


def pause(run: Run, seconds: float) -> None:
    """Wait; stop within a moment when the job has to end. Raises Stopped or JOB_TIMEOUT."""
    wait_until(time.monotonic() + seconds, run.should_stop)
    run.check_cancelled()
