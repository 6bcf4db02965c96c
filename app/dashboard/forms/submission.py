"""Making a job from a page: the one way from a form to the executions service."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from flask import g
from marshmallow import ValidationError

from app.dashboard.auth import signed_in
from app.executions import service
from app.executions.model import ExecutionJob
from app.executions.service import Submission
from app.failures import ServiceFailure
from app.operations.base import Operation
from app.projects.model import Project

REQUESTED_BY: Final = "the dashboard"


def submit_job(
    project: Project, operation: Operation, payload: Mapping[str, Any], key: str | None
) -> ExecutionJob:
    """Make the job, or return the one that this key made before. A job that joins its equals needs no key.

    Raises INVALID_REQUEST with a message for each wrong field, and what the service refuses.
    """
    try:
        checked = operation.schema().load(dict(payload))
    except ValidationError as wrong:
        raise ServiceFailure("INVALID_REQUEST", errors=_beside_fields(wrong)) from None
    submission = Submission(
        account=signed_in(), project=project, operation=operation, payload=checked,
        scope=f"create:{project.id}", key=key, requested_by=REQUESTED_BY, request_id=g.request_id,
    )  # fmt: skip
    return service.submit(submission).job


def retry_job(job: ExecutionJob, key: str) -> ExecutionJob:
    """Make a new job with an ended job's input. Raises RETRY_NOT_ALLOWED."""
    return service.retry(job, signed_in(), key, requested_by=REQUESTED_BY, request_id=g.request_id).job


def _beside_fields(wrong: ValidationError) -> list[dict[str, str]]:
    return [
        {"location": "body", "field": field, "message": message} for field, message in _told(wrong.messages)
    ]


def _told(messages: Any, field: str = "") -> Iterator[tuple[str, str]]:
    """Yield the JSON pointer of each wrong member and what is wrong with it, the first message of each."""
    if not isinstance(messages, dict):
        yield field, str(messages[0] if isinstance(messages, list) else messages)
        return
    for name, inner in messages.items():
        yield from _told(inner, field if name == "_schema" else f"{field}/{name}")
