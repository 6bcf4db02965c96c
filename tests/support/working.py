"""A worker inside the test's own process: it runs one job, or an account's queued jobs as they come."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask

from app.executions import dispatcher, queries, runner
from app.executions.claims import claim_with_retry
from app.infra.db import release


def run_job(job_id: int) -> None:
    """Run one attempt of a job as a worker does; a job that cannot be claimed stays as it is."""
    claim = claim_with_retry(job_id)
    if claim is None:
        return
    dispatcher.enqueue_next(job_id)
    runner.execute(claim)
    dispatcher.enqueue_next(job_id)


@contextmanager
def working(app: Flask, account_id: int) -> Iterator[None]:
    """Run the account's jobs in a thread until the block ends."""
    stopped = threading.Event()

    def work() -> None:
        with app.app_context():
            while not stopped.is_set():
                where = queries.JobFilter(status="queued")
                for job in queries.list_jobs(account_id, where, 1, 10)[0]:
                    run_job(job.id)
                release()
                stopped.wait(0.05)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()
