"""The queue: Redis and RQ notify the workers. What they lose is enqueued again from the database.

Tasks are named by strings, because this layer is below the interface that defines them. A test imports each
one.
"""

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

from app.config import QUEUES, Settings
from app.infra.logs import cause_of

PERIODIC, EXECUTIONS, PAGES = QUEUES

_LONGEST_ROUND: Final = 180
"""Seconds after which the next round of page reading may begin although the last one did not end."""

_PAUSE: Final = 5.0
"""Seconds for which the breaker stays open."""

_MARKER: Final = "queue-marker"
"""A key that is in Redis unless Redis was emptied or restarted."""

RUN_EXECUTION: Final = "run_execution"
"""Not a function: the workers claim and execute an execution job themselves (jobs/worker)."""
READ_PAGES: Final = "app.jobs.tasks.read_pages"

_log = logging.getLogger(__name__)


def connect(settings: Settings) -> Redis:
    """Return a client that fails within a second and never repeats a command by itself.

    A repeated RPUSH could enqueue a job twice, and no request should wait for Redis.
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
    """Give the application its Redis client, without connecting it."""
    app.extensions["redis"] = connect(settings)
    app.extensions["redis_breaker"] = Breaker()


def redis_client() -> Redis:
    client: Redis = current_app.extensions["redis"]
    return client


class Breaker:
    """A circuit breaker: after Redis failed, it is not called for a few seconds."""

    def __init__(self) -> None:
        self._open_until = 0.0

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Open the breaker when the body raises RedisError. Raises RedisError at once while it is open."""
        if time.monotonic() < self._open_until:
            raise ConnectionError("Redis failed a moment ago and is not called.")
        try:
            yield
        except RedisError:
            self._open_until = time.monotonic() + _PAUSE
            raise


def guarded() -> AbstractContextManager[None]:
    breaker: Breaker = current_app.extensions["redis_breaker"]
    return breaker.guard()


def was_emptied() -> bool:
    """Whether Redis was emptied or restarted since ``set_marker``; False when Redis is unavailable."""
    try:
        with guarded():
            return not redis_client().exists(_MARKER)
    except RedisError:
        return False


def set_marker() -> None:
    with suppress(RedisError), guarded():
        redis_client().set(_MARKER, 1)


def enqueue_execution(job_id: int, attempt: int, timeout: int) -> bool:
    """Enqueue an attempt of an execution job, unless it is on the queue already. ``timeout`` is in seconds.

    Returns False when Redis is unavailable: the dispatcher enqueues the job later.
    """
    return _enqueue(EXECUTIONS, RUN_EXECUTION, job_id, rq_id(job_id, attempt), timeout)


def enqueue_page_reading(project_id: int) -> bool:
    """Enqueue a round of reading pages, unless one runs or waits. Returns False when Redis is unavailable."""
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
    """Allow the next round of reading a project's pages.

    Calls Redis even while the breaker is open, because the next round would have to wait otherwise.
    """
    with suppress(RedisError):
        redis_client().delete(_round(project_id))


def _round(project_id: int) -> str:
    return f"page-round:{project_id}"


def rq_id(job_id: int, attempt: int) -> str:
    return f"execution-{job_id}-{attempt}"


def stop(job_id: int, attempt: int) -> None:
    """Stop the child process of a running job, if Redis is there; otherwise the job's heartbeat stops it."""
    try:
        with guarded():
            send_stop_job_command(redis_client(), rq_id(job_id, attempt))
    except (NoSuchJobError, InvalidJobOperation):
        return
    except RedisError:
        _log.warning("Redis is unavailable: job %s stops at its next heartbeat", job_id)


def _enqueue(queue: str, task: str, argument: int, identity: str, timeout: int) -> bool:
    connection = redis_client()
    waiting = Queue(queue, connection=connection)
    job = Job.create(
        task,
        args=(argument,),
        id=identity,
        connection=connection,
        timeout=timeout,
        result_ttl=60,
        failure_ttl=3600,
    )
    try:
        with guarded():
            if connection.lpos(waiting.key, identity) is None:
                waiting.enqueue_job(job)
    except RedisError as error:
        _log.warning("Redis is unavailable, %s is enqueued later: %s", identity, cause_of(error))
        return False
    return True
