"""A worker inside the test's own process: it runs an account's queued jobs as they come."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flask import Flask

from app.executions import queries, runner
from app.infra.db import release


@contextmanager
def working(app: Flask, account_id: int) -> Iterator[None]:
    """Run the account's jobs in a thread until the block ends."""
    stopped = threading.Event()

    def work() -> None:
        with app.app_context():
            while not stopped.is_set():
                where = queries.JobFilter(status="queued")
                for job in queries.list_jobs(account_id, where, 1, 10)[0]:
                    runner.run(job.id)
                release()
                stopped.wait(0.05)

    thread = threading.Thread(target=work)
    thread.start()
    try:
        yield
    finally:
        stopped.set()
        thread.join()
