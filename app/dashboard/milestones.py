"""The checklist from a new site to its first live post, the same wherever it is shown."""

from __future__ import annotations

from flask import url_for

from app.dashboard.ui.first_visit import Milestone, Progress, steps_of
from app.dashboard.ui.jobs import titles_by_job
from app.executions.model import ExecutionJob
from app.executions.queries import newest_job
from app.executions.states import ACTIVE, Status
from app.operations import generate_blog_post, sync_sitemap
from app.overview.progress import Numbers
from app.pages.reading_progress import ReadingProgress, reading_progress
from app.projects.model import Project
from app.publishing.service import list_targets


def checklist(
    project: Project,
    numbers: Numbers,
    reading: ReadingProgress,
    sync: ExecutionJob | None,
    draft: ExecutionJob | None,
) -> list[Milestone]:
    """Return the checklist of a site; ``sync`` and ``draft`` are its newest reading and generation."""
    return steps_of(project, _progress(project, numbers, reading, sync, draft))


def open_checklist(project: Project, numbers: Numbers) -> list[Milestone]:
    """Return the checklist of a site, empty once all of it is done."""
    if numbers.fresh and numbers.has_written and numbers.published and list_targets(project):
        return []
    sync = newest_job(project.id, sync_sitemap.OPERATION.name)
    draft = newest_job(project.id, generate_blog_post.OPERATION.name)
    return checklist(project, numbers, reading_progress(project), sync, draft)


def is_syncing(project: Project, sync: ExecutionJob | None) -> bool:
    """Return whether the sitemap of a site is being read, or will be in a moment."""
    return sync.status in ACTIVE if sync else project.next_sync_at is not None


def written_post(job: ExecutionJob | None) -> int | None:
    """Return the id of the post that a generation made and that still exists."""
    if job is None or job.status != Status.SUCCEEDED or job.rollback_state == "completed":
        return None
    return job.post_id if job.id in titles_by_job([job]) else None


def _progress(
    project: Project,
    numbers: Numbers,
    reading: ReadingProgress,
    sync: ExecutionJob | None,
    draft: ExecutionJob | None,
) -> Progress:
    post_id = written_post(draft)
    is_writing = draft is not None and draft.status in ACTIVE
    going_on = is_syncing(project, sync)
    at_post = url_for("posts.show", project_id=project.id, post_id=post_id) if post_id else None
    waiting = "It is being written" if is_writing else "Choose an idea"
    return Progress(
        pages=f"{reading.done} of {reading.pages} read" if reading.pages else "Found and read for you",
        pages_done=reading.is_enough and not going_on,
        pages_go_on=going_on or not reading.is_over,
        draft="Open it and check it" if post_id else waiting,
        has_draft=numbers.has_written,
        is_writing=is_writing,
        draft_url=at_post,
        has_target=bool(list_targets(project)),
        is_published=numbers.published > 0,
    )
