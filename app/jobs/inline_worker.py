"""The worker that does its tasks in its own process, for many short jobs.

It saves what a fork costs (docs/performance.md has the figures) and gives up what a process of its own gave:
a job that hangs, crashes or eats the memory takes the worker with it, and whoever supervises starts another.
"""

from __future__ import annotations

from typing import Any

from flask import Flask, current_app
from rq import Queue, SimpleWorker
from rq.job import Job
from sqlalchemy.exc import SQLAlchemyError

from app.infra.db import release
from app.infra.logs import cause_of
from app.jobs.worker import ServiceWorker, end_process, is_execution


class InlineWorker(ServiceWorker, SimpleWorker):
    """No work-horse: ``WORKER_CLASS=inline``."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]

    def perform_job(self, job: Job, queue: Queue) -> bool:
        """Do a task; for a ring, claim its job, carry it out and settle it."""
        self.claimed = None
        if not is_execution(job):
            try:
                return super().perform_job(job, queue)
            finally:
                release()  # what a failed task has left undone must not become the next one's
        if self.claim(job):
            self.enqueue_next()
            self._survive(job)
            self.enqueue_next()
        self.acknowledge(job, queue)
        self.claimed = None
        return True

    def _survive(self, job: Job) -> None:
        try:
            self.carry_out(job)
        except Exception:
            self.log.exception("%s was not settled", job.id)
            self.requeue()

    def end_grace(self) -> None:
        """Hand the job in hand back and end the process: nothing else stops a task of one's own."""
        with self._app.app_context():
            try:
                self.requeue()
            except SQLAlchemyError as error:
                self.log.warning("the job waits for the end of its lease: %s", cause_of(error))
            finally:
                end_process()
