"""How jobs are shown: what they are about, what they do and how that went, in words for people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.autopilot.runs import REQUESTED_BY as BY_AUTOPILOT
from app.content.posts.service import titles_of
from app.dashboard.forms.submission import REQUESTED_BY as BY_PERSON
from app.dashboard.ui.failures import plain_message, plain_note
from app.dashboard.ui.presentation import STATUS, Word, reason_words, status_word
from app.executions.model import ExecutionJob, JobHistory
from app.executions.schedule import REQUESTED_BY as BY_SCHEDULE


@dataclass(frozen=True)
class OperationWords:
    """The words for an operation: its title, its subject if the job names none, and its states.

    ``done`` follows “was”; ``end`` is the word for success where that is another one.
    """

    title: str
    subject: str
    running: str
    done: str
    after_failure: str
    end: str = ""
    is_plural: bool = False

    @property
    def succeeded(self) -> str:
        return self.end or self.done

    @property
    def failed(self) -> str:
        return f"not {self.done}"


OPERATION_WORDS: Final[Mapping[str, OperationWords]] = {
    "GENERATE_BLOG_POST": OperationWords(
        title="Writing a post",
        subject="A new post",
        running="writing",
        done="written",
        after_failure="No draft was written, and nothing else changed.",
    ),
    "PLAN_BLOG_POST": OperationWords(
        title="Planning a post",
        subject="A new post",
        running="planning",
        done="planned",
        after_failure="No plan was made.",
    ),
    "SYNC_SITEMAP": OperationWords(
        title="Reading your sitemap",
        subject="Your pages",
        running="reading",
        done="read",
        after_failure="Your pages stay as they were.",
        is_plural=True,
    ),
    "PUBLISH_BLOG_POST": OperationWords(
        title="Publishing",
        subject="A post",
        running="publishing",
        done="published",
        after_failure="Your post is safe here, and nothing new of it is live.",
        end="live",
    ),
    "UNPUBLISH_BLOG_POST": OperationWords(
        title="Unpublishing",
        subject="A post",
        running="unpublishing",
        done="unpublished",
        after_failure="Readers may still see the post.",
    ),
    "REFRESH_BLOG_POST": OperationWords(
        title="Writing a new text",
        subject="A post",
        running="writing",
        done="written anew",
        after_failure="Your post stays as it was.",
    ),
    "REWRITE_BLOG_POST": OperationWords(
        title="Writing a part anew",
        subject="A post",
        running="writing",
        done="written anew",
        after_failure="Your post stays as it was.",
    ),
    "SUGGEST_TITLES": OperationWords(
        title="Looking for title ideas",
        subject="Title ideas",
        running="looking",
        done="found",
        after_failure="No idea was added.",
        is_plural=True,
    ),
    "IMPORT_SEARCH_PERFORMANCE": OperationWords(
        title="Reading your search results",
        subject="Your search results",
        running="reading",
        done="read",
        after_failure="Your search results stay as they were.",
        is_plural=True,
    ),
}
_OTHER: Final = OperationWords(
    title="Working", subject="A job", running="running", done="done", after_failure=""
)

STATE_WORDS: Final[Mapping[str, str]] = {
    "queued": "waiting",
    "running": "under way",
    "succeeded": "done",
    "failed": "failed",
    "canceled": "stopped",
}

STAGE_WORDS: Final[Mapping[str, str]] = {
    "prepare_input": "Prepared",
    "collect_sources": "Reading the pages it needs",
    "build_brief": "Choosing passages",
    "build_outline": "Making a plan",
    "draft_sections": "Writing the parts",
    "check_claims": "Looking for the source of each sentence",
    "assemble": "Putting the parts together",
    "quality_check": "Checking the text",
    "save_draft": "Saving the draft",
    "save_proposal": "Saving the new text",
    "check_sources": "Looking for changes on the pages",
    "fetch_sitemap": "Reading the sitemap",
    "apply_changes": "Comparing with the list of your pages",
    "prepare": "Checking the text once more",
    "deliver": "Sending the post",
    "unpublish": "Hiding the post from readers",
    "find_ideas": "Looking for ideas",
    "read_days": "Asking Google which days it has counted",
    "read_queries": "Reading searches from Google",
    "read_pages": "Reading pages from Google",
}
_EVENTS: Final[Mapping[str, str]] = {
    "JOB_CREATED": "Asked for",
    "JOB_RETRIED": "Asked for once more",
    "JOB_STARTED": "Started",
    "JOB_PROGRESS": "Working",
    "JOB_REQUEUED": "Waiting for another try",
    "JOB_CANCELED": "Stopped",
    "JOB_ROLLBACK_COMPLETED": "Rolled back",
    "JOB_ROLLBACK_BLOCKED": "Rollback blocked",
}
_EVENT_LOOKS: Final[Mapping[str, tuple[str, str]]] = {
    "JOB_SUCCEEDED": ("good", "✓"),
    "JOB_FAILED": ("bad", "✗"),
    "JOB_CANCELED": ("", "⊘"),
    "JOB_REQUEUED": ("warn", "!"),
    "JOB_ROLLBACK_COMPLETED": ("good", "✓"),
    "JOB_ROLLBACK_BLOCKED": ("warn", "⊘"),
}


@dataclass(frozen=True)
class Event:
    """A line of a job's timeline; ``tone`` and ``sign`` are how it went, ``note`` is what else is known."""

    text: str
    tone: str
    sign: str
    note: str


def operation_words(job: ExecutionJob) -> OperationWords:
    return OPERATION_WORDS.get(job.operation, _OTHER)


def job_word(job: ExecutionJob) -> Word:
    """Return how a job's status is shown: “publishing”, “live”, “not published”, “stopped”."""
    look, words = status_word(job.status), operation_words(job)
    states = {"running": words.running, "succeeded": _done(job, words), "failed": words.failed}
    return Word(look.sign, states.get(job.status) or STATE_WORDS.get(job.status, look.text), look.tone)


def _done(job: ExecutionJob, words: OperationWords) -> str:
    result = job.result or {}
    if job.operation == "PUBLISH_BLOG_POST" and result.get("state") not in (None, "live"):
        return {"draft": "a hidden draft there"}.get(result["state"], str(result["state"]))
    return "unchanged" if unchanged_words(job) else words.succeeded


def unchanged_words(job: ExecutionJob) -> str:
    """Return why a job that proposes a new text left the post as it is; empty if it did not."""
    result = job.result or {}
    if job.operation not in ("REFRESH_BLOG_POST", "REWRITE_BLOG_POST") or result.get("changed", True):
        return ""
    if job.operation == "REWRITE_BLOG_POST":
        return "The words came out the same, so there is nothing to decide."
    if result.get("sources_changed"):
        return "The changed pages give the same text, so there is nothing to decide."
    return "The pages of this post have not changed, so it stays as it is."


def sync_changes(result: Mapping[str, object]) -> str:
    kinds = (("new", "new"), ("returned", "back"), ("stale", "gone"))
    parts = [
        f"{result[name]:,} {word}"
        for name, word in kinds
        if isinstance(result.get(name), int) and result[name]
    ]
    if result.get("quarantined"):
        parts.append(f"{result['missing']:,} missing and kept")
    return ", ".join(parts) or "No change"


def subjects_of(jobs: Sequence[ExecutionJob]) -> dict[int, str]:
    """Return what jobs are about, by their ids: a post's title or topic. One query for all."""
    titles = titles_by_job(jobs)
    return {job.id: titles.get(job.id) or topic_of(job) for job in jobs}


def titles_by_job(jobs: Sequence[ExecutionJob]) -> dict[int, str]:
    """Return the titles of the posts that jobs are about and that still exist, by the jobs' ids."""
    posts = {job.id: post_id for job in jobs if (post_id := job.post_id) is not None}
    titles = titles_of({job.project_id for job in jobs}, posts.values())
    return {job_id: titles[post_id] for job_id, post_id in posts.items() if post_id in titles}


def topic_of(job: ExecutionJob) -> str:
    """Return what the result or the caller says that a post without a row is about."""
    payload, result = job.payload or {}, job.result or {}
    named = (result.get("title"), payload.get("title"), payload.get("topic"), result.get("topic"))
    return next((str(name) for name in named if name), operation_words(job).subject)


def event_of(entry: JobHistory, job: ExecutionJob, is_last: bool) -> Event:
    """Return a line of a job's timeline; a stage is done once another line follows it."""
    stage = (entry.details or {}).get("stage")
    ends = {"JOB_SUCCEEDED": job_word(job).text, "JOB_FAILED": operation_words(job).failed}
    text = ends.get(entry.event) or (
        stage_word(str(stage)) if stage else _EVENTS.get(entry.event, entry.event)
    )
    working = ("busy", "◐") if is_last else ("good", "✓")
    tone, sign = _EVENT_LOOKS.get(entry.event, working if stage else ("", "◌"))
    return Event(text[:1].upper() + text[1:], tone, sign, _note(entry, job))


def _note(entry: JobHistory, job: ExecutionJob) -> str:
    details = entry.details or {}
    if entry.event == "JOB_FAILED" and job.failure:
        return plain_message(job.failure)
    if details.get("message"):
        return plain_note(str(details["message"]))
    if details.get("requested_by"):
        return f"by {asker(details['requested_by'])}"
    return reason_words(details["reason"]) if details.get("reason") else ""


def asker(requested_by: str | None) -> str:
    """Return who asked for a job, to follow "by"."""
    if requested_by is None or requested_by == BY_SCHEDULE:
        return "the service itself"
    if requested_by.startswith(BY_SCHEDULE):
        return "your calendar"
    return {BY_PERSON: "you", BY_AUTOPILOT: "the autopilot"}.get(requested_by, requested_by)


def stage_word(stage: str) -> str:
    """Return a stage's name for people; an unknown one without its underscores."""
    return STAGE_WORDS.get(stage) or stage.replace("_", " ").capitalize()


def state_choices(statuses: Sequence[str]) -> list[tuple[str, str]]:
    return [(name, f"{STATUS[name].sign} {STATE_WORDS.get(name, name)}") for name in statuses]


FILTERS: Final = (stage_word,)
GLOBALS: Final = (
    asker,
    operation_words,
    event_of,
    job_word,
    state_choices,
    subjects_of,
    sync_changes,
    unchanged_words,
)
