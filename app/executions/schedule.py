"""Creates the jobs of the schedule: sitemap syncs, publications and fetches of search results."""

import logging
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import Update, select, update
from sqlalchemy.orm import InstrumentedAttribute

from app.accounts.model import Account
from app.executions.service import Submission, submit, submit_together
from app.failures import ServiceFailure, failure
from app.infra.clock import utc_now
from app.infra.db import changed_rows, db
from app.infra.db_engine import DATABASE_UNAVAILABLE, is_locked
from app.infra.faults import Point, reach
from app.operations import import_search_performance, publish_blog_post, sync_sitemap
from app.operations.base import Operation
from app.projects.model import Project
from app.publishing import scheduled
from app.publishing.model import ScheduledPublication
from app.search_performance.google import connection
from app.search_performance.model import SearchConnection

BATCH: Final = 100
REQUESTED_BY: Final = "the schedule"
RESUBMIT_AFTER: Final = timedelta(hours=1)
"""When a project is due again if its sync does not set the next time."""

_Column = InstrumentedAttribute[Any]
_log = logging.getLogger(__name__)


class _NotDue(Exception):
    """Raised inside the transaction that creates a job, to create none."""


def submit_due_publications() -> int:
    """Submit a PUBLISH_BLOG_POST job for each scheduled publication that is due; return how many."""
    due = scheduled.due_ids(BATCH)
    db.session.commit()
    return sum(_submit_publication(row_id) for row_id in due)


def submit_due_syncs() -> int:
    """Submit a SYNC_SITEMAP job for each project whose sync is due; return how many.

    A project that has a queued sync gets no second one. One that somebody has locked stays due.
    """
    try:
        return _submit_syncs_together()
    except DATABASE_UNAVAILABLE as error:
        if not is_locked(error):
            raise
    except Exception:
        _log.debug("the due syncs are submitted one by one", exc_info=True)
    db.session.rollback()
    return _submit_each(Project.id, Project.next_sync_at, RESUBMIT_AFTER, sync_sitemap.OPERATION)


def submit_due_search_fetches() -> int:
    """Submit an IMPORT_SEARCH_PERFORMANCE job for each project whose fetch is due; return how many."""
    if not connection.is_offered():
        return 0
    moment, again_after = SearchConnection.next_fetch_at, connection.RESUBMIT_AFTER
    return _submit_each(SearchConnection.project_id, moment, again_after, import_search_performance.OPERATION)


def _submit_publication(row_id: int) -> bool:
    try:
        submit(_publication_job(row_id))
    except _NotDue:
        db.session.rollback()
        return False
    except DATABASE_UNAVAILABLE:
        raise
    except ServiceFailure as refused:
        found = refused.failure
    except Exception:
        _log.exception("scheduled publication %s could not be submitted", row_id)
        found = failure("INTERNAL_ERROR")
    else:
        return True
    db.session.rollback()
    scheduled.record_refusal(row_id, found)
    return False


def _publication_job(row_id: int) -> Submission:
    row = db.session.get(ScheduledPublication, row_id, populate_existing=True)
    if row is None:
        raise _NotDue
    project = db.session.get_one(Project, row.project_id)
    account = db.session.get_one(Account, project.account_id)
    if not account.active:
        raise ServiceFailure("ACCOUNT_INACTIVE")

    def claim(job_id: int) -> None:
        if not scheduled.claim(row_id, job_id):
            raise _NotDue
        reach(Point.SCHEDULE_AFTER_CLAIM_BEFORE_COMMIT)

    return Submission(
        project=project,
        operation=publish_blog_post.OPERATION,
        payload=scheduled.payload_of(row),
        scope=f"schedule:{project.id}",
        requested_by=f"{REQUESTED_BY}, set by {row.requested_by}"[:200],
        on_created=claim,
    )


def _submit_syncs_together() -> int:
    due = db.session.execute(
        select(Project, Account)
        .join(Account, Account.id == Project.account_id)
        .where(Project.next_sync_at <= utc_now())
        .order_by(Project.next_sync_at)
        .limit(BATCH)
        .with_for_update(of=Project, key_share=True, skip_locked=True)
        .execution_options(populate_existing=True)
    ).all()
    if not due:
        db.session.commit()
        return 0
    claim = _claim(Project.next_sync_at, RESUBMIT_AFTER)
    changed_rows(claim.where(Project.id.in_(project.id for project, _ in due)))
    found = [_scheduled(project, sync_sitemap.OPERATION) for project, account in due if account.active]
    submit_together(found)
    return len(found)


def _submit_each(project_id: _Column, moment: _Column, again_after: timedelta, operation: Operation) -> int:
    due = db.session.scalars(
        select(project_id).where(moment <= utc_now()).order_by(moment).limit(BATCH)
    ).all()
    db.session.commit()
    claims = ((each, _claim(moment, again_after).where(project_id == each)) for each in due)
    return sum(_submit_alone(each, claim, operation) for each, claim in claims)


def _claim(moment: _Column, again_after: timedelta) -> Update:
    model, now = moment.class_, utc_now()
    values = {moment: now + again_after, model.updated_at: model.updated_at}
    return update(model).where(moment <= now).values(values)


def _submit_alone(project_id: int, claim: Update, operation: Operation) -> bool:
    """Submit a job for a project whose time ``claim`` takes; return whether it was.

    An error concerns this project only. It is due again when the claim says, so that it keeps no place among
    those that are due first. A project that somebody has locked stays due.
    """
    try:
        if changed_rows(claim):
            return _submit_claimed(project_id, operation)
        db.session.rollback()
    except DATABASE_UNAVAILABLE as error:
        if not is_locked(error):
            raise
        _log.warning("%s of project %s waits: the project is locked", operation.name, project_id)
        db.session.rollback()
    except Exception:
        _log.exception("%s of project %s could not be submitted", operation.name, project_id)
        db.session.rollback()
        changed_rows(claim)
        db.session.commit()
    return False


def _submit_claimed(project_id: int, operation: Operation) -> bool:
    project = db.session.get_one(Project, project_id, populate_existing=True)
    account = db.session.get_one(Account, project.account_id)
    if not account.active:
        db.session.commit()
        return False
    submit(_scheduled(project, operation))
    return True


def _scheduled(project: Project, operation: Operation) -> Submission:
    return Submission(
        project=project,
        operation=operation,
        payload={},
        scope=f"schedule:{project.id}",
        requested_by=REQUESTED_BY,
        scheduled=True,
    )
