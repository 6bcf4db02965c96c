"""What the operations about publishing share: the target, the post, and waiting."""

from __future__ import annotations

import time
from typing import Any, Final

from marshmallow import ValidationError

from app.content.model import BlogPost
from app.content.posts.service import get_post
from app.failures import ServiceFailure
from app.infra.clock import wait_until
from app.infra.db import LARGEST_ID
from app.infra.http.client import fetcher_from
from app.infra.settings import current_settings
from app.operations.base import OperationFailed, Payload, Run
from app.projects.model import Project
from app.publishing.model import PublishTarget
from app.publishing.service import access_to
from app.publishing.targets.base import Access, PublishProblem

TARGET_SCHEMA: Final = {"type": ["integer", "string"], "minimum": 1, "minLength": 1, "maxLength": 80}
"""The documentation of a field that takes the id or the name of a target."""


def target_ref(value: Any) -> None:
    """Refuse what is not the id or the name of a target. Raises ValidationError."""
    named = isinstance(value, str) and 0 < len(value) <= 80 and "\x00" not in value
    numbered = isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST_ID
    if value is not None and not named and not numbered:
        raise ValidationError("Give the id or the name of a publish target.")


def idle_post(project: Project, payload: Payload) -> BlogPost:
    """Return the post of a payload. Raises BLOG_POST_NOT_FOUND, PUBLISH_IN_PROGRESS."""
    post = get_post(project, payload["blog_post_id"])
    if post.status == "publishing":
        raise ServiceFailure("PUBLISH_IN_PROGRESS", details={"blog_post_id": post.id})
    return post


def access_for(run: Run, target: PublishTarget) -> Access:
    """Return what a job's calls to a target need. Raises OperationFailed if its secret cannot be read."""
    try:
        return access_to(target, fetcher_from(current_settings(), should_stop=run.should_stop))
    except PublishProblem as problem:
        raise OperationFailed(problem.failure) from problem


def pause(run: Run, seconds: float) -> None:
    """Wait; stop within a moment when the job has to end. Raises Stopped or JOB_TIMEOUT."""
    wait_until(time.monotonic() + seconds, run.should_stop)
    run.check_cancelled()
