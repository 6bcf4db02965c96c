"""How many jobs an account may have queued or running, and how long one may take."""

from collections.abc import Sequence
from datetime import UTC
from typing import Final, NamedTuple, TypeVar

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    ScalarSelect,
    Select,
    and_,
    bindparam,
    case,
    func,
    or_,
    select,
)
from sqlalchemy.orm import aliased

from app.accounts.limits import monthly_post_limit
from app.accounts.model import Account
from app.executions.model import ExecutionJob
from app.executions.states import ACTIVE, Status
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.settings import current_settings
from app.operations.base import Operation
from app.operations.registry import OPERATIONS

T = TypeVar("T")

UNLIMITED_HEAD: Final = 2
"""Jobs of an operation without a running limit that wait on the queue for one account at once."""

# Made once: an alias copies every column, which takes longer than most statements.
_OTHER = aliased(ExecutionJob)

_LIMITED = tuple(operation.name for operation in OPERATIONS if operation.limited)
_WAITING = tuple(operation.name for operation in OPERATIONS if operation.counts_as_waiting)
_POSTS = tuple(operation.name for operation in OPERATIONS if operation.counts_as_post)
_LONG = tuple(operation.name for operation in OPERATIONS if operation.long_running)


class Running(NamedTuple):
    """How many jobs of each kind an account may run at once: of limited operations, and of long ones."""

    limited: int
    long: int


def running_limits() -> Running:
    settings = current_settings()
    return Running(settings.running_generations, settings.running_syncs)


def deadline(operation: str) -> int:
    settings = current_settings()
    return settings.sync_deadline if operation in _LONG else settings.job_deadline


def check_quota(account_id: int, operation: Operation) -> None:
    """Raise QUOTA_EXCEEDED when the account may queue no further job of this operation now."""
    if not operation.counts_as_waiting:
        return
    account = db.session.scalars(_LOCKED, {"account_id": account_id}).one()
    limit = current_settings().queued_executions
    if _count(_QUEUED, account_id) >= limit:
        raise ServiceFailure(
            "QUOTA_EXCEEDED",
            f"{limit} jobs are queued already.",
            details={"queued_limit": limit},
            headers={"Retry-After": "30"},
        )
    if not operation.counts_as_post:
        return
    monthly = monthly_post_limit(account)
    if monthly is not None and _count(_ACTIVE_POSTS, account_id) + posts_this_month(account_id) >= monthly:
        raise ServiceFailure(
            "QUOTA_EXCEEDED",
            f"All {monthly} posts of this month are used.",
            details={"monthly_post_limit": monthly},
            headers={"Retry-After": "86400"},
        )


def posts_this_month(account_id: int, project_id: int | None = None) -> int:
    """Return how many posts were generated since the first of this month in UTC, also rolled back ones.

    ``project_id`` counts those of one project only.
    """
    start = utc_now().astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    this_month = ExecutionJob.created_at >= start
    of_project = () if project_id is None else (ExecutionJob.project_id == project_id,)
    made = _number_of(_POSTS, ExecutionJob.status == Status.SUCCEEDED, this_month, *of_project)
    return _count(made, account_id)


def lock_account_of(job_id: int) -> None:
    """Serialize the claims of an account's jobs with a running limit, because each counts what runs."""
    owner = select(ExecutionJob.account_id).where(
        ExecutionJob.id == job_id, ExecutionJob.operation.in_((*_LIMITED, *_LONG))
    )
    db.session.execute(_locked(select(Account.id), owner.scalar_subquery()))


def below_running_limit() -> ColumnElement[bool]:
    """Return the claim's guard: the account runs fewer jobs of this kind than it may."""
    limits, owner = running_limits(), ExecutionJob.account_id.expression
    return and_(
        or_(ExecutionJob.operation.not_in(_LIMITED), _running_of(owner, _LIMITED) < limits.limited),
        or_(ExecutionJob.operation.not_in(_LONG), _running_of(owner, _LONG) < limits.long),
    )


def head_of_line(
    account_id: ColumnElement[int], operation: ColumnElement[str], limits: Running
) -> ColumnElement[int]:
    """Return how many queued jobs of an operation may be on the queue for an account at once."""
    return case(
        (operation.in_(_LIMITED), limits.limited - _running_of(account_id, _LIMITED)),
        (operation.in_(_LONG), limits.long - _running_of(account_id, _LONG)),
        else_=UNLIMITED_HEAD,
    )


def longest_head(limits: Running) -> int:
    return max(UNLIMITED_HEAD, *limits)


def no_running_duplicate() -> ColumnElement[bool]:
    """Return the claim's guard: the operation does not run for the project already, if that matters."""
    alone = tuple(operation.name for operation in OPERATIONS if operation.one_at_a_time)
    duplicate = (
        select(_OTHER.id)
        .where(
            _OTHER.project_id == ExecutionJob.project_id,
            _OTHER.status == Status.RUNNING,
            _OTHER.operation == ExecutionJob.operation,
        )
        .exists()
    )
    return or_(ExecutionJob.operation.not_in(alone), ~duplicate)


def _running_of(account_id: ColumnElement[int], operations: Sequence[str]) -> ColumnElement[int]:
    return (
        select(func.count())
        .select_from(_OTHER)
        .where(
            _OTHER.account_id == account_id,
            _OTHER.status == Status.RUNNING,
            _OTHER.operation.in_(operations),
        )
        .scalar_subquery()
    )


def _locked(of_account: Select[T], account_id: BindParameter[int] | ScalarSelect[int]) -> Select[T]:
    """Return a selection of an account that locks its row. SQLite has its write lock already."""
    # KEY SHARE: rows that refer to the account can still be written.
    return of_account.where(Account.id == account_id).with_for_update(key_share=True)


def _number_of(operations: Sequence[str], *conditions: ColumnElement[bool]) -> Select[int]:
    own = ExecutionJob.account_id == bindparam("account_id")
    jobs = select(func.count()).select_from(ExecutionJob)
    return jobs.where(own, ExecutionJob.operation.in_(operations), *conditions)


def _count(jobs: Select[int], account_id: int) -> int:
    return db.session.scalar(jobs, {"account_id": account_id}) or 0


# Made once, because each new job needs them.
_LOCKED: Final = _locked(select(Account), bindparam("account_id"))
_QUEUED: Final = _number_of(_WAITING, ExecutionJob.status == Status.QUEUED)
_ACTIVE_POSTS: Final = _number_of(_POSTS, ExecutionJob.status.in_(ACTIVE))
