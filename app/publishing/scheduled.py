"""Scheduled publications as rows: put, moved, canceled, listed, and claimed when they are due.

    waiting | claim, in the transaction that creates the job: submitted | the job failed: failed, or waiting
            | canceled, or the post was published there by hand: canceled

Times are those of the database's clock.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import ColumnElement, and_, exists, or_, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import aliased

from app.content.model import BlogPost
from app.failures import Failure, ServiceFailure, existing, invalid_field
from app.infra.clock import utc_now
from app.infra.db import changed_rows, database_now, db, insert_new, page_of, row_of_project
from app.notifications import outbox
from app.notifications.kinds import PUBLISHING_FAILED
from app.projects.model import Project
from app.publishing.model import Publication, PublishTarget, ScheduledPublication

FARTHEST: Final = timedelta(days=366)

STATES: Final = ("waiting", "submitted", "failed", "canceled")

TRANSIENT: Final = frozenset(
    {"PUBLISH_IN_PROGRESS", "QUOTA_EXCEEDED", "SERVICE_UNAVAILABLE", "INTERNAL_ERROR"}
)

TRY_EVERY: Final = 30

MOST_TRIES: Final = 120
"""After so many tries, an hour, a publication has failed."""

_other = aliased(ScheduledPublication)

IS_OPEN: Final[ColumnElement[bool]] = or_(
    ScheduledPublication.state == "waiting",
    and_(
        ScheduledPublication.state == "failed",
        ~exists()
        .where(
            _other.blog_post_id == ScheduledPublication.blog_post_id,
            _other.target_id == ScheduledPublication.target_id,
            _other.id > ScheduledPublication.id,
        )
        .correlate(ScheduledPublication),
        ~exists()
        .where(
            Publication.blog_post_id == ScheduledPublication.blog_post_id,
            Publication.target_id == ScheduledPublication.target_id,
            Publication.published_at > ScheduledPublication.updated_at,
        )
        .correlate(ScheduledPublication),
    ),
)
"""What waits, and what failed and was neither planned nor published since."""

_LATE: Final = "The time has passed. Choose a later one."
_FAR: Final = "The time is more than a year away. Choose an earlier one."


def put(
    post: BlogPost,
    target: PublishTarget,
    publish_at: datetime,
    *,
    visibility: str,
    override_reason: str | None = None,
    requested_by: str = "",
) -> tuple[ScheduledPublication, bool]:
    """Schedule a post at a target, and commit; return the row and whether it is new.

    What waits for this post and target already is changed instead. Raises INVALID_REQUEST for
    ``/publish_at``.
    """
    check_time(publish_at)
    values: dict[str, Any] = {
        "visibility": visibility,
        "override_reason": override_reason,
        "requested_by": requested_by,
        **_set_for(publish_at),
    }
    where = {"blog_post_id": post.id, "target_id": target.id}
    now = utc_now()
    try:
        new_id = insert_new(
            ScheduledPublication, project_id=post.project_id, created_at=now, **where, **values
        )
    except IntegrityError:
        db.session.rollback()
        raise ServiceFailure("BLOG_POST_NOT_FOUND") from None
    row_id = new_id or db.session.scalar(
        update(ScheduledPublication)
        .filter_by(**where, state="waiting")
        .values(**values)
        .returning(ScheduledPublication.id)
        .execution_options(synchronize_session=False)
    )
    db.session.commit()
    if row_id is None:  # it was claimed between the two statements
        raise ServiceFailure("PUBLISH_IN_PROGRESS", details={"blog_post_id": post.id})
    return _reload(row_id), new_id is not None


def move(row: ScheduledPublication, publish_at: datetime) -> ScheduledPublication:
    """Change the time of what is waiting, and commit. Raises INVALID_REQUEST and SCHEDULE_NOT_WAITING."""
    check_time(publish_at)
    return _change_waiting(row, **_set_for(publish_at))


def cancel(row: ScheduledPublication) -> ScheduledPublication:
    """Cancel what is waiting, and commit. Canceling it again changes nothing. Raises SCHEDULE_NOT_WAITING."""
    if row.state == "canceled":
        return row
    return _change_waiting(row, state="canceled")


def cancel_waiting(post_id: int, target_id: int) -> None:
    """Cancel what waits for a post at a target, which somebody takes offline there. Commits nothing."""
    waiting = update(ScheduledPublication).filter_by(
        blog_post_id=post_id, target_id=target_id, state="waiting"
    )
    db.session.execute(waiting.values(state="canceled", updated_at=utc_now()))


def end_by_publishing(publication_id: int, job_id: int | None) -> None:
    """Cancel what waits for a post at a target, now that a job published it there. Commits nothing.

    A hidden draft ends only what would have made one. The job of a scheduled publication ends nothing: what
    waits then was planned after it.
    """
    done = db.session.get_one(Publication, publication_id, populate_existing=True)
    waiting = update(ScheduledPublication).where(
        ScheduledPublication.blog_post_id == done.blog_post_id,
        ScheduledPublication.target_id == done.target_id,
        ScheduledPublication.state == "waiting",
        ~exists().where(_other.job_id.is_not(None), _other.job_id == job_id),
    )
    if done.state == "draft":
        waiting = waiting.where(ScheduledPublication.visibility == "draft")
    values = waiting.values(state="canceled", updated_at=utc_now())
    db.session.execute(values.execution_options(synchronize_session=False))


def check_time(publish_at: datetime) -> None:
    """Raise INVALID_REQUEST for ``/publish_at`` if the time is in the past or too far in the future."""
    now = db.session.scalars(select(database_now())).one()
    if publish_at <= now:
        raise invalid_field("/publish_at", _LATE)
    if publish_at > now + FARTHEST:
        raise invalid_field("/publish_at", _FAR)


def get_scheduled(project: Project, schedule_id: int) -> ScheduledPublication:
    """Return a scheduled publication of a project. Raises SCHEDULE_NOT_FOUND."""
    return row_of_project(ScheduledPublication, schedule_id, project.id, "SCHEDULE_NOT_FOUND")


def list_scheduled(
    project: Project, page: int, page_size: int, state: str | None = None
) -> tuple[Sequence[ScheduledPublication], int]:
    """Return a page of a project's scheduled publications, latest time first, and how many there are."""
    statement = select(ScheduledPublication).where(ScheduledPublication.project_id == project.id)
    if state is not None:
        statement = statement.where(ScheduledPublication.state == state)
    latest = (ScheduledPublication.publish_at.desc(), ScheduledPublication.id.desc())
    return page_of(statement.order_by(*latest), page, page_size)


def open_schedule(post: BlogPost) -> Sequence[ScheduledPublication]:
    """Return what waits for a post, and what failed and was neither planned nor published since."""
    return db.session.scalars(
        select(ScheduledPublication)
        .where(ScheduledPublication.blog_post_id == post.id, IS_OPEN)
        .order_by(ScheduledPublication.publish_at, ScheduledPublication.id)
    ).all()


def due_ids(most: int) -> Sequence[int]:
    """Return the ids of at most ``most`` publications that are due, the longest due first."""
    return db.session.scalars(
        select(ScheduledPublication.id)
        .where(ScheduledPublication.state == "waiting", ScheduledPublication.next_try_at <= database_now())
        .order_by(ScheduledPublication.next_try_at)
        .limit(most)
    ).all()


def payload_of(row: ScheduledPublication) -> dict[str, Any]:
    payload = {"blog_post_id": row.blog_post_id, "target": row.target_id, "visibility": row.visibility}
    if row.override_reason is None:
        return payload
    return {**payload, "override_quality_gate": True, "override_reason": row.override_reason}


def claim(row_id: int, job_id: int) -> bool:
    """Hand a due publication to its job; return False if it is not due any more. Commits nothing."""
    return _update(
        row_id,
        ScheduledPublication.state == "waiting",
        ScheduledPublication.next_try_at <= database_now(),
        state="submitted",
        job_id=job_id,
        failure=None,
    )


def record_refusal(row_id: int, found: Failure) -> None:
    """Record why the job of a due publication could not be created: try again later, or fail. Commits."""
    row = db.session.get(ScheduledPublication, row_id, populate_existing=True)
    if row is not None:
        values = _after_failure(row, found)
        is_changed = _update(row_id, ScheduledPublication.state == "waiting", **values)
        if is_changed and values["state"] == "failed":
            _write_mail(row, found)
    db.session.commit()


def job_failed(job_id: int, found: Failure) -> bool:
    """Record the failure of a job that was scheduled, or let it wait for another try. Commits nothing.

    Return whether another try follows; False also for a job that was not scheduled.
    """
    row = db.session.scalar(
        select(ScheduledPublication)
        .where(ScheduledPublication.job_id == job_id, ScheduledPublication.state == "submitted")
        .with_for_update()
    )
    if row is None:
        return False
    values = _after_failure(row, found)
    if values["state"] == "waiting" and _waits(row):
        values = {**values, "state": "failed"}
    _update(row.id, ScheduledPublication.state == "submitted", **values)
    return bool(values["state"] == "waiting")


def _write_mail(row: ScheduledPublication, found: Failure) -> None:
    facts = {"blog_post_id": row.blog_post_id, "failure": found.to_dict()}
    outbox.put(PUBLISHING_FAILED, row.project_id, f"schedule:{row.id}", facts)


def _after_failure(row: ScheduledPublication, found: Failure) -> Mapping[str, Any]:
    tries = row.tries + 1
    tries_again = found.code in TRANSIENT and tries < MOST_TRIES
    return {
        "state": "waiting" if tries_again else "failed",
        "tries": tries,
        "next_try_at": database_now(TRY_EVERY) if tries_again else row.next_try_at,
        "failure": found.to_dict(),
    }


def _waits(row: ScheduledPublication) -> bool:
    others = exists().where(
        ScheduledPublication.blog_post_id == row.blog_post_id,
        ScheduledPublication.target_id == row.target_id,
        ScheduledPublication.state == "waiting",
    )
    return bool(db.session.scalar(select(others)))


def _set_for(publish_at: datetime) -> dict[str, Any]:
    return {
        "publish_at": publish_at,
        "next_try_at": publish_at,
        "tries": 0,
        "failure": None,
        "state": "waiting",
        "updated_at": utc_now(),
    }


def _change_waiting(row: ScheduledPublication, **values: Any) -> ScheduledPublication:
    row_id = row.id
    changed = _update(row_id, ScheduledPublication.state == "waiting", **values)
    db.session.commit()
    row = _reload(row_id)
    if not changed and row.state != values.get("state"):
        raise ServiceFailure("SCHEDULE_NOT_WAITING", details={"state": row.state, "job_id": row.job_id})
    return row


def _update(row_id: int, *guards: Any, **values: Any) -> bool:
    row = update(ScheduledPublication).where(ScheduledPublication.id == row_id, *guards)
    return bool(changed_rows(row.values(**{"updated_at": utc_now(), **values})))


def _reload(row_id: int) -> ScheduledPublication:
    row = db.session.get(ScheduledPublication, row_id, populate_existing=True)
    return existing(row, "SCHEDULE_NOT_FOUND")
