"""Creates the jobs of the schedule: sitemap syncs that are due."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from sqlalchemy import select, update

from app.accounts.model import Account
from app.executions.service import Submission, submit
from app.infra.clock import utc_now
from app.infra.db import db
from app.operations.registry import SYNC_SITEMAP
from app.projects.model import Project

BATCH: Final = 100
RESUBMIT_AFTER: Final = timedelta(hours=1)
"""When a project is due again if its sync does not set the next time."""


def submit_due_syncs() -> int:
    """Submit a SYNC_SITEMAP job for each project whose sync is due; return how many.

    A project that has a queued sync gets no second one.
    """
    due = db.session.scalars(
        select(Project.id)
        .where(Project.next_sync_at <= utc_now())
        .order_by(Project.next_sync_at)
        .limit(BATCH)
    ).all()
    db.session.commit()
    return sum(_submit(project_id) for project_id in due)


def _submit(project_id: int) -> bool:
    now = utc_now()
    taken = db.session.scalar(
        update(Project)
        .where(Project.id == project_id, Project.next_sync_at <= now)
        .values(next_sync_at=now + RESUBMIT_AFTER, updated_at=Project.updated_at)
        .returning(Project.id)
        .execution_options(synchronize_session=False)
    )
    if taken is None:
        db.session.rollback()
        return False
    project = db.session.get_one(Project, project_id, populate_existing=True)
    submit(
        Submission(
            account=db.session.get_one(Account, project.account_id),
            project=project,
            operation=SYNC_SITEMAP,
            payload={},
            scope=f"schedule:{project_id}",
            requested_by="the schedule",
            scheduled=True,
        )
    )
    return True
