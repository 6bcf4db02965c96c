"""Due syncs of several projects: an error of one does not stop those behind it."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import timedelta

import pytest
from sqlalchemy import event, select, update
from sqlalchemy.engine import Connection
from sqlalchemy.orm import Mapper

from app.executions import schedule
from app.executions.dispatcher import dispatch
from app.executions.model import ExecutionJob
from app.infra.clock import utc_now
from app.infra.db import db
from app.projects.model import Project
from tests.executions.conftest import SYNC, Garden
from tests.support.locks import locked_by
from tests.support.plans import listening
from tests.support.publishing import project_of


@pytest.fixture
def behind(garden: Garden) -> int:
    """Bob's project, whose sync is due after that of Alice's."""
    project_id = project_of("bob").id
    for number, each in enumerate((garden.project_id, project_id)):
        due = utc_now() - timedelta(minutes=9 - number)
        change = update(Project).where(Project.id == each)
        db.session.execute(change.values(sitemap_url="https://alice.example/sitemap.xml", next_sync_at=due))
    db.session.commit()
    return project_id


@pytest.fixture
def broken(garden: Garden) -> Iterator[None]:
    """No job can be written for Alice's project."""

    def refuse(_mapper: Mapper[ExecutionJob], _connection: Connection, job: ExecutionJob) -> None:
        if job.project_id == garden.project_id:
            raise ValueError("This project is broken.")

    event.listen(ExecutionJob, "before_insert", refuse)
    yield
    event.remove(ExecutionJob, "before_insert", refuse)


def projects_with_syncs() -> list[int | None]:
    db.session.rollback()
    return list(db.session.scalars(select(ExecutionJob.project_id).where(ExecutionJob.operation == SYNC)))


def next_sync(project_id: int) -> timedelta:
    moment = db.session.scalar(select(Project.next_sync_at).where(Project.id == project_id))
    db.session.rollback()
    assert moment is not None
    return moment - utc_now()


@pytest.mark.usefixtures("broken")
def test_an_error_of_one_project_does_not_stop_the_due_syncs_of_those_behind_it(
    garden: Garden, behind: int, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        assert schedule.submit_due_syncs() == 1
    assert projects_with_syncs() == [behind]
    assert f"{SYNC} of project {garden.project_id} could not be submitted" in caplog.text
    assert "This project is broken." in caplog.text


@pytest.mark.usefixtures("broken")
def test_the_project_with_the_error_is_tried_again_later(garden: Garden, behind: int) -> None:
    schedule.submit_due_syncs()
    assert timedelta(minutes=50) < next_sync(garden.project_id) <= schedule.RESUBMIT_AFTER
    assert schedule.submit_due_syncs() == 0


@pytest.mark.postgresql
@pytest.mark.parametrize("database_kind", ["postgresql"])
@pytest.mark.usefixtures("short_locks")
def test_a_locked_project_stays_due_and_does_not_stop_those_behind_it(garden: Garden, behind: int) -> None:
    with locked_by(f"SELECT id FROM projects WHERE id = {garden.project_id} FOR UPDATE"):
        assert schedule.submit_due_syncs() == 1
        assert projects_with_syncs() == [behind]
    assert schedule.submit_due_syncs() == 1


def test_another_due_sync_adds_no_statement_but_the_one_that_inserts_its_job(garden: Garden) -> None:
    others = [project_of(f"customer{number}").id for number in range(4)]
    dispatch()  # marks Redis as filled
    counts = []
    for due in ([garden.project_id], others):
        change = update(Project).where(Project.id.in_(due)).values(next_sync_at=utc_now())
        db.session.execute(change)
        db.session.commit()
        with listening(db.engine) as executed:
            assert schedule.submit_due_syncs() == len(due)
        counts.append(len(executed))
    assert projects_with_syncs() == [garden.project_id, *others]
    assert counts[1] - counts[0] <= len(others) - 1
