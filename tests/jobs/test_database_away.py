"""Workers while the database is away: a PostgreSQL of the tests' own, shut down and started again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.config import load_settings
from app.executions.states import TERMINAL
from app.factory import create_app
from app.infra.db import db
from devtools.postgres import find_binaries
from tests.chaos.system import Postgresql
from tests.executions.conftest import Garden, check_history, job_of
from tests.support.databases import migrate
from tests.support.needs import need
from tests.support.processes import Service
from tests.support.publishing import alice_project
from tests.support.waiting import eventually

pytestmark = [pytest.mark.postgresql, pytest.mark.journey]


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Postgresql]:
    need(find_binaries(), "PostgreSQL")
    made = Postgresql(tmp_path)
    migrate(made.url)
    yield made
    made.close()


@pytest.fixture
def service(database: Postgresql, tmp_path: Path) -> Iterator[Service]:
    made = Service(tmp_path, database.url, {})
    yield made
    made.close()


def test_queue_entries_outlast_an_outage_of_the_database(database: Postgresql, service: Service) -> None:
    with create_app(load_settings(service.env)).app_context():
        project = alice_project()
        garden = Garden(project.account_id, project.id)
        jobs = [garden.queued(), garden.queued()]
        db.session.remove()
        db.engine.dispose()
        database.shut_down()
        service.start("worker")
        [worker] = service.running("worker")
        eventually(lambda: service.logs().count("waits for the database") > 1, "the worker keeps the job")
        assert worker.process.poll() is None
        database.heal()
        eventually(lambda: all(job_of(job_id).status in TERMINAL for job_id in jobs), "both jobs have run")
        for job_id in jobs:
            check_history(job_id)
        db.session.remove()
        db.engine.dispose()
