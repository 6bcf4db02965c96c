"""Schedules posts: checks what publishing each now would check, and stores the times."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, Final

from marshmallow import RAISE, ValidationError, fields

from app.content.posts.service import get_post
from app.failures import Failure, ServiceFailure, invalid_field
from app.infra.db import db
from app.operations.publish_blog_post import admit, visibility_of
from app.operations.publishing import PublishBlogPostInput
from app.projects.model import Project
from app.publishing import scheduled
from app.publishing.model import ScheduledPublication
from app.publishing.service import get_target

_RFC_3339: Final = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,6})?([Zz]|[+-]\d\d:\d\d)", re.ASCII)

MOST_AT_ONCE: Final = 50


class Moment(fields.Field[datetime]):
    """A time of RFC 3339 with its offset, such as ``2026-11-24T09:00:00+01:00``; loaded as UTC."""

    def _deserialize(self, value: Any, attr: str | None, data: Any, **kwargs: Any) -> datetime:
        if not isinstance(value, str) or _RFC_3339.fullmatch(value) is None:
            raise ValidationError("Give a time with its offset, such as 2026-11-24T09:00:00+01:00.")
        try:
            return datetime.fromisoformat(value.upper()).astimezone(UTC)
        except (ValueError, OverflowError):
            raise ValidationError("There is no such time.") from None


class ScheduleInput(PublishBlogPostInput):
    class Meta:
        unknown = RAISE
        exclude: tuple[str, ...] = ("blog_post_id", "overwrite", "existing_post")

    publish_at = Moment(
        required=True,
        metadata={
            "description": "When to publish: a time of RFC 3339 with its offset, at most 366 days away.",
            "type": "string",
            "format": "date-time",
        },
    )


def schedule_post(
    project: Project, post_id: int, data: Mapping[str, Any], requested_by: str
) -> tuple[ScheduledPublication, bool]:
    """Schedule a post, from loaded ScheduleInput; return the row and whether it is new.

    What waits for the same post and target already is changed instead. Raises INVALID_REQUEST and what
    publishing the post now would raise, except PUBLISH_IN_PROGRESS.
    """
    post, target = get_post(project, post_id), get_target(project.id, data.get("target"))
    scheduled.check_time(data["publish_at"])
    payload = {**data, "blog_post_id": post.id, "target": target.id}
    try:
        admit(project, payload)
    except ServiceFailure as refused:
        if refused.failure.code != "PUBLISH_IN_PROGRESS":
            raise
    return scheduled.put(
        post,
        target,
        data["publish_at"],
        visibility=visibility_of(payload, target),
        override_reason=data["override_reason"] if data.get("override_quality_gate") else None,
        requested_by=requested_by,
    )


@dataclass(frozen=True)
class PostResult:
    """What became of one of several posts: its scheduled publication, or why there is none.

    ``created`` is False if what waited already was moved.
    """

    post_id: int
    row: ScheduledPublication | None = None
    created: bool = False
    failure: Failure | None = None


def schedule_posts(
    project: Project, times: Mapping[int, datetime], data: Mapping[str, Any], requested_by: str
) -> list[PostResult]:
    """Schedule several posts, each at its time and as ``schedule_post`` does; return what became of each.

    ``data`` are the other members of ScheduleInput, the same for all. A post that is refused does not stop
    the others. Raises INVALID_REQUEST for more than MOST_AT_ONCE posts or none.
    """
    if not 0 < len(times) <= MOST_AT_ONCE:
        raise invalid_field("/posts", f"Name between one and {MOST_AT_ONCE} posts.")
    project_id = project.id
    return [
        _one_of_several(project_id, post_id, {**data, "publish_at": publish_at}, requested_by)
        for post_id, publish_at in times.items()
    ]


def _one_of_several(project_id: int, post_id: int, data: Mapping[str, Any], requested_by: str) -> PostResult:
    try:
        row, created = schedule_post(db.session.get_one(Project, project_id), post_id, data, requested_by)
    except ServiceFailure as refusal:
        db.session.rollback()
        return PostResult(post_id, failure=replace(refusal.failure, message=refusal.first_message))
    return PostResult(post_id, row, created)
