"""The queue: Redis and RQ as a doorbell. What it loses is rung again from the database.

Tasks are named by strings, because this floor lies below the faces that hold them; a test imports each one.
"""

from __future__ import annotations

import logging
from typing import Final

from flask import Flask, current_app
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from rq import Queue
from rq.command import send_stop_job_command
from rq.exceptions import InvalidJobOperation, NoSuchJobError
from rq.job import Job

from app.config import Settings

PERIODIC: Final = "periodic"
EXECUTIONS: Final = "executions"
PAGES: Final = "pages"
QUEUES: Final = (PERIODIC, EXECUTIONS, PAGES)
"""Workers look at them in this order: the short periodic tasks must not wait behind a long backlog."""

# A round whose worker was lost keeps the next one waiting this many seconds.
_LONGEST_ROUND: Final = 180

RUN_EXECUTION: Final = "app.jobs.tasks.run_execution"
READ_PAGES: Final = "app.jobs.tasks.read_pages"

_log = logging.getLogger(__name__)


def connect(settings: Settings) -> Redis:
    """Return a client that fails within 2 s and never repeats a command by itself.

    A repeated RPUSH across a freeze would ring twice, and a caller's answer must not wait for Redis.
    """
    options = {"ssl_cert_reqs": "required" if settings.redis_tls_verify else "none"}
    return Redis.from_url(
        settings.redis_url,
        socket_connect_timeout=2,
        socket_timeout=2,
        retry=Retry(NoBackoff(), 0),
        **(options if settings.redis_url.startswith("rediss:") else {}),
    )


def init_app(app: Flask, settings: Settings) -> None:
    """Give the application its Redis client; nothing is connected yet."""
    app.extensions["redis"] = connect(settings)


def redis_client() -> Redis:
    """Return the present application's Redis client."""
    client: Redis = current_app.extensions["redis"]
    return client


def ring(job_id: int, attempt: int, timeout: int) -> bool:
    """Tell the workers that a job waits; ``attempt`` keeps RQ's ids apart, ``timeout`` is in seconds.

    Returns False when Redis is away: the dispatcher rings again.
    """
    return _enqueue(EXECUTIONS, RUN_EXECUTION, job_id, rq_id(job_id, attempt), timeout)


def ring_pages(project_id: int) -> bool:
    """Tell the workers that a project has pages to read, unless a round is under way or waiting.

    Returns False when Redis is away.
    """
    try:
        if not redis_client().set(_round(project_id), 1, nx=True, ex=_LONGEST_ROUND):
            return True
    except RedisError:
        return False
    return _enqueue(PAGES, READ_PAGES, project_id, f"read-pages-{project_id}", _LONGEST_ROUND)


def end_round(project_id: int) -> None:
    """Let the next round of a project's page reading begin."""
    redis_client().delete(_round(project_id))


def _round(project_id: int) -> str:
    return f"page-round:{project_id}"


def rq_id(job_id: int, attempt: int) -> str:
    """Return RQ's id for one attempt of a job."""
    return f"execution-{job_id}-{attempt}"


def stop(job_id: int, attempt: int) -> None:
    """Stop the work-horse of a running job, if it can be reached; its heartbeat stops it otherwise."""
    try:
        send_stop_job_command(redis_client(), rq_id(job_id, attempt))
    except (NoSuchJobError, InvalidJobOperation):
        return
    except RedisError:
        _log.warning("Redis is away: job %s stops at its next heartbeat", job_id)


def _enqueue(queue: str, task: str, argument: int, identity: str, timeout: int) -> bool:
    try:
        connection = redis_client()
        job = Job.create(
            task, args=(argument,), id=identity, connection=connection, timeout=timeout, result_ttl=60,
            failure_ttl=3600,
        )  # fmt: skip
        Queue(queue, connection=connection).enqueue_job(job)
    except RedisError as error:
        _log.warning("Redis is away, %s is rung later: %s", identity, type(error).__name__)
        return False
    return True
