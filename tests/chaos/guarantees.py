"""The guarantees of docs/executions.md, each a function from the evidence to what breaks it."""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any, Final

from app.executions.failing import MAX_ATTEMPTS
from app.executions.model import JobHistory
from app.executions.states import TERMINAL, TRANSITIONS, Status
from tests.chaos.customers import GENERATE, PUBLISH, UNPUBLISH
from tests.chaos.evidence import Evidence
from tests.chaos.receiver import Text

STOPS_WITHIN: Final = 5.0
RECORDED: Final = {PUBLISH: ("live", "draft"), UNPUBLISH: ("unpublished",)}
"""States of a publication after the last job that changed it has succeeded."""
START = (Status.QUEUED, Status.RUNNING)

Breaches = Iterator[str]


def history_is_a_path(found: Evidence) -> Breaches:
    """1: a history begins with queued, follows the table, ends with the status, and loses nothing."""
    for job_id, job in found.jobs.items():
        rows = found.histories.get(job_id, [])
        states = [Status(row.status) for row in rows]
        if not rows or rows[0].event not in ("JOB_CREATED", "JOB_RETRIED") or states[-1] != job.status:
            yield f"job {job_id} is {job.status}, its history is {[row.event for row in rows]}"
            continue
        for row, (old, new) in zip(rows[1:], itertools.pairwise(states), strict=True):
            if not _legal(row, old, new):
                yield f"job {job_id}: {row.event} from {old} to {new}"
        if [row.at for row in rows] != sorted(row.at for row in rows):
            yield f"job {job_id}: its history goes back in time"
    for job_id, seen in found.ledger.seen.items():
        if job_id in found.jobs and found.shown(job_id)[: len(seen)] != seen:
            yield f"job {job_id}: a history that was shown has changed"


def effects_are_single(found: Evidence) -> Breaches:
    """2: succeeded means exactly one effect, failed or canceled none."""
    for job_id, job in found.jobs.items():
        posts = len(found.posts_of(job_id))
        wanted = job.operation == GENERATE and job.status == Status.SUCCEEDED
        if posts != int(wanted and job.rollback_state != "completed"):
            yield f"job {job_id} is {job.status} with {posts} posts, rollback {job.rollback_state}"
        if job.operation in RECORDED and job.status == Status.SUCCEEDED:
            last = [one for one in found.publications.values() if one.job_id == job_id]
            if any(one.state not in RECORDED[job.operation] for one in last):
                yield f"job {job_id} succeeded, its publication is {[one.state for one in last]}"


def canceled_stays_canceled(found: Evidence) -> Breaches:
    """3: after a 200 to cancel a job never succeeds, and sends nothing after 5 s."""
    owners = {publication_id: one.job_id for publication_id, one in found.publications.items()}
    for job_id, at in found.ledger.canceled.items():
        if job_id not in found.jobs or found.jobs[job_id].status != Status.CANCELED:
            yield f"job {job_id} was canceled and is {getattr(found.jobs.get(job_id), 'status', 'gone')}"
        for call in found.calls:
            late = call.at > at + STOPS_WITHIN and call.kind != "lookup"
            if late and owners.get(call.publication_id) == job_id:
                yield f"job {job_id} sent {call.at - at:.1f} s after it was canceled"


def one_key_one_job(found: Evidence) -> Breaches:
    """4: the same key leads to one job, and every job that was answered exists."""
    for (path, key), jobs in found.ledger.jobs_of_keys.items():
        if len(jobs) > 1:
            yield f"key {key} of {path} led to jobs {sorted(jobs)}"
        for job_id in jobs - found.jobs.keys():
            yield f"job {job_id} was answered to key {key} and does not exist"
    made = Counter((job.account_id, job.retry_of, job.idempotency_key) for job in found.jobs.values())
    for (_, _, key), number in made.items():
        if key is not None and number > 1:
            yield f"key {key} made {number} jobs"


def rolled_back_was_never_published(found: Evidence) -> Breaches:
    """5: a rolled back post is gone and never was at a target; what was answered is true."""
    published = {text.post_id for text in found.taken.values()}
    for job_id, job in found.jobs.items():
        if job_id in found.ledger.rolled_back and job.rollback_state != "completed":
            yield f"job {job_id}: its rollback was answered and is {job.rollback_state}"
        if job.rollback_state == "completed" and job.reverted_blog_post_id in published:
            yield f"job {job_id} was rolled back, and its post {job.reverted_blog_post_id} is published"


def everything_ends(found: Evidence) -> Breaches:
    """6: once the faults stop, every job ends."""
    for job_id, job in found.jobs.items():
        if job.status not in TERMINAL:
            yield f"job {job_id} is {job.status}"


def enqueued_after_commit(found: Evidence) -> Breaches:
    """6: only an existing job is enqueued. (SQLite reuses the id of a job that was rolled back.)"""
    for job_id in sorted(found.enqueued - found.jobs.keys()):
        yield f"job {job_id} was enqueued and does not exist"


def stale_workers_change_nothing(found: Evidence) -> Breaches:
    """7: three attempts at most, each claimed once, and the attempt that ends a job is its last."""
    for job_id, job in found.jobs.items():
        started = [_attempt(row) for row in found.histories[job_id] if row.event == "JOB_STARTED"]
        if (
            started != list(range(1, job.attempt + 1))
            or job.attempt > MAX_ATTEMPTS
            or job.fence != job.attempt
        ):
            yield f"job {job_id}: attempts {started}, counted {job.attempt}, fence {job.fence}"
        for row in found.histories[job_id]:
            last = [n for n in started if n is not None][-1:]
            if row.event == "JOB_SUCCEEDED" and [_attempt(row)] != last:
                yield f"job {job_id}: attempt {_attempt(row)} ended it while {last} was running"


def published_once(found: Evidence) -> Breaches:
    """8: one publication id for a post, and no text sent again before the target was asked for it."""
    places: defaultdict[int, set[str]] = defaultdict(set)
    for publication_id, text in found.taken.items():
        places[text.post_id].add(publication_id)
    for post_id, publication_ids in places.items():
        if len(publication_ids) > 1:
            yield f"post {post_id} was taken {len(publication_ids)} times: {sorted(publication_ids)}"
    sent: dict[str, Text | None] = {}
    for call in found.calls:
        if call.kind == "lookup":
            if call.answer != "unsure" and call.there != sent.get(call.publication_id):
                sent[call.publication_id] = None
            continue
        if call.kind == "unpublished":
            sent.pop(call.publication_id, None)
            continue
        if call.sent == sent.get(call.publication_id):
            yield f"{call.publication_id} was {call.kind} again without asking"
        if call.answer == "knows nothing":
            yield f"{call.publication_id} was updated and is not there"
        sent[call.publication_id] = None if call.answer == "refuses" else call.sent


def what_succeeded_arrived(found: Evidence) -> Breaches:
    """8: when a job succeeded, the target had the text that it was asked to publish, or a later one."""
    had: defaultdict[str, list[tuple[float, int]]] = defaultdict(list)
    for call in (*found.calls, *found.at_blogs):
        if call.there is not None:
            had[call.publication_id].append((call.at, call.there.edition))
    for job_id, edition in found.ledger.editions.items():
        job = found.jobs.get(job_id)
        if job is None or job.operation != PUBLISH or job.status != Status.SUCCEEDED:
            continue
        ended, publication_id = (
            found.histories[job_id][-1].at.timestamp(),
            (job.result or {})["publication_id"],
        )
        if not any(at <= ended and there >= edition for at, there in had[publication_id]):
            yield f"job {job_id} published edition {edition} as {publication_id}, and it was not there"


def records_match_the_target(found: Evidence) -> Breaches:
    """8: what the receiver has is live (or, until it is asked again, unknown) here, and nothing else is."""
    for publication_id, text in found.taken.items():
        state = getattr(found.publications.get(publication_id), "state", "gone")
        if state not in ("live", "unknown"):
            yield f"post {text.post_id} is at the target as {publication_id}, which is {state} here"
    for publication_id, publication in found.live("webhook"):
        there = found.taken.get(publication_id)
        if there is None and not publication.failure:  # else the failed unpublishing is known
            yield f"{publication_id} is live here and not at the target"
        elif there is not None and publication.content_sha256 not in ("", there.digest):
            yield f"{publication_id} is live here with another text than at the target"


def nothing_is_left_publishing(found: Evidence) -> Breaches:
    """8: every publication ends."""
    for publication_id, publication in found.publications.items():
        if publication.state in ("intent", "sending"):
            yield f"{publication_id} was left {publication.state}"
    for post in found.posts.values():
        if post.status == "publishing":
            yield f"post {post.id} was left publishing"


def one_post_at_a_blog(found: Evidence) -> Breaches:
    """8: a blog never has two posts of one publication, nor live posts of two publications of one post."""
    yield from found.doubles
    live: Counter[int] = Counter()
    for row in found.rows:
        publication = found.publications.get(row.publication_id)
        if row.is_live and publication is not None:
            live[publication.blog_post_id] += 1
    for post_id, number in live.items():
        if number > 1:
            yield f"post {post_id} is live {number} times"


def records_match_the_blogs(found: Evidence) -> Breaches:
    """8: what is live at a blog is live here, or its failure is known; nothing stays of rolled back posts."""
    rows = {row.publication_id: row for row in found.rows}
    for name, row in rows.items():
        publication = found.publications.get(name)
        if publication is None:
            yield f"{name} is {'live' if row.is_live else 'hidden'} at a blog, its post is gone"
        elif row.is_live and publication.state not in ("live", "unknown"):
            yield f"{name} is live at a blog and {publication.state} here"
    for name, publication in (*found.live("wordpress"), *found.live("ghost")):
        if name in rows and rows[name].is_live:
            if publication.content_sha256 not in ("", rows[name].digest):
                yield f"{name} is live here with another text than at the blog"
        elif not publication.failure:  # else the failed unpublishing is known
            yield f"{name} is live here and not at the blog"


GUARANTEES: Final[dict[str, Callable[[Evidence], Breaches]]] = {
    "1 a history is a path": history_is_a_path,
    "2 one effect or none": effects_are_single,
    "3 canceled stays canceled": canceled_stays_canceled,
    "4 one key, one job": one_key_one_job,
    "5 rolled back or published": rolled_back_was_never_published,
    "6 everything ends": everything_ends,
    "6 enqueued after the commit": enqueued_after_commit,
    "7 a stale worker changes nothing": stale_workers_change_nothing,
    "8 published once": published_once,
    "8 what succeeded arrived": what_succeeded_arrived,
    "8 records match the target": records_match_the_target,
    "8 nothing is left publishing": nothing_is_left_publishing,
    "8 one post at a blog": one_post_at_a_blog,
    "8 records match the blogs": records_match_the_blogs,
}
DOUBLED = ("2 one effect or none", "4 one key, one job", "8 published once", "8 one post at a blog")


def _legal(row: JobHistory, old: Status, new: Status) -> bool:
    if row.event.startswith("JOB_ROLLBACK"):
        return old == new == Status.SUCCEEDED
    return new in TRANSITIONS[old] and (row.event == "JOB_STARTED") == ((old, new) == START)


def _attempt(row: JobHistory) -> Any:
    return (row.details or {}).get("attempt")
