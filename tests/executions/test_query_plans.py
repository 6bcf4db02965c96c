"""The queries that run every few seconds find their rows by an index, however many jobs there are."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from flask import Flask
from sqlalchemy import text

from app.executions import dispatcher, limits, queries, reaper, retention
from app.executions.claims import Claim, claim_job
from app.infra.db import db
from tests.executions.conftest import Garden, work_of
from tests.support.plans import plans

pytestmark = pytest.mark.postgresql

FILL = """
INSERT INTO execution_jobs (account_id, project_id, operation, status, payload, attempt, fence, requested_by,
    lease_until, available_at, enqueued_at, started_at, queued_at, created_at, updated_at)
SELECT :account, :project, 'GENERATE_BLOG_POST',
    CASE WHEN n % 400 = 0 THEN 'queued' WHEN n % 400 = 1 THEN 'running' ELSE 'succeeded' END,
    '{}', 1, 1, '', now() + n % 60 * interval '1 second', now() - n * interval '1 minute', now(), now(),
    now(), now() - n * interval '1 hour', now()
FROM generate_series(1, 6000) AS n
"""


@pytest.fixture
def database_kind() -> str:
    return "postgresql"


@pytest.fixture
def settings_overrides() -> dict[str, str]:
    return {"RUNNING_GENERATIONS": "1000", "QUEUED_EXECUTIONS": "1000"}


@pytest.fixture
def many(garden: Garden) -> Garden:
    """A database with 6,000 jobs, nearly all of them over."""
    values = {"account": garden.account_id, "project": garden.project_id}
    db.session.execute(text(FILL), values)
    db.session.commit()
    with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM ANALYZE execution_jobs"))
    return garden


def about_jobs(statement: str) -> bool:
    return "execution_jobs" in statement and not statement.lstrip().upper().startswith("INSERT")


def beat(taken: Claim) -> None:
    work = work_of(taken)
    work.renew_lease()
    work.is_claimed()
    work.progress("reading", 1, 2)


def act_of(name: str, garden: Garden) -> Callable[[], object]:
    if name == "claim":
        return partial(claim_job, garden.queued())
    if name == "heartbeat":
        return partial(beat, garden.claimed())
    if name == "next in line":
        return partial(dispatcher.enqueue_next, garden.queued())
    if name == "jobs that have not ended":
        return lambda: db.session.execute(queries.active_job_ids()).all()
    return {"dispatcher": dispatcher.dispatch, "reaper": reaper.reap}[name]


def used_by(act: Callable[[], object], *indexes: str) -> list[str]:
    """The plans of what is asked: no whole table is read, and each of the indexes is used."""
    found = plans(act, about_jobs)
    assert found
    for plan in found:
        assert "Seq Scan on execution_jobs" not in plan, plan
    for index in indexes:
        assert any(index in plan for plan in found), found
    return found


@pytest.mark.parametrize(
    ("name", "indexes"),
    [
        ("claim", ["pk_execution_jobs"]),
        ("heartbeat", ["pk_execution_jobs"]),
        ("dispatcher", ["ix_execution_jobs_queued"]),
        ("next in line", []),
        ("reaper", ["ix_execution_jobs_running"]),
        ("jobs that have not ended", ["ix_execution_jobs_queued", "ix_execution_jobs_running"]),
    ],
)
def test_what_runs_all_the_time_uses_the_index_made_for_it(
    app: Flask, many: Garden, name: str, indexes: list[str]
) -> None:
    used_by(act_of(name, many), *indexes)


def test_the_newest_job_of_an_operation_is_found_without_looking_at_others(app: Flask, many: Garden) -> None:
    newest = partial(queries.newest_job, many.project_id, "SYNC_SITEMAP")
    (plan,) = used_by(newest, "ix_execution_jobs_project_operation")
    assert "Filter" not in plan


def test_the_newest_jobs_of_several_operations_are_found_by_the_same_index(app: Flask, many: Garden) -> None:
    names = ("SYNC_SITEMAP", "GENERATE_BLOG_POST", "SUGGEST_TITLES")
    used_by(partial(queries.newest_jobs, many.project_id, names), "ix_execution_jobs_project_operation")
    found = queries.newest_jobs(many.project_id, names)
    each = {name: queries.newest_job(many.project_id, name) for name in names}
    assert found == {name: job for name, job in each.items() if job is not None}
    assert found


@pytest.mark.parametrize("order", queries.ORDERS)
def test_a_page_of_the_list_reads_only_its_own_jobs(app: Flask, many: Garden, order: str) -> None:
    listed = partial(queries.list_jobs, many.account_id, queries.JobFilter(), 3, 20, order)
    _count, plan = plans(listed, about_jobs)
    assert "Seq Scan" not in plan, plan
    assert "Index Scan using pk_execution_jobs" in plan, plan


def test_the_posts_of_a_month_are_counted_by_an_index(app: Flask, many: Garden) -> None:
    (plan,) = used_by(partial(limits.posts_this_month, many.account_id), "ix_execution_jobs_account_done")
    assert "Filter" not in plan


def test_retention_reads_only_the_jobs_whose_time_is_over(app: Flask, many: Garden) -> None:
    used = used_by(retention.prune, "ix_execution_jobs_unpruned", "ix_execution_jobs_artefacts")
    found = [plan for plan in used if "LockRows" in plan]
    assert len(found) == 2
    for plan in found:
        (bound,) = [line for line in plan.splitlines() if "Index Cond" in line]
        assert "completed_at <" in bound, plan
