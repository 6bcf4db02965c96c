"""Jobs/s of one worker process of each engine with an empty job, all over the same Redis."""

from __future__ import annotations

import os
import sys

import psycopg
from redis import Redis
from rq import Queue

from bench import customer
from bench.peers import marks
from bench.stage import Stage
from tests.support.waiting import eventually

_PATIENCE = 180


def rq(stage: Stage, worker: str, jobs: int) -> float:
    """RQ's own worker class with an empty function."""
    with Redis.from_url(stage.redis.url) as redis:
        queue = Queue("bench", connection=redis)
        tasks = [marks.mark, *[marks.nothing] * jobs, marks.mark]
        queue.enqueue_many([Queue.prepare_data(task, result_ttl=60) for task in tasks])
    words = [sys.executable, "-m", "rq.cli", "worker", "-q", "--url", stage.redis.url, "-w", worker, "bench"]
    with stage.running(words, stage.environment()):
        return _between_marks(stage, jobs)


def celery(stage: Stage, jobs: int) -> float:
    """Celery's default pool with one process."""
    os.environ["REDIS_URL"] = stage.redis.url
    from bench.peers import celery_app

    for task in [celery_app.mark, *[celery_app.nothing] * jobs, celery_app.mark]:
        task.delay()
    words = [
        sys.executable,
        "-m",
        "celery",
        "-A",
        "bench.peers.celery_app",
        "worker",
        "-c",
        "1",
        "-l",
        "ERROR",
    ]
    with stage.running(words, stage.environment()):
        return _between_marks(stage, jobs)


def dramatiq(stage: Stage, jobs: int) -> float:
    """Dramatiq with one process of its usual 8 threads."""
    os.environ["REDIS_URL"] = stage.redis.url
    from bench.peers import dramatiq_app

    for task in [dramatiq_app.mark, *[dramatiq_app.nothing] * jobs, dramatiq_app.mark]:
        task.send()
    words = [sys.executable, "-m", "dramatiq", "bench.peers.dramatiq_app", "--processes", "1"]
    with stage.running(words, stage.environment()):
        return _between_marks(stage, jobs)


def ours(stage: Stage, database: str, project_id: int, worker: str, jobs: int) -> float:
    """Our engine: from the first claim to the last recorded end, by the database's clock."""
    env = stage.environment(DATABASE_URL=database, WORKER_CLASS=worker, QUEUED_EXECUTIONS="1000000")
    with customer.inside(env):
        ids = customer.queue_jobs(project_id, jobs)
    words = [sys.executable, "-m", "bench.engine", "worker.py"]
    with stage.running(words, env), psycopg.connect(database, autocommit=True) as connection:
        eventually(lambda: _succeeded(connection, ids) == jobs, "all jobs have succeeded", seconds=_PATIENCE)
        seconds = connection.execute(
            "SELECT extract(epoch FROM max(completed_at) - min(started_at)) FROM execution_jobs"
            " WHERE id = ANY(%s)", [ids],
        ).fetchall()[0][0]  # fmt: skip
    _empty(stage)
    return jobs / float(seconds)


def _succeeded(connection: psycopg.Connection, ids: list[int]) -> int:
    statement = "SELECT count(*) FROM execution_jobs WHERE id = ANY(%s) AND status = 'succeeded'"
    return int(connection.execute(statement, [ids]).fetchall()[0][0])


def _between_marks(stage: Stage, jobs: int) -> float:
    with Redis.from_url(stage.redis.url) as redis:
        eventually(lambda: redis.llen(marks.KEY) >= 2, "the last job has run", seconds=_PATIENCE)
        first, last = (float(moment) for moment in redis.lrange(marks.KEY, 0, 1))
    _empty(stage)
    return jobs / (last - first)


def _empty(stage: Stage) -> None:
    with Redis.from_url(stage.redis.url) as redis:
        redis.flushall()
