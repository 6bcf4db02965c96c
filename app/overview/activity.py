"""What happened in a project: its latest jobs with the titles of their posts, and what comes next."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from app.autopilot.service import autopilot_of, next_slots
from app.content.posts.keyword_coverage import names_of
from app.executions.model import ExecutionJob
from app.executions.queries import JobFilter, list_jobs
from app.infra.clock import utc_now
from app.projects.model import Project
from app.publishing.planned import Entry, entries_between

_AHEAD: Final = timedelta(weeks=5)


@dataclass(frozen=True)
class Event:
    """A job, and the post that it is about, if there is one."""

    job: ExecutionJob
    post_id: int | None = None
    title: str = ""

    @property
    def at(self) -> datetime:
        """When it ended, or else was queued."""
        return self.job.completed_at or self.job.canceled_at or self.job.queued_at


def latest_events(project: Project, most: int) -> list[Event]:
    """Return the latest jobs of a project with the titles of their posts, the newest first."""
    jobs, _ = list_jobs(project.account_id, JobFilter(project_id=project.id), 1, most)
    posts = {job.id: post_of(job) for job in jobs}
    titles = names_of(project.id, {post_id for post_id in posts.values() if post_id is not None})
    return [_event(job, posts[job.id], titles) for job in jobs]


def coming_up(project: Project, most: int) -> list[Entry]:
    """Return what is planned in the next weeks, the earliest first: posts, and runs of the autopilot."""
    now = utc_now()
    planned = [entry for entry in entries_between(project, now, now + _AHEAD) if entry.state == "waiting"]
    runs = [Entry(moment, "run", 0, "") for moment in next_slots(autopilot_of(project), most)]
    return sorted([*planned, *runs], key=lambda entry: entry.moment)[:most]


def post_of(job: ExecutionJob) -> int | None:
    """Return the id of the post that a job made or is about."""
    for members in (job.result, job.payload):
        if members and isinstance(post_id := members.get("blog_post_id"), int):
            return post_id
    return None


def _event(job: ExecutionJob, post_id: int | None, titles: dict[int, str]) -> Event:
    if post_id not in titles or post_id is None:
        return Event(job, title=str(job.payload.get("topic") or ""))
    return Event(job, post_id, titles[post_id])
