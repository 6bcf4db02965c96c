"""Making a job from a page: the one way from a form to the executions service."""

from __future__ import annotations

from collections.abc import Mapping
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


def submit_job(project: Project, operation: Operation, payload: Mapping[str, Any], key: str) -> ExecutionJob:
    """Make the job, or return the one that this key made before.

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
        {"location": "body", "field": f"/{name}", "message": _first(messages)}
        for name, messages in _messages(wrong).items()
    ]


def _messages(wrong: ValidationError) -> dict[str, Any]:
    return wrong.messages if isinstance(wrong.messages, dict) else {"": wrong.messages}


def _first(messages: Any) -> str:
    while isinstance(messages, (dict, list)):
        messages = next(iter(messages.values() if isinstance(messages, dict) else messages))
    return str(messages)
