"""Execution jobs: create, list, read, cancel, retry, roll back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from flask import g
from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint
from marshmallow import fields

from app.api.http import parsing
from app.api.http.auth import caller
from app.api.http.contract import Takes, operation, success
from app.api.http.fields import Choice, In, QueryInteger
from app.api.http.pagination import PageQuery, PaginationOut, listed
from app.api.http.schemas import SuccessOut
from app.api.jobs import JobOut, address, present, present_all
from app.executions import queries, rollback, service
from app.executions.model import ExecutionJob
from app.executions.queries import JobFilter
from app.executions.service import Submission, Submitted
from app.executions.states import Status
from app.operations.registry import OPERATIONS, operation_named
from app.projects.model import Project

blueprint = Blueprint(
    "Execution Jobs", __name__, url_prefix="/public-api", description="Asynchronous operations on a project."
)

OF_OPERATIONS: Final = (
    "SITEMAP_MISSING", "BLOG_POST_NOT_FOUND", "PUBLISH_IN_PROGRESS", "PUBLISH_TARGET_MISSING",
    "PUBLISH_QUALITY_GATE_BLOCKED",
)  # fmt: skip
"""What the operations themselves refuse when a job of theirs is asked for."""

NAMES: Final = tuple(each.name for each in OPERATIONS)


class ExecutionIn(In):
    """A job to create: the operation, and its input."""

    operation = fields.String(required=True)
    payload = fields.Raw(load_default=dict)


class JobAnswer(SuccessOut):
    """One job."""

    job = fields.Nested(JobOut)


class JobSubmitted(JobAnswer):
    """A job, and whether this request made it."""

    created = fields.Boolean()


class JobQuery(PageQuery):
    """What a list of jobs is narrowed to."""

    project_id = QueryInteger()
    operation = Choice(NAMES)
    status = Choice([status.value for status in Status])


class JobsAnswer(SuccessOut):
    """A page of jobs."""

    jobs = fields.List(fields.Nested(JobOut))
    pagination = fields.Nested(PaginationOut)


def _described(names: Iterable[str]) -> dict[str, Any]:
    """Return the body of createExecution: each operation with the schema of its own payload."""
    return {"oneOf": [_described_one(name) for name in names]}


def _described_one(name: str) -> dict[str, Any]:
    schema = operation_named(name).schema
    needed = any(field.required for field in schema().fields.values())
    return {
        "type": "object",
        "title": name,
        "required": ["operation", "payload"] if needed else ["operation"],
        "additionalProperties": False,
        "properties": {"operation": {"type": "string", "const": name}, "payload": schema},
    }


@operation(
    blueprint, "POST", "/projects/<id:project_id>/executions", "createExecution", key="required",
    takes=Takes(ExecutionIn, {"operation": "GENERATE_BLOG_POST"}, described_by=_described(NAMES)),
    gives={202: JobSubmitted, 200: JobSubmitted},
    refuses=("INVALID_OPERATION", "QUOTA_EXCEEDED", *OF_OPERATIONS),
)  # fmt: skip
def create_execution(project: Project, key: str, body: dict[str, Any]) -> ResponseReturnValue:
    """Create an execution job; the same key and input again give the same job."""
    wanted = operation_named(body["operation"])
    payload = parsing.load(wanted.schema, body["payload"], at="/payload")
    submitted = service.submit(
        Submission(
            account=caller().account, project=project, operation=wanted, payload=payload,
            scope=f"create:{project.id}", key=key, requested_by=caller().name, request_id=g.request_id,
        )
    )  # fmt: skip
    return answer(submitted)


@operation(blueprint, "GET", "/executions", "listExecutions", query=JobQuery, gives={200: JobsAnswer})
def list_executions(query: dict[str, Any]) -> ResponseReturnValue:
    """List the caller's execution jobs."""
    where = JobFilter(query.get("project_id"), query.get("operation"), query.get("status"))
    rows, total = queries.list_jobs(caller().account_id, where, query["page"], query["page_size"])
    return listed("jobs", present_all(rows), query, total)


@operation(blueprint, "GET", "/executions/<id:job_id>", "getExecution", gives={200: JobAnswer})
def get_execution(job: ExecutionJob) -> ResponseReturnValue:
    """Read one job with its history."""
    return success({"job": present(job)})


@operation(
    blueprint, "POST", "/executions/<id:job_id>/cancel", "cancelExecution",
    gives={200: JobAnswer}, refuses=("JOB_ALREADY_TERMINAL",),
)  # fmt: skip
def cancel_execution(job: ExecutionJob) -> ResponseReturnValue:
    """Cancel a queued or running job; canceling again changes nothing."""
    return success({"job": present(service.cancel(job))})


@operation(
    blueprint, "POST", "/executions/<id:job_id>/retry", "retryExecution", key="required",
    gives={202: JobSubmitted, 200: JobSubmitted},
    refuses=("RETRY_NOT_ALLOWED", "QUOTA_EXCEEDED", *OF_OPERATIONS),
)  # fmt: skip
def retry_execution(job: ExecutionJob, key: str) -> ResponseReturnValue:
    """Retry a failed or canceled job: a new job with the same input and ``retry_of``."""
    who = caller()
    return answer(service.retry(job, who.account, key, requested_by=who.name, request_id=g.request_id))


@operation(
    blueprint, "POST", "/executions/<id:job_id>/rollback", "rollbackExecution", gives={200: JobAnswer},
    refuses=("ROLLBACK_NOT_SUPPORTED", "ROLLBACK_NOT_ALLOWED", "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH",
             "ROLLBACK_PUBLISH_IN_PROGRESS"),
)  # fmt: skip
def rollback_execution(job: ExecutionJob) -> ResponseReturnValue:
    """Delete the draft that a succeeded GENERATE_BLOG_POST job made; repeating it changes nothing."""
    return success({"job": present(rollback.roll_back(job))})


def answer(submitted: Submitted) -> ResponseReturnValue:
    """Return a submitted job: 202 when its key is new, 200 when the key was used before."""
    members = {"job": present(submitted.job), "created": submitted.created}
    headers = submitted_headers(submitted)
    return success(members, 200 if submitted.replayed else 202, headers)


def submitted_headers(submitted: Submitted) -> dict[str, str]:
    """Return the headers of an answer about a submitted job."""
    headers = {"Location": address(submitted.job.id)}
    if submitted.replayed:
        headers["Idempotent-Replayed"] = "true"
    return headers
