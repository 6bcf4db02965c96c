"""The cost of a job: jobs/s, also of other engines, and the time to start, also with 1,000,000 old jobs.

bin/bench executions [throughput] [latency] [million]
"""

from __future__ import annotations

import json
import statistics
import sys
import time
import urllib.request
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import psycopg

from bench import contenders, customer, steps
from bench.stage import Stage, percentile, stage, table
from devtools.postgres import free_port
from tests.support.waiting import eventually

ROUNDS = 5
POSTS = 100

FINISHED = """
INSERT INTO execution_jobs (account_id, project_id, operation, status, payload, attempt, fence, requested_by,
    available_at, enqueued_at, started_at, completed_at, queued_at, created_at, updated_at)
SELECT account_id, id, 'GENERATE_BLOG_POST', 'succeeded', '{}', 1, 1, '', t, t, t, t, t, t, t
FROM projects, generate_series(1, 1000000) AS n,
    LATERAL (SELECT now() - n * interval '10 seconds' AS t) AS moment
"""


def throughput(stage: Stage) -> str:
    """Jobs/s of one worker process each, the engines in turns."""
    database = stage.database()
    project_id = _customer(stage, database)
    engines: dict[str, Callable[[], float]] = {
        "rq Worker (fork), no bookkeeping": partial(contenders.rq, stage, "rq.Worker", 300),
        "ours, forking": partial(contenders.ours, stage, database, project_id, "forking", 150),
        "ours, inline": partial(contenders.ours, stage, database, project_id, "inline", 400),
        "rq SimpleWorker, no bookkeeping": partial(contenders.rq, stage, "rq.SimpleWorker", 1500),
        "celery prefork, no bookkeeping": partial(contenders.celery, stage, 3000),
        "dramatiq, no bookkeeping": partial(contenders.dramatiq, stage, 5000),
    }
    seen: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(ROUNDS):
        for name, measure in engines.items():
            seen[name].append(measure())
    plain = statistics.median(next(iter(seen.values())))
    rows = []
    for name, rates in seen.items():
        middle = statistics.median(rates)
        spread = f"{min(rates):,.0f}-{max(rates):,.0f}"
        rows.append([name, f"{middle:,.0f}", spread, f"{middle / plain:.2f}"])
    return table(["one worker process", "jobs/s", "least-most", "to rq Worker"], rows)


def latency(stage: Stage) -> str:
    """Milliseconds from before a POST until its job runs, on an idle system."""
    rows = []
    for worker in ("forking", "inline"):
        database = stage.database()
        with _service(stage, database, worker) as (url, project_id, key):
            waits = [_wait_of_one(url, database, project_id, key) for _ in range(POSTS)]
        rows.append([worker, *(f"{percentile(waits, share) * 1000:.0f}" for share in (0.5, 0.95, 1))])
    return table(["worker", "p50 ms", "p95 ms", "most"], rows)


def million(stage: Stage) -> str:
    """Milliseconds of each step of a job's life with few jobs and with 1,000,000 finished ones, in turns."""
    few, many = stage.database(), stage.database()
    projects = {database: _customer(stage, database) for database in (few, many)}
    with psycopg.connect(many, autocommit=True) as connection:
        connection.execute(FINISHED)
        connection.execute("VACUUM ANALYZE")
    seen: dict[str, dict[str, list[float]]] = {few: {}, many: {}}
    for _ in range(ROUNDS):
        for database, project_id in projects.items():
            with customer.inside(_generous(stage, database)):
                times = steps.measure_steps(project_id)
            rate = contenders.ours(stage, database, project_id, "inline", 300)
            for name, value in {**times, "a whole job, inline": 1000 / rate}.items():
                seen[database].setdefault(name, []).append(value)
    rows = []
    for name in seen[few]:
        small, large = (statistics.median(seen[database][name]) for database in (few, many))
        rows.append([name, f"{small:.2f}", f"{large:.2f}", f"{large / small:.2f}"])
    with customer.inside(_generous(stage, many)):
        explained = steps.explained(projects[many])
    return table(["step", "few jobs, ms", "1,000,000, ms", "ratio"], rows) + f"\n\n{explained}"


def _generous(stage: Stage, database: str) -> dict[str, str]:
    return stage.environment(
        DATABASE_URL=database, QUEUED_EXECUTIONS="1000000", RUNNING_GENERATIONS="1000000"
    )


def _customer(stage: Stage, database: str) -> int:
    with customer.inside(stage.environment(DATABASE_URL=database)):
        return customer.sign_up()[0]


@contextmanager
def _service(stage: Stage, database: str, worker: str) -> Iterator[tuple[str, int, str]]:
    """Run web, worker and scheduler; yields the address, a project and a key."""
    env = stage.environment(
        DATABASE_URL=database, WORKER_CLASS=worker, REQUESTS_PER_MINUTE="1000000", SYNC_INTERVAL="86400"
    )
    with customer.inside(env):
        project_id, key = customer.sign_up()
    address = f"127.0.0.1:{free_port()}"
    program = [sys.executable, "-m", "bench.engine"]
    web = [*program, "gunicorn", "wsgi:app", "--bind", address, "--worker-class",
           "app.edge.worker.BufferedWorker", "--threads", "8", "--no-control-socket"]  # fmt: skip
    with (
        stage.running(web, env),
        stage.running([*program, "worker.py"], env),
        stage.running([*program, "scheduler.py"], env),
    ):
        eventually(lambda: _answers(f"http://{address}/health/ready"), "the web process answers", seconds=30)
        _wait_of_one(f"http://{address}", database, project_id, key)
        yield f"http://{address}", project_id, key


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _wait_of_one(url: str, database: str, project_id: int, key: str) -> float:
    """POST a job and wait until it is over; returns the seconds from before the POST until it ran."""
    request = urllib.request.Request(
        f"{url}/public-api/projects/{project_id}/executions",
        data=json.dumps({"operation": "DO_NOTHING"}).encode(),
        headers={"X-API-Key": key, "Content-Type": "application/json", "Idempotency-Key": uuid.uuid4().hex},
    )
    began = time.time()
    with urllib.request.urlopen(request) as answer:
        job_id = json.load(answer)["job"]["id"]
    with psycopg.connect(database, autocommit=True) as connection:
        statement = (
            "SELECT extract(epoch FROM started_at) FROM execution_jobs WHERE id = %s AND status = 'succeeded'"
        )
        rows = eventually(
            lambda: connection.execute(statement, [job_id]).fetchall(), "the job succeeds", seconds=30
        )
    return float(rows[0][0]) - began


PARTS: dict[str, Callable[[Stage], str]] = {
    "throughput": throughput,
    "latency": latency,
    "million": million,
}


def main() -> None:
    """Print a table for each part that was asked for, or for all."""
    for name in sys.argv[1:] or PARTS:
        with stage() as servers:
            print(f"{name}\n\n{PARTS[name](servers)}\n", flush=True)


if __name__ == "__main__":
    main()
