"""What happened, in words: a sign, the thing, what became of it, and who or why."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from flask import url_for

from app.dashboard.ui.failures import plain_message
from app.dashboard.ui.figures import day
from app.dashboard.ui.jobs import asker, job_word, operation_words, sync_changes, topic_of
from app.dashboard.ui.presentation import host_of
from app.executions.model import ExecutionJob
from app.executions.queries import Latest


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


def happenings_of(latest: Sequence[Latest]) -> list[Happening]:
    """Return how jobs are shown, in their order."""
    return [_happening(each.job, each.title) for each in latest]


def _happening(job: ExecutionJob, title: str | None) -> Happening:
    word = job_word(job)
    return Happening(
        sign=word.sign,
        tone=word.tone,
        at=job.completed_at or job.canceled_at or job.queued_at,
        title=title or topic_of(job),
        became=_became(job, word.text),
        url=url_for("posts.show", project_id=job.project_id, post_id=job.post_id) if title else None,
        words=_words(job),
        details_url=url_for("executions.show", job_id=job.id),
    )


def _became(job: ExecutionJob, word: str) -> str:
    words = operation_words(job)
    be, was, wait = ("are", "were", "wait") if words.is_plural else ("is", "was", "waits")
    sentences = {
        "running": f"{be} being {words.done}",
        "queued": f"{wait} to be {words.done}",
        "failed": f"could not be {words.done}",
        "canceled": f"{was} not {words.done}: stopped",
    }
    ended = f"{was} {words.done}" if word == words.succeeded else f"{be} {word}"
    return sentences.get(job.status, ended)


def _words(job: ExecutionJob) -> str:
    if job.failure and job.status == "failed":
        return plain_message(job.failure)
    if job.operation == "SYNC_SITEMAP" and job.result:
        return sync_changes(job.result)
    if job.operation == "IMPORT_SEARCH_PERFORMANCE" and job.result:
        return _figures(job.result)
    if job.operation == "PUBLISH_BLOG_POST" and job.result and job.result.get("url"):
        how = "A hidden draft" if job.result.get("state") == "draft" else "Live"
        return f"{how} at {host_of(job.result['url'])}, by {asker(job.requested_by)}"
    return f"By {asker(job.requested_by)}"


def _figures(result: Mapping[str, object]) -> str:
    last_day = result.get("last_day")
    if not isinstance(last_day, str):
        return "Google has counted nothing yet"
    return f"Figures until {day(date.fromisoformat(last_day))}"
