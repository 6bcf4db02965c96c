"""A publish job whose worker is killed, or that is canceled, at each step: one live post, or none."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Final

import pytest
from flask import Flask
from sqlalchemy import select, update

from app.executions.model import ExecutionJob
from app.executions.queries import active_job_ids
from app.executions.service import cancel
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.faults import Point
from app.publishing import service
from app.publishing.abandoned import delete_abandoned_drafts
from app.publishing.model import Publication
from app.publishing.reconcile import reconcile_publications
from app.publishing.targets import http_calls
from tests.support import publishing
from tests.support.fault_cells import Cell, roll_back_post
from tests.support.gateway import Fault, Forward
from tests.support.lost_processes import exit_code_of
from tests.support.lost_workers import requeue
from tests.support.publishing import alice_project
from tests.support.servers import Reply, Request
from tests.support.target_places import Place, look_alikes
from tests.support.working import run_job

pytestmark = pytest.mark.usefixtures("no_waiting")

LONGER_THAN_A_HEARTBEAT: Final = 1.5
POINTS: Final = [
    ("create", Point.PUBLISH_BEFORE_CREATE),
    ("create", Point.PUBLISH_AFTER_CREATE_BEFORE_ID),
    ("create", Point.PUBLISH_AFTER_CREATE_BEFORE_LIVE),
    ("create", Point.PUBLISH_AFTER_SEND_BEFORE_RECORD),
    ("create", Point.AFTER_EFFECT_BEFORE_COMMIT),
    ("update", Point.PUBLISH_BEFORE_CREATE),
    ("update", Point.PUBLISH_AFTER_SEND_BEFORE_RECORD),
    ("update", Point.AFTER_EFFECT_BEFORE_COMMIT),
    ("unpublish", Point.UNPUBLISH_BEFORE_CALL),
    ("unpublish", Point.UNPUBLISH_AFTER_CALL_BEFORE_RECORD),
    ("unpublish", Point.AFTER_EFFECT_BEFORE_COMMIT),
]
THOROUGH: Final = [pytest.param(kind, marks=pytest.mark.thorough) for kind in ("ghost", "webhook")]
LATER: Final = [pytest.param(step, marks=pytest.mark.thorough) for step in ("update", "unpublish")]
KINDS: Final = ["wordpress", *THOROUGH]


@pytest.fixture(scope="module")
def places() -> Iterator[dict[str, Place]]:
    with look_alikes() as found:
        yield {place.kind: place for place in found}


@pytest.fixture(scope="module")
def points(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("points")


@pytest.fixture
def settings_overrides(places: dict[str, Place], points: Path) -> dict[str, str]:
    addresses = ",".join(place.gateway.address for place in places.values())
    return {"FETCH_ALLOW": addresses, "FAULT_DIRECTORY": str(points)}


def cell_of(place: Place, step: str, disturbance: Callable[[], AbstractContextManager[None]]) -> Cell:
    """A cell of a new project at a place."""
    project = alice_project()
    service.add_target(project, place.kind, "Blog", place.settings, place.secret)
    return Cell(place.kind, project.id, step, "stopped", place.posts, place.remove, disturbance)


def run_killed_once(point: Path, job_id: int) -> None:
    """Run a job in a process that SIGKILL ends at the point, then again in this one."""
    point.touch()
    db.session.remove()
    db.engine.dispose()
    assert exit_code_of(lambda: run_job(job_id)) == -signal.SIGKILL
    requeue(job_id)
    run_job(job_id)


@contextmanager
def killed_at(point: Path) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(publishing, "run_job", partial(run_killed_once, point))
        yield


def canceling(app: Flask, *, after: bool) -> Fault:
    """A fault that cancels the running job, before or after the target carries out a call without answer."""

    def fault(request: Request, forward: Forward) -> Reply:
        if after:
            forward(request)
        with app.app_context():
            cancel(db.session.scalars(select(ExecutionJob).where(ExecutionJob.status == "running")).one())
            db.session.remove()
        return Reply(hold=threading.Event(), hang_up=True)

    return fault


@contextmanager
def canceled_at(place: Place, step: str, fault: Fault) -> Iterator[None]:
    """Let a fault meet the step; afterwards let the reconciliation's time come."""
    place.gateway.mend()
    place.gateway.spoil_once(place.steps[step], fault)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(http_calls, "CALL_SECONDS", LONGER_THAN_A_HEARTBEAT)
        yield
    assert place.gateway.was_spoiled()
    db.session.execute(update(Publication).values(updated_at=utc_now() - timedelta(hours=1)))
    db.session.commit()
    reconcile_publications(active_job_ids())


def statuses_of_jobs() -> list[str]:
    return list(db.session.scalars(select(ExecutionJob.status).order_by(ExecutionJob.id)))


@pytest.mark.parametrize(("step", "point"), POINTS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_worker_killed_at_each_step_leaves_one_post_as_wanted(
    db_app: Flask, places: dict[str, Place], points: Path, kind: str, step: str, point: Point
) -> None:
    cell = cell_of(places[kind], step, partial(killed_at, points / point))
    cell.run(1)
    wanted = "hidden, recorded so" if step == "unpublish" else "one live, recorded so"
    assert (cell.verdicts, cell.wrong, cell.ends) == ({wanted: 1}, [], {"well": 1})


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("step", ["create", pytest.param("publish", marks=pytest.mark.thorough), *LATER])
@pytest.mark.parametrize("kind", KINDS)
def test_a_job_canceled_at_each_step_leaves_one_live_post_recorded_so_or_none(
    db_app: Flask, places: dict[str, Place], kind: str, step: str, after: bool
) -> None:
    place = places[kind]
    write = step if step in place.steps else "create"
    cell = cell_of(place, step, partial(canceled_at, place, write, canceling(db_app, after=after)))
    cell.run(1)
    assert "canceled" in statuses_of_jobs()
    assert (cell.wrong, cell.ends, cell.left) == ([], {"well": 1}, 0)


def test_the_hidden_draft_of_a_canceled_job_is_deleted_with_the_rollback(
    db_app: Flask, places: dict[str, Place]
) -> None:
    place = places["wordpress"]
    cell = cell_of(place, "publish", partial(canceled_at, place, "publish", canceling(db_app, after=False)))
    post_id = cell.disturb(1)
    assert [post.is_live for post in place.posts(cell.titles)] == [False]
    roll_back_post(post_id)
    delete_abandoned_drafts()
    assert place.posts(cell.titles) == []
