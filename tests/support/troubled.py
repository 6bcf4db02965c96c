"""A worker with one mishap: ``python -m tests.support.troubled MISHAP worker.py``."""

from __future__ import annotations

import os
import runpy
import sys
import time
from pathlib import Path

from rq import Queue, Worker
from rq.job import Job

from app.infra.db import db
from app.projects.model import Project


def no_fork_once() -> None:
    """Let the first fork for an execution job fail, as on a machine without memory."""
    true_fork = Worker.fork_work_horse

    def fork(worker: Worker, job: Job, given: Queue) -> None:
        if job.id.startswith("execution-"):
            Worker.fork_work_horse = true_fork
            raise OSError("no memory")
        true_fork(worker, job, given)

    Worker.fork_work_horse = fork


def slow_birth() -> None:
    """Let each child for an execution job hesitate before it does anything, a group of its own included.

    No other child: the short periodic tasks go first, and would keep the worker busy for ever.
    """
    true_fork = Worker.fork_work_horse
    pause = 0.0
    os.register_at_fork(after_in_child=lambda: time.sleep(pause))

    def fork(worker: Worker, job: Job, given: Queue) -> None:
        nonlocal pause
        pause = 3.0 if job.id.startswith("execution-") else 0.0
        true_fork(worker, job, given)

    Worker.fork_work_horse = fork


def fail_amid_a_transaction() -> None:
    """Be a task that breaks a rule of the database and leaves its transaction as it is."""
    db.session.add(Project(account_id=-1, name="Nobody's", url="https://x.example/"))
    db.session.flush()


MISHAPS = {"no-fork-once": no_fork_once, "slow-birth": slow_birth}

if __name__ == "__main__":
    MISHAPS[sys.argv[1]]()
    runpy.run_path(str(Path(sys.argv[2])), run_name="__main__")
