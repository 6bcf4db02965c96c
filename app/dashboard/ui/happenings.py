"""What happened, in words: a sign, the thing, what became of it, and who or why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from flask import url_for

from app.autopilot.runs import REQUESTED_BY as BY_AUTOPILOT
from app.dashboard.forms.submission import REQUESTED_BY as BY_PERSON
from app.dashboard.ui.failures import in_plain_words
from app.executions.model import ExecutionJob
from app.overview.activity import Event

_SIGNS: Final[Mapping[str, tuple[str, str]]] = {
    "queued": ("◌", ""),
    "running": ("◐", "busy"),
    "succeeded": ("✓", "good"),
    "failed": ("✗", "bad"),
    "canceled": ("⊘", ""),
}
_THINGS: Final[Mapping[str, str]] = {
    "GENERATE_BLOG_POST": "A draft",
    "PLAN_BLOG_POST": "A plan",
    "SYNC_SITEMAP": "Your site",
    "SUGGEST_TITLES": "Ideas",
}
_DEEDS: Final[Mapping[str, tuple[str, str]]] = {
    "GENERATE_BLOG_POST": ("was", "written"),
    "PLAN_BLOG_POST": ("was", "planned"),
    "SYNC_SITEMAP": ("was", "read"),
    "PUBLISH_BLOG_POST": ("was", "published"),
    "UNPUBLISH_BLOG_POST": ("was", "taken back"),
    "REFRESH_BLOG_POST": ("was", "refreshed"),
    "SUGGEST_TITLES": ("were", "found"),
}


@dataclass(frozen=True)
class Happening:
    """One line of what happened. ``url`` is the page of its post, None without one."""

    sign: str
    tone: str
    at: datetime
    title: str
    became: str
    url: str | None
    words: str
    details_url: str


def happening_of(project_id: int, event: Event) -> Happening:
    """Return how an event is shown."""
    job = event.job
    sign, tone = _SIGNS.get(job.status, ("·", ""))
    url = url_for("posts.show", project_id=project_id, post_id=event.post_id) if event.post_id else None
    title = event.title or _THINGS.get(job.operation, "A post")
    details = url_for("executions.show", job_id=job.id)
    return Happening(sign, tone, event.at, title, _became(job), url, _words(job), details)


def _became(job: ExecutionJob) -> str:
    was, done = _DEEDS.get(job.operation, ("was", "worked on"))
    if job.status == "running":
        return f"{'are' if was == 'were' else 'is'} being {done}"
    if job.status == "queued":
        return f"{'wait' if was == 'were' else 'waits'} to be {done}"
    if job.status == "failed":
        return f"could not be {done}"
    return f"{was} not {done}: stopped" if job.status == "canceled" else f"{was} {done}"


def _words(job: ExecutionJob) -> str:
    if job.failure and job.status == "failed":
        return str(in_plain_words(job.failure)["message"])
    if job.operation == "SYNC_SITEMAP" and job.result:
        return _changes(job.result)
    return _who(job.requested_by)


def _who(requested_by: str) -> str:
    if requested_by == BY_PERSON:
        return "By you"
    if requested_by == BY_AUTOPILOT:
        return "By the autopilot"
    return f"By {requested_by}" if requested_by else "By the schedule"


def _changes(result: Mapping[str, object]) -> str:
    kinds = (("new", "new"), ("returned", "back"), ("stale", "gone"))
    parts = [
        f"{result[name]:,} {word}"
        for name, word in kinds
        if isinstance(result.get(name), int) and result[name]
    ]
    return ", ".join(parts) or "No change"
