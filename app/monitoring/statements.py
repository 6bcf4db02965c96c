"""The statements behind the metrics. Each finds its rows by an index, and reads at most MOST of them.

What has ended is counted since the last full hour, by the clock of the database: so every process counts the
same, and the work does not grow with what there is. To Prometheus that is a counter that begins again each
hour.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from typing import Any, Final

from sqlalchemy import ColumnElement, Float, Integer, Select, bindparam, case, func, select

from app.executions.model import ExecutionJob
from app.executions.states import Status
from app.infra.db import UtcDateTime, database_now
from app.pages.model import SitemapSync
from app.projects.model import Project
from app.publishing.model import OPEN_STATES, Publication, PublishCall, PublishTarget, ScheduledPublication

MOST: Final = 50_000
"""Rows that one statement reads. Of more of a kind, only so many are counted."""

BUCKETS: Final = (1, 5, 15, 30, 60, 120, 300, 600, 1800)
"""Upper bounds of durations, in seconds."""

Rows = Select[*tuple[Any, ...]]

_SINCE: Final = bindparam("since", type_=UtcDateTime())
_NOW: Final = bindparam("now", type_=UtcDateTime())
_USAGE: Final = ExecutionJob.result["usage"]


def values_at(now: datetime) -> Mapping[str, datetime]:
    return {_SINCE.key: now.replace(minute=0, second=0, microsecond=0), _NOW.key: now}


@cache
def present_time() -> Rows:
    return select(database_now())


@cache
def waiting_jobs() -> Rows:
    """Queued jobs: operation, how many, since when the oldest may run."""
    found = (
        select(ExecutionJob.operation, ExecutionJob.available_at)
        .where(ExecutionJob.status == Status.QUEUED)
        .limit(MOST)
        .subquery()
    )
    return select(found.c.operation, func.count(), func.min(found.c.available_at)).group_by(found.c.operation)


@cache
def running_jobs() -> Rows:
    """Running jobs: operation, how many, when the oldest began, when the first lease is over."""
    found = (
        select(ExecutionJob.operation, ExecutionJob.started_at, ExecutionJob.lease_until)
        .where(ExecutionJob.status == Status.RUNNING)
        .limit(MOST)
        .subquery()
    )
    first = (func.min(found.c.started_at), func.min(found.c.lease_until))
    return select(found.c.operation, func.count(), *first).group_by(found.c.operation)


@cache
def ended_jobs() -> Rows:
    """Jobs of this hour: operation, status, code, how many, seconds, calls, tokens, cost, and by duration."""
    usage = [
        _USAGE["calls"].as_integer().label("calls"),
        _USAGE["prompt_tokens"].as_integer().label("prompt_tokens"),
        _USAGE["completion_tokens"].as_integer().label("completion_tokens"),
        _USAGE["cost_usd"].as_float().label("cost"),
    ]
    code = ExecutionJob.failure["code"].as_string().label("code")
    found = (
        select(ExecutionJob.operation, ExecutionJob.status, code, ExecutionJob.seconds, *usage)
        .where(
            ExecutionJob.pruned_at.is_(None),
            ExecutionJob.completed_at.is_not(None),
            ExecutionJob.completed_at >= _SINCE,
        )
        .limit(MOST)
        .subquery()
    )
    # A job that was retried keeps the failure of its last attempt; it counts for jobs that failed only.
    failed = case((found.c.status == Status.FAILED, func.coalesce(found.c.code, "")), else_="")
    sums = [func.sum(each) for each in (found.c.seconds, *found.c[4:])]
    return select(
        found.c.operation,
        found.c.status,
        failed,
        func.count(),
        *(func.coalesce(each, 0, type_=Float) for each in sums),
        *_by_bound(found.c.seconds),
    ).group_by(found.c.operation, found.c.status, failed)


@cache
def ended_syncs() -> Rows:
    """Syncs of this hour: state, how many, URLs, bytes, documents, new, stale, seconds, and by duration."""
    row = SitemapSync
    seconds = row.duration_ms / 1000.0
    found = (
        select(row.state, row.found, row.bytes, row.children, row.new, row.stale, seconds.label("seconds"))
        .where(row.at >= _SINCE)
        .limit(MOST)
        .subquery()
    )
    sums = (func.coalesce(func.sum(each), 0, type_=Float) for each in found.c[1:])
    by_bound = _by_bound(found.c.seconds)
    return select(found.c.state, func.count(), *sums, *by_bound).group_by(found.c.state)


@cache
def publish_calls() -> Rows:
    """Calls to publish targets of this hour: kind, code of the failure or none, how many, seconds."""
    call = PublishCall
    found = (
        select(call.target_id, call.code, call.milliseconds).where(call.at >= _SINCE).limit(MOST).subquery()
    )
    kind, code = PublishTarget.kind, func.coalesce(found.c.code, "")
    seconds = func.sum(found.c.milliseconds) / 1000.0
    joined = select(kind, code, func.count(), seconds).join(found, found.c.target_id == PublishTarget.id)
    return joined.group_by(kind, code)


@cache
def open_publications() -> Rows:
    """Publications without a recorded result: state, how many, since when the oldest."""
    found = (
        select(Publication.state, Publication.updated_at)
        .where(Publication.state.in_(OPEN_STATES))
        .limit(MOST)
        .subquery()
    )
    return select(found.c.state, func.count(), func.min(found.c.updated_at)).group_by(found.c.state)


@cache
def latest_dues() -> Sequence[Rows]:
    """What should have begun and did not: the time of the first sync, of the first scheduled publication."""
    sync = select(Project.next_sync_at).where(Project.next_sync_at <= _NOW)
    waiting, due = ScheduledPublication.state == "waiting", ScheduledPublication.next_try_at
    return (
        sync.order_by(Project.next_sync_at).limit(1),
        select(due).where(waiting, due <= _NOW).order_by(due).limit(1),
    )


def _by_bound(seconds: ColumnElement[Any]) -> list[ColumnElement[int]]:
    counted = (func.sum(case((seconds <= bound, 1), else_=0)) for bound in BUCKETS)
    return [func.coalesce(each, 0, type_=Integer) for each in counted]
