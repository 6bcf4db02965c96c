"""The RQ worker that runs tasks in its own process, for many short jobs.

It saves the cost of a fork for each task (docs/performance.md has the figures). A job that hangs, crashes
or uses up the memory takes the whole worker with it.
"""

from typing import Any

from flask import Flask, current_app
from rq import Queue, SimpleWorker
from rq.job import Job
from sqlalchemy.exc import SQLAlchemyError

from app.infra.db import release
from app.infra.logs import cause_of
from app.jobs.worker import ServiceWorker, end_process, is_execution


class InlineWorker(ServiceWorker, SimpleWorker):
    """Runs every task in the worker's own process: ``WORKER_CLASS=inline``."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]

    def perform_job(self, job: Job, queue: Queue) -> bool:
        """Run a task. For an execution job, claim the job and execute it."""
        self.claimed = None
        if not is_execution(job):
            try:
                return super().perform_job(job, queue)
            finally:
                release()  # the next task must not commit what a failed one has left in the session
        if self.claim(job):
            self.enqueue_next()
            try:
                self.execute(job)
            except Exception:
                self.log.exception("%s did not end", job.id)
                self.requeue()
            self.enqueue_next()
        self.acknowledge(job, queue)
        self.claimed = None
        return True

    def end_grace(self) -> None:
        """Requeue the claimed job and end the process, since nothing else stops a task in this process."""
        with self._app.app_context():
            try:
                self.requeue()
            except SQLAlchemyError as error:
                self.log.warning("the job waits for the end of its lease: %s", cause_of(error))
            finally:
                end_process()
