"""One customer's backlog keeps nobody else waiting, with real workers on both databases."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from app.executions.model import ExecutionJob
from app.infra.db import db
from tests.executions.conftest import Garden, job_of
from tests.jobs.conftest import StartService
from tests.support.publishing import project_of

pytestmark = pytest.mark.timed

BACKLOG = 1000
LIMIT = 2
PATIENCE = 5.0
"""Seconds in which another customer's job starts."""


def ended() -> int:
    """How many jobs have succeeded."""
    db.session.rollback()
    count = select(func.count()).where(ExecutionJob.status == "succeeded")
    found = db.session.scalar(count.select_from(ExecutionJob))
    db.session.rollback()
    return found or 0


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def test_a_customers_job_starts_within_five_seconds_of_anothers_1000(
    start_service: StartService, kind: str
) -> None:
    workers = ["worker"] * (LIMIT + 1)
    live = start_service(
        "scheduler", kind=kind, RUNNING_GENERATIONS=str(LIMIT), QUEUED_EXECUTIONS=str(BACKLOG + 1)
    )
    for _ in range(BACKLOG):
        live.garden.queued()
    bob = project_of("bob")
    live.service.start(*workers)
    live.eventually(lambda: ended() >= 3, "Alice's jobs are under way")
    job_id = Garden(bob.account_id, bob.id).queued()
    live.eventually(lambda: job_of(job_id).started_at is not None, "Bob's job has started", PATIENCE)
    before = ended()
    live.eventually(lambda: ended() >= before + 4, "Alice's jobs go on")
