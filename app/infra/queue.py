"""The queue: Redis and RQ as a doorbell. What it loses is rung again from the database.

Tasks are named by strings, because this floor lies below the faces that hold them; a test imports each one.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Final

from flask import Flask, current_app
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import ConnectionError, RedisError
from redis.retry import Retry
from rq import Queue
from rq.command import send_stop_job_command
from rq.exceptions import InvalidJobOperation, NoSuchJobError
from rq.job import Job

from app.config import Settings
from app.infra.logs import cause_of

PERIODIC: Final = "periodic"
EXECUTIONS: Final = "executions"
PAGES: Final = "pages"
QUEUES: Final = (PERIODIC, EXECUTIONS, PAGES)
"""Workers look at them in this order: the short periodic tasks must not wait behind a long backlog."""

# A round whose worker was lost keeps the next one waiting this many seconds.
_LONGEST_ROUND: Final = 180

_PAUSE: Final = 5.0

# Stands in Redis for as long as Redis remembers anything.
_MARK: Final = "queue-marker"

RUN_EXECUTION: Final = "app.jobs.tasks.run_execution"
READ_PAGES: Final = "app.jobs.tasks.read_pages"

_log = logging.getLogger(__name__)


def connect(settings: Settings) -> Redis:
    """Return a client that fails within a second and never repeats a command by itself.

    A repeated RPUSH across a freeze would ring twice, and a caller's answer must not wait for Redis.
    """
    options = {"ssl_cert_reqs": "required" if settings.redis_tls_verify else "none"}
    return Redis.from_url(
        settings.redis_url,
        socket_connect_timeout=1,
        socket_timeout=1,
        retry=Retry(NoBackoff(), 0),
        **(options if settings.redis_url.startswith("rediss:") else {}),
    )


def init_app(app: Flask, settings: Settings) -> None:
    """Give the application its Redis client; nothing is connected yet."""
    app.extensions["redis"] = connect(settings)
    app.extensions["redis_breaker"] = Breaker()


def redis_client() -> Redis:
    """Return the present application's Redis client."""
    client: Redis = current_app.extensions["redis"]
    return client


class Breaker:
    """Leaves Redis alone for a few seconds after it failed, so that its absence makes nothing slow."""

    def __init__(self) -> None:
        self._open_until = 0.0

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Pass on what Redis raises and remember it. Raises RedisError at once while the breaker is open."""
        if time.monotonic() < self._open_until:
            raise ConnectionError("Redis failed a moment ago and is left alone.")
        try:
            yield
        except RedisError:
            self._open_until = time.monotonic() + _PAUSE
            raise


def guarded() -> AbstractContextManager[None]:
    """Return the guard of the present application's breaker."""
    breaker: Breaker = current_app.extensions["redis_breaker"]
    return breaker.guard()


def was_emptied() -> bool:
    """Whether Redis was emptied or restarted since ``set_marker``; False when it is away."""
    try:
        with guarded():
            return not redis_client().exists(_MARK)
    except RedisError:
        return False


def set_marker() -> None:
    """Note in Redis that what it lost until now has been taken care of."""
    with suppress(RedisError), guarded():
        redis_client().set(_MARK, 1)


def enqueue_execution(job_id: int, attempt: int, timeout: int) -> bool:
    """Tell the workers that a job waits; ``attempt`` keeps RQ's ids apart, ``timeout`` is in seconds.

    A ring that still lies on the queue is not repeated. Returns False when Redis is away: the dispatcher
    rings again.
    """
    return _enqueue(EXECUTIONS, RUN_EXECUTION, job_id, rq_id(job_id, attempt), timeout)


def enqueue_page_reading(project_id: int) -> bool:
    """Tell the workers that a project has pages to read, unless a round is under way or waiting.

    Returns False when Redis is away.
    """
    try:
        with guarded():
            if not redis_client().set(_round(project_id), 1, nx=True, ex=_LONGEST_ROUND):
                return True
    except RedisError:
        return False
    enqueued = _enqueue(PAGES, READ_PAGES, project_id, f"read-pages-{project_id}", _LONGEST_ROUND)
    if not enqueued:
        end_round(project_id)
    return enqueued


def end_round(project_id: int) -> None:
    """Let the next round of a project's page reading begin, if Redis is there to be told.

    It is asked even if it failed a moment ago: what it is not told now keeps the next round waiting.
    """
    with suppress(RedisError):
        redis_client().delete(_round(project_id))


def _round(project_id: int) -> str:
    return f"page-round:{project_id}"


def rq_id(job_id: int, attempt: int) -> str:
    """Return RQ's id for one attempt of a job."""
    return f"execution-{job_id}-{attempt}"


def stop(job_id: int, attempt: int) -> None:
    """Stop the work-horse of a running job, if it can be reached; its heartbeat stops it otherwise."""
    try:
        with guarded():
            send_stop_job_command(redis_client(), rq_id(job_id, attempt))
    except (NoSuchJobError, InvalidJobOperation):
        return
    except RedisError:
        _log.warning("Redis is away: job %s stops at its next heartbeat", job_id)


def _enqueue(queue: str, task: str, argument: int, identity: str, timeout: int) -> bool:
    connection = redis_client()
    waiting = Queue(queue, connection=connection)
    job = Job.create(
        task, args=(argument,), id=identity, connection=connection, timeout=timeout, result_ttl=60,
        failure_ttl=3600,
    )  # fmt: skip
    try:
        with guarded():
            if connection.lpos(waiting.key, identity) is None:
                waiting.enqueue_job(job)
    except RedisError as error:
        _log.warning("Redis is away, %s is rung later: %s", identity, cause_of(error))
        return False
    return True
