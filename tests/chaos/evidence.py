"""What a run left behind, read from the database as plain values."""

from __future__ import annotations

import itertools
import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from redis import Redis
from redis.exceptions import RedisError
from sqlalchemy import func, select, update
from sqlalchemy.exc import SQLAlchemyError

from app.api.jobs import HistoryOut
from app.content.model import BlogPost
from app.executions.model import ExecutionJob, JobHistory
from app.executions.states import ACTIVE, Status
from app.infra.clock import utc_now
from app.infra.db import db, reading, release
from app.publishing.model import AbandonedDraft, Publication, PublishTarget
from tests.chaos.blogs import Blogs, Row
from tests.chaos.customers import Ledger
from tests.chaos.receiver import Call, Receiver, Text


@dataclass(frozen=True)
class Evidence:
    """Everything that the guarantees are judged by."""

    jobs: dict[int, ExecutionJob]
    histories: dict[int, list[JobHistory]]
    posts: dict[int, BlogPost]
    publications: dict[str, Publication]
    ledger: Ledger
    calls: Sequence[Call]
    taken: dict[str, Text]
    enqueued: set[int]
    at_blogs: Sequence[Call]
    """Each text at a blog when it changed there."""
    rows: Sequence[Row]
    """What the blogs have in the end."""
    doubles: Sequence[str]
    kinds: dict[int, str]
    """The kind of each target."""

    def live(self, kind: str) -> list[tuple[str, Publication]]:
        """The publications that are live here, at targets of a kind."""
        there = [one for one in self.publications.values() if self.kinds[one.target_id] == kind]
        return [(one.publication_id, one) for one in there if one.state == "live"]

    def posts_of(self, job_id: int) -> list[BlogPost]:
        return [post for post in self.posts.values() if post.job_id == job_id]

    def shown(self, job_id: int) -> list[dict[str, Any]]:
        """A job's history as the API shows it."""
        return HistoryOut(many=True).dump(self.histories[job_id])


def collect(ledger: Ledger, receiver: Receiver, blogs: Blogs, enqueued: set[int]) -> Evidence:
    """Read the database, in the pushed application."""
    db.session.rollback()
    histories: defaultdict[int, list[JobHistory]] = defaultdict(list)
    for row in db.session.scalars(select(JobHistory).order_by(JobHistory.job_id, JobHistory.id)):
        histories[row.job_id].append(row)
    found = Evidence(
        jobs={job.id: job for job in db.session.scalars(select(ExecutionJob))},
        histories=histories,
        posts={post.id: post for post in db.session.scalars(select(BlogPost))},
        publications={one.publication_id: one for one in db.session.scalars(select(Publication))},
        ledger=ledger,
        calls=list(receiver.calls),
        taken=dict(receiver.posts),
        enqueued=enqueued,
        at_blogs=list(blogs.shown),
        rows=blogs.rows(),
        doubles=list(blogs.doubles),
        kinds={target.id: target.kind for target in db.session.scalars(select(PublishTarget))},
    )
    db.session.expunge_all()
    db.session.rollback()
    return found


def hurry_deletions() -> None:
    """Let the abandoned drafts be due now."""
    db.session.execute(update(AbandonedDraft).values(next_try_at=utc_now()))
    db.session.commit()


def open_ends() -> int:
    """How many jobs have not ended, publications nobody looked into, and drafts of rolled back posts."""
    db.session.rollback()
    active = select(func.count()).select_from(ExecutionJob).where(ExecutionJob.status.in_(ACTIVE))
    underway = Publication.state.in_(("intent", "sending"))
    sending = select(func.count()).select_from(Publication).where(underway)
    abandoned = select(func.count()).select_from(AbandonedDraft)
    number = sum(db.session.scalar(statement) or 0 for statement in (active, sending, abandoned))
    db.session.rollback()
    return number


def started_again(since: float) -> bool:
    """Whether a second or third attempt runs that began after this time; False without a database."""
    again = select(ExecutionJob.id).where(
        ExecutionJob.status == Status.RUNNING, ExecutionJob.attempt > 1,
        ExecutionJob.started_at > datetime.fromtimestamp(since, UTC),
    )  # fmt: skip
    try:
        with reading():
            return db.session.scalar(again.limit(1)) is not None
    except SQLAlchemyError:
        return False
    finally:
        release()


class QueueWatch:
    """The ids of the jobs that were ever put on the queue, as far as somebody looked in time."""

    def __init__(self, redis_url: str) -> None:
        self.enqueued: set[int] = set()
        self._url = redis_url
        self._next = 0.0

    def look(self) -> None:
        """Look once a second; rq keeps what is done for a minute."""
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + 1
        with suppress(RedisError), Redis.from_url(self._url, socket_timeout=1) as connection:
            keys = connection.scan_iter("rq:job:execution-*", count=1000)
            self.enqueued |= {int(key.split(b"-")[1]) for key in keys}


@dataclass(frozen=True)
class Attempt:
    """One attempt of a job, in seconds since 1970; ``lost`` when its worker died."""

    job_id: int
    started: float
    ended: float
    lost: bool
    next_sign: float | None
    """When the job was started again, or ended."""


def attempts(evidence: Evidence) -> list[Attempt]:
    """Every attempt of every job."""
    found = []
    for job_id, rows in evidence.histories.items():
        for number, row in enumerate(rows):
            if row.event != "JOB_STARTED":
                continue
            ends = [end for end in rows[number + 1 :] if not end.event.startswith("JOB_PROGRESS")]
            if not ends:
                continue
            reason = (ends[0].details or {}).get("reason")
            signs = [sign.at.timestamp() for sign in ends if sign.event != "JOB_REQUEUED"]
            found.append(
                Attempt(
                    job_id, row.at.timestamp(), ends[0].at.timestamp(), reason == "WORKER_LOST",
                    next(iter(signs), None),
                )
            )  # fmt: skip
    return found


@dataclass(frozen=True)
class Wait:
    """A stay in the queue, from the moment the job could be claimed as far as the history shows."""

    job_id: int
    since: float
    until: float


def waits(evidence: Evidence) -> list[Wait]:
    """Every stay of every job in the queue that has ended."""
    return [
        Wait(job_id, row.at.timestamp(), then.at.timestamp())
        for job_id, rows in evidence.histories.items()
        for row, then in itertools.pairwise(rows)
        if row.status == "queued"
    ]
