"""The checklist from a new site to its first live post, the same wherever it is shown."""

from typing import Any

from flask import url_for

from app.dashboard.ui.first_visit import Milestone, with_states
from app.dashboard.ui.jobs import titles_by_job
from app.executions.model import ExecutionJob
from app.executions.queries import newest_jobs
from app.executions.states import ACTIVE, Status
from app.operations import generate_blog_post, sync_sitemap
from app.overview.progress import Numbers
from app.pages.reading_progress import ReadingProgress, progress_with
from app.projects.model import Project


def checklist(
    project: Project,
    numbers: Numbers,
    reading: ReadingProgress,
    sync: ExecutionJob | None,
    draft: ExecutionJob | None,
    draft_id: int | None,
) -> list[Milestone]:
    """Return the checklist of a site.

    ``sync`` and ``draft`` are the newest jobs that read its sitemap and that wrote a post; ``draft_id`` is
    the id of that post.
    """
    here: dict[str, Any] = {"project_id": project.id}
    blog = "" if numbers.has_target else "WordPress, Ghost or your own"
    targets, posts = url_for("targets.index", **here), url_for("posts.index", **here)
    lines = (
        (True, Milestone("Account")),
        (True, Milestone("Your site", project.name)),
        _pages(project, reading, sync),
        (numbers.has_written, _first_draft(project, draft, draft_id)),
        (numbers.has_target, Milestone("Connect your blog", blog, url=targets, action="Connect it")),
        (
            numbers.published > 0,
            Milestone("First post live", "You decide when", url=posts, action="Choose a post"),
        ),
    )
    return with_states(lines)


def open_checklist(project: Project, numbers: Numbers) -> list[Milestone]:
    """Return the checklist of a site; it is empty once every step is done."""
    if numbers.fresh and numbers.has_written and numbers.published and numbers.has_target:
        return []
    reading, writing = sync_sitemap.OPERATION.name, generate_blog_post.OPERATION.name
    newest = newest_jobs(project.id, (reading, writing))
    progress = progress_with(project, numbers.waiting)
    sync, draft = newest.get(reading), newest.get(writing)
    return checklist(project, numbers, progress, sync, draft, written_post(draft))


def is_syncing(project: Project, sync: ExecutionJob | None) -> bool:
    """Return whether the sitemap of a site is being read, or will be in a moment."""
    return sync.status in ACTIVE if sync else project.next_sync_at is not None


def written_post(job: ExecutionJob | None) -> int | None:
    """Return the id of the post that a generation made and that still exists."""
    if job is None or job.status != Status.SUCCEEDED or job.rollback_state == "completed":
        return None
    return job.post_id if job.id in titles_by_job([job]) else None


def _pages(project: Project, reading: ReadingProgress, sync: ExecutionJob | None) -> tuple[bool, Milestone]:
    going_on = is_syncing(project, sync)
    words = f"{reading.done} of {reading.pages} read" if reading.pages else "Found and read for you"
    url = url_for("pages.index", project_id=project.id)
    action = "" if going_on or not reading.is_over else "Add pages"
    return reading.is_enough and not going_on, Milestone("Your pages", words, url=url, action=action)


def _first_draft(project: Project, draft: ExecutionJob | None, post_id: int | None) -> Milestone:
    is_writing = draft is not None and draft.status in ACTIVE
    if post_id:
        url, words = url_for("posts.show", project_id=project.id, post_id=post_id), "Open it and check it"
    else:
        url = url_for("posts.generate", project_id=project.id)
        words = "It is being written" if is_writing else "Choose an idea"
    action = "" if is_writing else "Open it" if post_id else "Write a post"
    return Milestone("First draft", words, url=url, action=action)
