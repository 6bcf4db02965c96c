"""The periodic tasks, and how they are scheduled with rq-scheduler.

rq-scheduler keeps the entries and their due times in Redis. It would lose or double a task when its process
dies between enqueueing it and writing the next due time, so this module enqueues: it writes the next due
time first. A FLUSHALL empties the table in Redis, so every tick reconciles it.
"""

import hashlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from redis import Redis
from rq import Queue
from rq.job import Job
from rq_scheduler import Scheduler

from app.infra.queue import PERIODIC
from app.pages.crawling.page_queue import LOOK_EVERY

_PREFIX: Final = "periodic-"


@dataclass(frozen=True)
class Periodic:
    """A task that is due every ``every`` seconds, at least two."""

    task: str
    every: int

    @property
    def id(self) -> str:
        """An id that changes with the definition: a changed entry replaces the old one."""
        return _PREFIX + hashlib.sha256(f"{self.task}/{self.every}".encode()).hexdigest()[:16]


TABLE: Final = (
    Periodic("app.jobs.tasks.submit_due_syncs", every=5),
    Periodic("app.jobs.tasks.submit_due_publications", every=5),
    Periodic("app.jobs.tasks.submit_due_search_fetches", every=30),
    Periodic("app.jobs.tasks.enqueue_due_pages", every=LOOK_EVERY),
    Periodic("app.jobs.tasks.run_autopilots", every=10),
    Periodic("app.jobs.tasks.send_mails", every=10),
    Periodic("app.jobs.tasks.write_summaries", every=600),
    Periodic("app.jobs.tasks.refresh_coverage", every=15),
    Periodic("app.jobs.tasks.reconcile_publications", every=30),
    Periodic("app.jobs.tasks.delete_accounts", every=60),
    Periodic("app.jobs.tasks.prune", every=3600),
    Periodic("app.jobs.tasks.prune_syncs", every=3600),
    Periodic("app.jobs.tasks.prune_pictures", every=86400),
)


class PeriodicScheduler:
    """Keeps a table in rq-scheduler and enqueues what is due. Several processes may do so at once."""

    def __init__(self, connection: Redis, table: tuple[Periodic, ...] = TABLE) -> None:
        self._redis = connection
        self._table = {entry.id: entry for entry in table}
        self._scheduler = Scheduler(queue_name=PERIODIC, connection=connection)

    def reconcile(self) -> None:
        """Add missing entries and remove those that are not in the table any more.

        Due times stay, unless they are more than one interval away, as after a step back of the clock.
        """
        for job in self._scheduler.get_jobs():
            if job.id.startswith(_PREFIX) and job.id not in self._table:
                self._scheduler.cancel(job)
        for entry in self._table.values():
            if entry.id not in self._scheduler:
                self._scheduler.schedule(
                    scheduled_time=_naive(self._now()),
                    func=entry.task,
                    interval=entry.every,
                    id=entry.id,
                    queue_name=PERIODIC,
                )
        now = self._now()
        latest = {entry.id: now + entry.every for entry in self._table.values()}
        self._redis.zadd(self._scheduler.scheduled_jobs_key, latest, xx=True, lt=True)

    def enqueue_due(self) -> int:
        """Enqueue every entry that is due, each of its due times once; return how many."""
        due = self._scheduler.get_jobs(until=_naive(self._now()), with_times=True)
        return sum(self._enqueue(job.id, moment) for job, moment in list(due) if job.id in self._table)

    def _enqueue(self, entry_id: str, moment: datetime) -> bool:
        entry = self._table[entry_id]
        # Only the first process enqueues in each interval. The next due time is a whole second, at least
        # every - 1 s away: the marker has expired by then.
        if not self._redis.set(f"{entry_id}-enqueued", 1, nx=True, ex=entry.every - 1):
            return False
        next_due = self._now() + entry.every
        self._redis.zadd(self._scheduler.scheduled_jobs_key, {entry_id: next_due}, xx=True)
        job = Job.create(
            entry.task,
            id=f"{entry_id}-{int(moment.replace(tzinfo=UTC).timestamp())}",
            connection=self._redis,
            timeout=300,
            result_ttl=60,
            failure_ttl=3600,
            ttl=10 * entry.every,
        )
        Queue(PERIODIC, connection=self._redis).enqueue_job(job)
        return True

    def _now(self) -> int:
        # The clock of Redis: a scheduler whose own clock is ahead would delay the tasks of all schedulers.
        return int(self._redis.time()[0])


def _naive(seconds: int) -> datetime:
    """Return the time since the epoch as rq-scheduler wants it: UTC without a time zone."""
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)
