"""Execution jobs: create, list, read, cancel, retry, roll back."""

from typing import Any, Final

from flask import g
from flask.typing import ResponseReturnValue
from marshmallow import fields

from app.api import jobs
from app.api.http.auth import caller
from app.api.http.contract import Resource, Takes, success
from app.api.http.fields import QueryInteger
from app.api.http.pagination import PageQuery, list_schema, listed
from app.api.http.schemas import success_schema
from app.api.jobs import JobOut, present, present_all
from app.executions import queries, rollback, service
from app.executions.model import ExecutionJob
from app.executions.queries import JobFilter
from app.executions.service import Submitted
from app.executions.states import Status
from app.infra.inputs import Choice, Input, load
from app.operations.registry import OPERATIONS, operation_named
from app.projects.model import Project

blueprint = Resource("Execution Jobs", "", "Asynchronous operations on a project.", scope="executions")

OF_OPERATIONS: Final = (
    "SITEMAP_MISSING",
    "BLOG_POST_NOT_FOUND",
    "PUBLISH_IN_PROGRESS",
    "PUBLISH_TARGET_MISSING",
    "PUBLISH_QUALITY_GATE_BLOCKED",
    "SEARCH_CONSOLE_NOT_CONNECTED",
)
"""Failures of the operations themselves when a job is created."""

NAMES: Final = tuple(each.name for each in OPERATIONS)


class ExecutionIn(Input):
    operation = fields.String(required=True)
    payload = fields.Raw(load_default=dict)


JobAnswer = success_schema("JobAnswer", job=fields.Nested(JobOut))


JobSubmitted = success_schema("JobSubmitted", job=fields.Nested(JobOut), created=fields.Boolean())


class JobQuery(PageQuery):
    project_id = QueryInteger()
    operation = Choice(NAMES)
    status = Choice([status.value for status in Status])
    q = fields.String(
        metadata={"description": "Only jobs whose topic or post's title contains this, or with this number."}
    )


JobsAnswer = list_schema("JobsAnswer", jobs=JobOut)


def _described(name: str) -> dict[str, Any]:
    schema = operation_named(name).schema
    needed = any(field.required for field in schema().fields.values())
    return {
        "type": "object",
        "title": name,
        "required": ["operation", "payload"] if needed else ["operation"],
        "additionalProperties": False,
        "properties": {"operation": {"type": "string", "const": name}, "payload": schema},
    }


@blueprint.operation(
    "POST",
    "/projects/<id:project_id>/executions",
    key="required",
    takes=Takes(
        ExecutionIn,
        {"operation": "GENERATE_BLOG_POST"},
        described_by={"oneOf": [_described(name) for name in NAMES]},
    ),
    gives={202: JobSubmitted, 200: JobSubmitted},
    fails=("INVALID_OPERATION", "QUOTA_EXCEEDED", *OF_OPERATIONS),
)
def create_execution(project: Project, key: str, body: dict[str, Any]) -> ResponseReturnValue:
    """Create an execution job. The same key with the same input returns the same job."""
    operation = operation_named(body["operation"])
    payload = load(operation.schema, body["payload"], at="/payload")
    return _submitted(jobs.submit(project, operation, payload, key))


@blueprint.operation("GET", "/executions", query=JobQuery, gives={200: JobsAnswer})
def list_executions(query: dict[str, Any]) -> ResponseReturnValue:
    """List the caller's execution jobs."""
    who = caller()
    chosen = {name: query.get(name) for name in ("project_id", "operation", "status", "q")}
    where = JobFilter(**chosen, within=who.project_id)
    rows, total = queries.list_jobs(who.account_id, where, query["page"], query["page_size"])
    return listed("jobs", present_all(rows), query, total)


@blueprint.operation("GET", "/executions/<id:job_id>", gives={200: JobAnswer})
def get_execution(job: ExecutionJob) -> ResponseReturnValue:
    """Read one job with its history."""
    return success({"job": present(job)})


@blueprint.operation(
    "POST",
    "/executions/<id:job_id>/cancel",
    gives={200: JobAnswer},
    fails=("JOB_ALREADY_TERMINAL",),
)
def cancel_execution(job: ExecutionJob) -> ResponseReturnValue:
    """Cancel a queued or running job. Canceling again changes nothing."""
    return success({"job": present(service.cancel(job))})


@blueprint.operation(
    "POST",
    "/executions/<id:job_id>/retry",
    key="required",
    gives={202: JobSubmitted, 200: JobSubmitted},
    fails=("RETRY_NOT_ALLOWED", "QUOTA_EXCEEDED", *OF_OPERATIONS),
)
def retry_execution(job: ExecutionJob, key: str) -> ResponseReturnValue:
    """Retry a failed or canceled job: a new job with the same input and ``retry_of``."""
    who = caller()
    return _submitted(service.retry(job, key, requested_by=who.name, request_id=g.request_id))


@blueprint.operation(
    "POST",
    "/executions/<id:job_id>/rollback",
    gives={200: JobAnswer},
    fails=(
        "ROLLBACK_NOT_SUPPORTED",
        "ROLLBACK_NOT_ALLOWED",
        "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH",
        "ROLLBACK_PUBLISH_IN_PROGRESS",
    ),
)
def rollback_execution(job: ExecutionJob) -> ResponseReturnValue:
    """Delete the draft that a succeeded GENERATE_BLOG_POST job created. Repeating it changes nothing."""
    return success({"job": present(rollback.roll_back(job))})


def _submitted(submitted: Submitted) -> ResponseReturnValue:
    members = {"job": present(submitted.job), "created": submitted.created}
    return success(members, 200 if submitted.replayed else 202, jobs.headers(submitted))
