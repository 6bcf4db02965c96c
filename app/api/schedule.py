"""Scheduled publications: publish a post at a time, list what is planned, move and cancel it."""

from collections.abc import Sequence
from typing import Any

from flask.typing import ResponseReturnValue
from marshmallow import fields, validate

from app.api import blog_posts
from app.api.http.auth import caller
from app.api.http.contract import Resource, Takes, success
from app.api.http.fields import Id, Out, Time, nullable
from app.api.http.pagination import PageQuery, list_schema, listed
from app.api.http.schemas import FailureOut, success_schema
from app.failures import invalid_field
from app.infra.inputs import Choice, Input, shared
from app.operations.fields import blog_post_id
from app.operations.schedule_publication import (
    MOST_AT_ONCE,
    Moment,
    PostResult,
    ScheduleInput,
    schedule_post,
    schedule_posts,
)
from app.projects.model import Project
from app.projects.service import get_project
from app.publishing import scheduled
from app.publishing.model import ScheduledPublication
from app.publishing.service import names_of_targets

blueprint = Resource(
    "Schedule", "/projects/<id:project_id>/schedule", "Posts that are published at a time.", scope="posts"
)

_EXAMPLE = {"publish_at": "2026-11-24T09:00:00+01:00", "target": "Blog"}


class ScheduledPublicationOut(Out):
    id = Id(metadata={"example": 1})
    project_id = Id(metadata={"example": 1})
    blog_post_id = Id(metadata={"example": 1})
    target_id = Id()
    target = fields.String(metadata={"description": "The target's name."})
    visibility = Choice(("live", "draft"))
    publish_at = Time()
    state = Choice(
        scheduled.STATES,
        metadata={
            "description": "submitted: its job exists. failed: the job could not be created, or failed."
        },
    )
    job_id = Id(allow_none=True, metadata={"description": "The PUBLISH_BLOG_POST job, once it exists."})
    failure = nullable(
        FailureOut,
        metadata={"description": "Why the last try failed. While waiting, it is tried again for an hour."},
    )
    requested_by = fields.String()
    created_at = Time()
    updated_at = Time()


class MoveIn(Input):
    publish_at = Moment(
        required=True,
        metadata={"type": "string", "format": "date-time", "description": "As when it was scheduled."},
    )


class PlannedPostIn(Input):
    blog_post_id = blog_post_id("The post to publish.")
    publish_at = Moment(
        required=True,
        metadata={"type": "string", "format": "date-time", "description": "As for one post."},
    )


class ScheduleManyIn(ScheduleInput):
    """Several posts and their times, and where and how all of them are published."""

    class Meta(ScheduleInput.Meta):
        exclude = (*ScheduleInput.Meta.exclude, "publish_at", "override_quality_gate", "override_reason")

    posts = fields.List(
        fields.Nested(PlannedPostIn),
        required=True,
        validate=validate.Length(1, MOST_AT_ONCE),
        metadata={"description": f"At most {MOST_AT_ONCE}, each post once."},
    )


class PostResultOut(Out):
    blog_post_id = Id(metadata={"example": 1})
    scheduled_publication = nullable(ScheduledPublicationOut)
    created = fields.Boolean(metadata={"description": "False if what waited already was moved."})
    failure = nullable(FailureOut, metadata={"description": "Why it was not scheduled."})


class ScheduleQuery(PageQuery):
    state = Choice(scheduled.STATES)


ScheduledAnswer = success_schema(
    "ScheduledAnswer", scheduled_publication=fields.Nested(ScheduledPublicationOut)
)


ScheduleMade = success_schema(
    "ScheduleMade", scheduled_publication=fields.Nested(ScheduledPublicationOut), created=fields.Boolean()
)


ScheduleAnswer = list_schema("ScheduleAnswer", scheduled_publications=ScheduledPublicationOut)


@blog_posts.blueprint.operation(
    "POST",
    "/<id:blog_post_id>/schedule",
    takes=Takes(ScheduleInput, _EXAMPLE),
    gives={201: ScheduleMade, 200: ScheduleMade},
    fails=(
        "PUBLISH_TARGET_MISSING",
        "PUBLISH_TARGET_REQUIRED",
        "PUBLISH_QUALITY_GATE_BLOCKED",
        "PUBLISH_IN_PROGRESS",
    ),
)
def schedule_blog_post(project: Project, blog_post_id: int, body: dict[str, Any]) -> ResponseReturnValue:
    """Publish a post at a time. What waits for the same post and target already is changed instead."""
    row, created = schedule_post(project, blog_post_id, body, caller().name)
    headers = {"Location": f"/public-api/projects/{project.id}/schedule/{row.id}"}
    members = {"scheduled_publication": _present(project, row), "created": created}
    return success(members, 201 if created else 200, headers)


ScheduleManyAnswer = success_schema("ScheduleManyAnswer", results=fields.List(fields.Nested(PostResultOut)))


@blueprint.operation(
    "POST",
    "",
    takes=Takes(
        ScheduleManyIn,
        {"posts": [{"blog_post_id": 1, "publish_at": _EXAMPLE["publish_at"]}], "target": "Blog"},
    ),
    gives={200: ScheduleManyAnswer},
)
def schedule_blog_posts(project: Project, body: dict[str, Any]) -> ResponseReturnValue:
    """Publish several posts, each at its time. A post that is refused does not stop the others."""
    posts = body.pop("posts")
    times = {each["blog_post_id"]: each["publish_at"] for each in posts}
    if len(times) < len(posts):
        raise invalid_field("/posts", "Name each post once.")
    results = schedule_posts(project, times, body, caller().name)
    project = get_project(caller().account_id, project.id)
    return success({"results": [_result(project, each) for each in results]})


@blueprint.operation("GET", "", query=ScheduleQuery, gives={200: ScheduleAnswer})
def list_schedule(project: Project, query: dict[str, Any]) -> ResponseReturnValue:
    """List what is planned and what was, the latest time first."""
    rows, total = scheduled.list_scheduled(project, query["page"], query["page_size"], query.get("state"))
    return listed("scheduled_publications", _present_all(project, rows), query, total)


@blueprint.operation("GET", "/<id:schedule_id>", gives={200: ScheduledAnswer})
def get_scheduled_publication(project: Project, schedule_id: int) -> ResponseReturnValue:
    """Read one scheduled publication."""
    row = scheduled.get_scheduled(project, schedule_id)
    return success({"scheduled_publication": _present(project, row)})


@blueprint.operation(
    "PATCH",
    "/<id:schedule_id>",
    takes=Takes(MoveIn, {"publish_at": _EXAMPLE["publish_at"]}),
    gives={200: ScheduledAnswer},
    fails=("SCHEDULE_NOT_WAITING",),
)
def move_scheduled_publication(
    project: Project, schedule_id: int, body: dict[str, Any]
) -> ResponseReturnValue:
    """Change the time of a publication that is waiting."""
    row = scheduled.move(scheduled.get_scheduled(project, schedule_id), body["publish_at"])
    return success({"scheduled_publication": _present(project, row)})


@blueprint.operation(
    "DELETE", "/<id:schedule_id>", gives={200: ScheduledAnswer}, fails=("SCHEDULE_NOT_WAITING",)
)
def cancel_scheduled_publication(project: Project, schedule_id: int) -> ResponseReturnValue:
    """Cancel a publication that is waiting. Canceling it again changes nothing."""
    row = scheduled.cancel(scheduled.get_scheduled(project, schedule_id))
    return success({"scheduled_publication": _present(project, row)})


def _result(project: Project, each: PostResult) -> dict[str, Any]:
    return {
        "blog_post_id": each.post_id,
        "scheduled_publication": _present(project, each.row) if each.row is not None else None,
        "created": each.created,
        "failure": each.failure.to_dict() if each.failure is not None else None,
    }


def _present(project: Project, row: ScheduledPublication) -> dict[str, Any]:
    return _present_all(project, [row])[0]


def _present_all(project: Project, rows: Sequence[ScheduledPublication]) -> list[dict[str, Any]]:
    names = names_of_targets(project) if rows else {}
    shown = shared(ScheduledPublicationOut, exclude=("target",)).dump(rows, many=True)
    return [{**each, "target": names.get(each["target_id"], "")} for each in shown]
