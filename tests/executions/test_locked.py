"""Jobs while another process is frozen inside a transaction on PostgreSQL, or ends a job slowly."""

from __future__ import annotations

import pytest
from flask import Flask

from app.executions import runner
from app.executions.reaper import reap
from app.infra import db_engine
from app.infra.db import db
from app.operations.registry import operation_named
from tests.executions.conftest import (
    GENERATE,
    SYNC,
    Garden,
    ago,
    change,
    check_history,
    finish,
    job_of,
    posts,
    work_of,
    writing,
)
from tests.support.locks import MOMENT, locked_by
from tests.support.servers import SiteServer

pytestmark = [
    pytest.mark.postgresql,
    pytest.mark.parametrize("database_kind", ["postgresql"]),
    pytest.mark.usefixtures("short_locks"),
]


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address, "RUNNING_GENERATIONS": "5"}


def test_the_reaper_goes_on_with_the_next_job_when_one_is_locked(garden: Garden) -> None:
    locked, free = garden.claimed().job_id, garden.claimed().job_id
    for job_id in (locked, free):
        change(job_id, lease_until=ago(1))
    with locked_by(f"SELECT id FROM execution_jobs WHERE id = {locked} FOR UPDATE"):
        assert reap() == 1
        assert job_of(free).status == "queued"
    assert job_of(locked).status == "running"
    assert reap() == 1


def test_what_was_made_is_written_when_a_frozen_process_has_lost_its_lock(
    garden: Garden, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = garden.claimed()
    monkeypatch.setattr(db_engine, "IDLE_SECONDS", MOMENT * 5)
    db.session.remove()
    db.engine.dispose()
    with locked_by(f"SELECT id FROM projects WHERE id = {garden.project_id} FOR UPDATE"):
        finish(taken, writing(garden, taken))
    assert (job_of(taken.job_id).status, posts()) == ("succeeded", 1)


def test_an_effect_that_finds_its_rows_locked_is_tried_again_as_an_outage(
    garden: Garden, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken = garden.claimed()
    with locked_by(f"SELECT id FROM projects WHERE id = {garden.project_id} FOR UPDATE"):
        monkeypatch.setattr(db_engine, "IDLE_SECONDS", MOMENT)
        runner._perform(work_of(taken))()
    job = job_of(taken.job_id)
    assert (job.status, job.failure and job.failure["code"]) == ("queued", "SERVICE_UNAVAILABLE")
    check_history(taken.job_id)


@pytest.mark.parametrize("operation", [GENERATE, SYNC])
def test_jobs_of_a_project_are_created_while_one_of_them_ends(
    app: Flask, garden: Garden, site: SiteServer, operation: str
) -> None:
    urls = f"<url><loc>{site.url}/one</loc></url>"
    body = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>'
    garden.set_project(url=f"{site.url}/", sitemap_url=site.serve("/sitemap.xml", body.encode()))
    taken = garden.claimed(operation)
    outcome = operation_named(operation).perform(work_of(taken))
    outcome.effect()
    with app.app_context():
        other = garden.queued()
    db.session.rollback()
    assert job_of(other).status == "queued"


def test_a_job_is_created_even_if_the_next_in_line_cannot_be_marked_as_enqueued(garden: Garden) -> None:
    first = garden.queued()
    change(first, enqueued_at=None)
    with locked_by(f"SELECT id FROM execution_jobs WHERE id = {first} FOR UPDATE"):
        made = garden.submit()
        assert (made.created, made.job.status) == (True, "queued")
        db.session.commit()
