"""The steps of a job's life, each timed by itself through the functions that take them."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import Any

from sqlalchemy import text

from app.executions import dispatcher, reaper, runner
from app.executions.claims import Claim, claim_job
from app.executions.job_run import JobRun
from app.infra.db import db, release
from app.operations.base import JobResult
from bench import customer
from tests.support.plans import plans

REPEATS = 60


def measure_steps(project_id: int) -> dict[str, float]:
    """Return the median milliseconds of each step; every step ends with its commit."""
    seen: dict[str, list[float]] = {}

    def timed(name: str, act: Callable[[], Any]) -> Any:
        began = time.perf_counter()
        result = act()
        seen.setdefault(name, []).append((time.perf_counter() - began) * 1000)
        release()
        return result

    for _ in range(REPEATS):
        [job_id] = timed("create and enqueue", lambda: customer.queue_jobs(project_id, 1))
        claim = timed("claim", partial(claim_job, job_id))
        timed("enqueue the next", partial(dispatcher.enqueue_next, job_id))
        work = JobRun(claim, 60, 30)
        timed("heartbeat", work.renew)
        timed("finish", partial(runner._succeed, work, JobResult()))
        _make_a_silent_job(project_id)
        timed("reap one", reaper.reap)
        timed("dispatch", dispatcher.dispatch)
    _end_all()
    return {name: statistics.median(times) for name, times in seen.items()}


def explained(project_id: int) -> str:
    """Return PostgreSQL's plans of the statements about jobs: claim, heartbeat, finish, reap."""
    [job_id] = customer.queue_jobs(project_id, 1)
    claims: list[Claim | None] = []
    parts = [("claim", plans(lambda: claims.append(claim_job(job_id)), _about_jobs))]
    assert claims[0] is not None
    work = JobRun(claims[0], 60, 30)
    parts.append(("heartbeat", plans(work.renew, _about_jobs)))
    parts.append(("finish", plans(partial(runner._succeed, work, JobResult()), _about_jobs)))
    _make_a_silent_job(project_id)
    parts.append(("reap", plans(reaper.reap, _about_jobs)))
    return "\n\n".join(f"{name}:\n" + "\n".join(lines) for name, lines in parts)


def _about_jobs(statement: str) -> bool:
    return "execution_jobs" in statement


def _make_a_silent_job(project_id: int) -> None:
    [job_id] = customer.queue_jobs(project_id, 1)
    claim_job(job_id)
    statement = (
        "UPDATE execution_jobs SET lease_until = now() - interval '1 second', attempt = 3 WHERE id = :id"
    )
    db.session.execute(text(statement), {"id": job_id})
    db.session.commit()


def _end_all() -> None:
    db.session.execute(
        text("UPDATE execution_jobs SET status = 'failed' WHERE status IN ('queued', 'running')")
    )
    db.session.commit()
    release()
