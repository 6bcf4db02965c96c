"""Execution jobs in responses: their schema, and waiting for one to end."""

from collections.abc import Mapping, Sequence
from threading import BoundedSemaphore
from typing import Any, Final

from flask import g
from marshmallow import fields

from app.api.http.auth import caller
from app.api.http.fields import Id, Out, Time, nullable, shown
from app.api.http.schemas import FailureOut
from app.executions import queries, service
from app.executions.model import ExecutionJob
from app.executions.queries import HistoryEntry
from app.executions.rollback import obstacles, rollback_view
from app.executions.service import Submission, Submitted
from app.executions.states import Event, Status
from app.failures import Failure
from app.infra.clock import rfc3339
from app.infra.db import reading, release
from app.infra.inputs import Choice
from app.operations.base import Operation
from app.projects.model import Project

MAX_WAITING: Final = 4
"""How many requests of a process may wait at a time: half of the web process's threads (Procfile)."""

_waiting: Final = BoundedSemaphore(MAX_WAITING)


class ProgressOut(Out):
    stage = fields.String(metadata={"example": "build_brief"})
    done = fields.Integer()
    total = fields.Integer()


class HistoryOut(Out):
    at = Time()
    event = Choice([event.value for event in Event])
    status = Choice([status.value for status in Status])
    details = fields.Dict(allow_none=True)


class RollbackOut(Out):
    """Whether a rollback is possible now. ``hook`` is the path to POST to, ``summary`` the reason if not."""

    supported = fields.Boolean()
    state = Choice(("unavailable", "available", "completed", "blocked"))
    hook = fields.String(allow_none=True)
    summary = fields.String()
    executed_at = Time(allow_none=True)
    reverted_blog_post_id = Id(allow_none=True)


class JobOut(Out):
    id = Id(metadata={"example": 1})
    project_id = Id(metadata={"example": 1})
    operation = fields.String(metadata={"example": "GENERATE_BLOG_POST"})
    status = Choice([status.value for status in Status])
    idempotency_key = fields.String(allow_none=True)
    payload = fields.Dict()
    result = fields.Dict(allow_none=True)
    progress = nullable(ProgressOut)
    attempt = fields.Integer()
    retry_of = Id(allow_none=True)
    error_code = fields.String(allow_none=True)
    error_message = fields.String(allow_none=True)
    failure = nullable(FailureOut)
    history = fields.List(fields.Nested(HistoryOut))
    rollback = fields.Nested(RollbackOut)
    queued_at = Time()
    started_at = Time(allow_none=True)
    completed_at = Time(allow_none=True)
    canceled_at = Time(allow_none=True)
    created_at = Time()
    updated_at = Time()


def present(job: ExecutionJob) -> dict[str, Any]:
    return present_all([job])[0]


def present_all(jobs: Sequence[ExecutionJob]) -> list[dict[str, Any]]:
    """Return jobs as in the contract, with one query for the histories of all."""
    histories = queries.history_of(job.id for job in jobs)
    found = obstacles(jobs)
    return [_present(job, histories[job.id], found.get(job.id)) for job in jobs]


def submit(
    project: Project,
    operation: Operation,
    payload: Mapping[str, Any],
    key: str | None = None,
    *,
    scope: str | None = None,
) -> Submitted:
    """Submit a job for the caller. ``scope`` is what the Idempotency-Key is unique in."""
    return service.submit(
        Submission(
            project=project,
            operation=operation,
            payload=payload,
            scope=scope or f"create:{project.id}",
            key=key,
            requested_by=caller().name,
            request_id=g.request_id,
        )
    )


def headers(submitted: Submitted) -> dict[str, str]:
    found = {"Location": f"/public-api/executions/{submitted.job.id}"}
    if submitted.replayed:
        found["Idempotent-Replayed"] = "true"
    return found


def _present(job: ExecutionJob, history: Sequence[HistoryEntry], obstacle: Failure | None) -> dict[str, Any]:
    # A succeeded job has no failure. Those of earlier attempts are in its history.
    failure = None if job.status == Status.SUCCEEDED else job.failure
    computed = {
        "error_code": failure["code"] if failure else None,
        "error_message": failure["message"] if failure else None,
        "failure": failure,
        "history": [_line(entry) for entry in history],
        "rollback": rollback_view(job, obstacle),
    }
    return shown(JobOut, job, computed)


def _line(entry: HistoryEntry) -> dict[str, Any]:
    # Not by ``shown``: lists of jobs have hundreds of them.
    return {
        "at": rfc3339(entry.at),
        "event": entry.event,
        "status": entry.status,
        "details": entry.details,
    }


def wait_for_job(job_id: int, seconds: float) -> ExecutionJob:
    """Return the job once it has ended, or after ``seconds``.

    Returns at once if ``MAX_WAITING`` requests are waiting already, so that threads are left for other
    requests. On SQLite the wait does not block writers such as the worker.
    """
    release()
    with reading():
        if not _waiting.acquire(blocking=False):
            return service.wait(job_id, 0)
        try:
            return service.wait(job_id, seconds)
        finally:
            _waiting.release()
