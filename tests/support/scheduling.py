"""What tests of scheduled publications need: rows that are due, and what became of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from flask import Flask
from sqlalchemy import func, select, update

from app.content.model import BlogPost
from app.executions.model import ExecutionJob
from app.infra.clock import utc_now
from app.infra.db import database_now, db
from app.projects.model import Project
from app.publishing import scheduled
from app.publishing.model import PublishTarget, ScheduledPublication
from app.publishing.service import add_target
from tests.support.publishing import Receiver, fresh


def scheduled_in(post: BlogPost, target: PublishTarget, seconds: float, **values: Any) -> int:
    """The id of a publication that is scheduled for ``seconds`` from now; less than 0: it is overdue."""
    row, _ = scheduled.put(post, target, utc_now() + timedelta(hours=1), visibility="live", **values)
    moment = db.session.scalars(select(database_now(seconds))).one()
    row.publish_at = row.next_try_at = moment
    row_id = row.id
    db.session.commit()  # no transaction is left open: it would lock SQLite
    return row_id


def scheduled_at_a_target(app: Flask, project_id: int, post_id: int) -> int:
    """The id of a publication that waits for its time, at a new target of the project."""
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        target, _ = add_target(project, "webhook", "Blog", {"url": "https://hooks.example.com/posts"})
        return scheduled_in(db.session.get_one(BlogPost, post_id), target, 3600)


def scheduled_now(row_id: int) -> ScheduledPublication:
    """A scheduled publication as the database has it."""
    db.session.rollback()
    return db.session.get_one(ScheduledPublication, row_id, populate_existing=True)


@dataclass
class Planned:
    """A post of Alice and a target, and what is scheduled for them."""

    post_id: int
    target_id: int
    receiver: Receiver

    def project(self) -> Project:
        return db.session.get_one(Project, fresh(self.post_id).project_id)

    def due(self, seconds: float = -1, target_id: int | None = None) -> int:
        target = db.session.get_one(PublishTarget, target_id or self.target_id)
        return scheduled_in(fresh(self.post_id), target, seconds, requested_by="Alice")


def jobs() -> int:
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(ExecutionJob)) or 0


def job_id_of(row_id: int) -> int:
    job_id = scheduled_now(row_id).job_id
    assert job_id is not None
    return job_id


def due_again(row_id: int) -> None:
    """Let the pause before the next try be over."""
    values = {"next_try_at": database_now(-1)}
    db.session.execute(update(ScheduledPublication).where(ScheduledPublication.id == row_id).values(**values))
    db.session.commit()
