"""Creates jobs from forms."""

from collections.abc import Mapping
from typing import Any, Final

from flask import g, url_for

from app.executions import service
from app.executions.model import ExecutionJob
from app.executions.service import Submission
from app.infra.inputs import load
from app.operations import generate_blog_post, plan_blog_post
from app.operations.base import Operation
from app.projects.model import Project

REQUESTED_BY: Final = "the dashboard"


def submit_job(
    project: Project, operation: Operation, payload: Mapping[str, Any], key: str | None
) -> ExecutionJob:
    """Create a job, or return the one that this key created before. A sync needs no key.

    Raises INVALID_REQUEST with a message for each wrong field, and the failures of ``service.submit``.
    """
    submission = Submission(
        project=project,
        operation=operation,
        payload=load(operation.schema, payload),
        scope=f"create:{project.id}",
        key=key,
        requested_by=REQUESTED_BY,
        request_id=g.request_id,
    )
    return service.submit(submission).job


def followed(job: ExecutionJob) -> str:
    """Return the address that follows a job somebody has just created, and leads to what it makes."""
    if job.operation == plan_blog_post.OPERATION.name:
        return url_for("plans.show", project_id=job.project_id, job_id=job.id)
    opens = "yes" if job.operation == generate_blog_post.OPERATION.name else None
    return url_for("executions.show", job_id=job.id, opens=opens)
