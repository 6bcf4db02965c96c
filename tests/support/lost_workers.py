"""Publish jobs at a Git repository whose workers are lost, each at another step."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from sqlalchemy import update

from app.executions.model import ExecutionJob
from app.executions.reaper import worker_lost
from app.infra.db import database_now, db
from app.publishing.abandoned import delete_abandoned_drafts
from tests.support import fault_cells, publishing
from tests.support.fault_cells import Cell
from tests.support.git import Repository
from tests.support.lost_processes import lost_at
from tests.support.publishing import job_now
from tests.support.target_places import Shown
from tests.support.working import run_job

FAULT = "worker lost"
SETTINGS = {"repository": "blog.git", "flavour": "hugo", "site_url": "https://blog.example/{slug}/"}
STEPS = ("create", "update", "unpublish", "delete")


class LostWorkers:
    """Ends the process of each job one step later than that of the one before, from the first to the last."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._step = 0

    def cell(self, project_id: int, step: str) -> Cell:
        """Return the cell of a step; the next attempt of each job follows at once."""
        return Cell("git", project_id, step, FAULT, self._posts, lambda _: None, self._disturbance)

    @contextmanager
    def _disturbance(self) -> Iterator[None]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(publishing, "run_job", self._run_job)
            patch.setattr(fault_cells, "delete_abandoned_drafts", self._delete)
            yield

    def _run_job(self, job_id: int) -> None:
        if not self._is_lost(lambda: run_job(job_id)):
            return
        requeue(job_id)
        run_job(job_id)

    def _delete(self) -> int:
        return 0 if self._is_lost(delete_abandoned_drafts) else 1

    def _is_lost(self, act: Callable[[], object]) -> bool:
        self._step += 1
        db.session.remove()
        db.engine.dispose()
        lost = lost_at(self._step, act)
        if not lost:
            self._step = 0
        return lost

    def _posts(self, titles: str) -> list[Shown]:
        texts = [self._repository.text(path) for path in self._repository.files() if path.endswith(".md")]
        found = [Shown(_title(text), "\ndraft: true\n" not in text, text) for text in texts]
        return [post for post in found if post.title.startswith(titles)]


def requeue(job_id: int) -> None:
    """Requeue the job of a lost worker, to be claimed at once; one that was not claimed stays as it is."""
    job = job_now(job_id)
    worker_lost(job_id, job.fence, job.attempt)
    now = update(ExecutionJob).where(ExecutionJob.id == job_id).values(available_at=database_now())
    db.session.execute(now)
    db.session.commit()


def _title(text: str) -> str:
    line = next((line for line in text.splitlines() if line.startswith("title: ")), "")
    return line.removeprefix("title: ").strip("\"'")
