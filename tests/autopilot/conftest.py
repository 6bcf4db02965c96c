"""Alice's project with an autopilot, keywords to write about and a target."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select, update

from app.autopilot import service
from app.autopilot.model import Autopilot, AutopilotRun
from app.executions.model import ExecutionJob
from app.infra.db import database_now, db
from app.keywords.service import add_keyword
from app.projects.model import Project
from tests.support.publishing import Receiver, alice_project, post_of
from tests.support.servers import SiteServer


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@dataclass
class Pilot:
    """Alice's project with an autopilot, three keywords and a target."""

    project_id: int
    target_id: int
    receiver: Receiver

    @property
    def project(self) -> Project:
        return db.session.get_one(Project, self.project_id)

    def set(self, mode: str = "live", **members: Any) -> Autopilot:
        values = {
            "enabled": True, "weekdays": range(7), "hour": 9, "time_zone": "Europe/Berlin", "mode": mode,
            "target": self.target_id, **members,
        }  # fmt: skip
        return service.set_autopilot(self.project, values, "Alice")

    def due(self, mode: str = "live", late: timedelta = timedelta(seconds=1)) -> datetime:
        """Set the autopilot so that it is due; returns since when."""
        self.set(mode)
        return self.due_since(late)

    def due_since(self, late: timedelta = timedelta(seconds=1)) -> datetime:
        moment = db.session.scalars(select(database_now(-late.total_seconds()))).one()
        db.session.execute(update(Autopilot).values(next_run_at=moment))
        db.session.commit()
        return moment

    def now(self) -> Autopilot:
        db.session.rollback()
        return db.session.get_one(Autopilot, self.project_id, populate_existing=True)

    def runs(self) -> list[AutopilotRun]:
        db.session.rollback()
        statement = select(AutopilotRun).order_by(AutopilotRun.id)
        return list(db.session.scalars(statement.execution_options(populate_existing=True)))

    def written(self) -> int:
        """Let the job of the newest run succeed with a post that passes the checks; returns the post's id."""
        run = self.runs()[-1]
        post_id = post_of(self.project, slug=f"by-{run.id}", job_id=run.job_id).id
        ended(run.job_id, "succeeded", result={"blog_post_id": post_id})
        return post_id


def ended(job_id: int | None, status: str, **values: Any) -> None:
    """Write the end of a job past every rule."""
    assert job_id is not None
    db.session.execute(update(ExecutionJob).where(ExecutionJob.id == job_id).values(status=status, **values))
    db.session.commit()


def jobs() -> int:
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(ExecutionJob)) or 0


@pytest.fixture
def pilot(db_app: Flask, site: SiteServer) -> Iterator[Pilot]:
    project, receiver = alice_project(), Receiver(site)
    for number, words in enumerate(("garden diary", "seed swap", "frost dates")):
        add_keyword(project, {"keyword_text": words, "volume": 100 - number})
    yield Pilot(project.id, receiver.add_to(project).id, receiver)
    db.session.remove()
