"""Scheduled publications by real processes: schedulers killed and started twice, a worker's child killed."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.infra.db import db
from app.infra.faults import Point
from app.projects.model import Project
from app.publishing.model import PublishTarget
from tests.executions.conftest import job_of
from tests.jobs.conftest import LiveService, StartService
from tests.support.publishing import Receiver, post_of
from tests.support.scheduling import scheduled_in, scheduled_now

MOST_LATE = 60
"""Seconds that a scheduled publication may be late on an idle system."""


def scheduled(live: LiveService, receiver: Receiver, posts: int) -> list[int]:
    """Schedule as many posts for the next seconds, two at each moment; returns the ids of the schedules."""
    project = db.session.get_one(Project, live.garden.project_id)
    target_id = receiver.add_to(project).id
    return [
        scheduled_in(
            post_of(project, slug=f"post-{number}"),
            db.session.get_one(PublishTarget, target_id),
            1 + number // 2 * 2,
        )
        for number in range(posts)
    ]


def published(live: LiveService, row_ids: list[int]) -> list[float]:
    """Wait until all are published; returns how late the job of each began, in seconds."""

    def late() -> list[float]:
        rows = [scheduled_now(row_id) for row_id in row_ids]
        due = [(row.job_id, row.publish_at) for row in rows]
        db.session.rollback()  # an open transaction would lock SQLite
        jobs = [(job_of(job_id), moment) for job_id, moment in due if job_id is not None]
        if [job.status for job, _ in jobs] != ["succeeded"] * len(row_ids):
            return []
        return [(job.created_at - moment).total_seconds() for job, moment in jobs]

    return live.eventually(late, "all are published")


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def test_each_is_published_once_though_schedulers_are_killed_and_started_twice(
    start_service: StartService, tmp_path: Path, kind: str
) -> None:
    live = start_service("worker", "scheduler", "scheduler", kind=kind, FAULT_DIRECTORY=str(tmp_path))
    receiver = Receiver(live.site)
    (tmp_path / Point.SCHEDULE_AFTER_CLAIM_BEFORE_COMMIT).touch()
    row_ids = scheduled(live, receiver, 6)
    taken = tmp_path / f"{Point.SCHEDULE_AFTER_CLAIM_BEFORE_COMMIT}.taken"
    live.eventually(taken.exists, "a child process is killed between claim and commit")
    live.service.kill("scheduler")
    live.service.start("scheduler", "scheduler")
    assert max(published(live, row_ids)) < MOST_LATE
    assert len(receiver.deliveries) == len(row_ids) == len(receiver.posts)
