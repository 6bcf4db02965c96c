"""Two deployments under load: every process is replaced twice, no request fails, no job is lost or doubled.

docs/performance.md has the figures that it prints.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import func, select

from app.accounts.keys import create_key
from app.accounts.model import Account
from app.config import load_settings
from app.content.model import BlogPost
from app.executions.model import ExecutionJob
from app.executions.states import ACTIVE
from app.factory import create_app
from app.infra.db import db
from devtools.postgres import find_binaries
from tests.chaos.rolling import COPIES, KILLED_AFTER, Formation, Load
from tests.chaos.system import Postgresql
from tests.support.needs import need
from tests.support.publishing import alice_project
from tests.support.waiting import eventually

pytestmark = [pytest.mark.chaos, pytest.mark.postgresql]

DEPLOYMENTS = 2
SETTINGS = {
    "REQUESTS_PER_MINUTE": "1000000", "QUEUED_EXECUTIONS": "1000000", "RUNNING_GENERATIONS": "4",
    "LEASE_SECONDS": "30", "HEARTBEAT_SECONDS": "10",
}  # fmt: skip


def test_deployments_under_load_lose_no_request_and_no_job(tmp_path: Path) -> None:
    need(find_binaries(), "PostgreSQL")
    database = Postgresql(tmp_path)
    formation = Formation(tmp_path, database, SETTINGS)
    try:
        formation.open()
        with create_app(load_settings(formation.env)).app_context():
            project_id = alice_project().id
            _key, text = create_key(db.session.scalars(select(Account)).one(), "load")
            db.session.remove()
            with Load(formation.address, project_id, text) as answers:
                replaced = [formation.deploy() for _ in range(DEPLOYMENTS)]
            eventually(lambda: _unfinished() == 0, "all jobs have ended", seconds=120)
            print(
                f"{dict(answers.number)}, {len(answers.jobs)} jobs; slowest answer {answers.slowest:.1f} s,"
                f" slowest stop {formation.slowest_stop:.1f} s"
            )
            assert answers.failures == []
            assert replaced == [3 * COPIES] * DEPLOYMENTS
            assert formation.slowest_stop < KILLED_AFTER
            assert _jobs() == dict.fromkeys(answers.jobs.values(), "succeeded")
            assert len(answers.jobs) == len(set(answers.jobs.values())) > 10
            assert _posts() == dict.fromkeys(answers.jobs.values(), 1)
            db.session.remove()
            db.engine.dispose()
    finally:
        formation.close()
        database.close()


def _unfinished() -> int:
    db.session.rollback()
    active = select(func.count()).select_from(ExecutionJob).where(ExecutionJob.status.in_(ACTIVE))
    return db.session.scalar(active) or 0


def _jobs() -> dict[int, str]:
    db.session.rollback()
    return {job.id: job.status for job in db.session.scalars(select(ExecutionJob))}


def _posts() -> dict[int | None, int]:
    counted = select(BlogPost.job_id, func.count()).group_by(BlogPost.job_id)
    return {row.job_id: row.count for row in db.session.execute(counted)}
