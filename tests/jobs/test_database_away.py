"""Workers while the database is unavailable: a PostgreSQL of the tests' own, shut down and started again."""

from __future__ import annotations

import json
import urllib.request
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


def test_an_outage_of_database_and_redis_fills_the_log_with_single_lines(
    database: Postgresql, service: Service
) -> None:
    service.env["LOG_FORMAT"] = "json"
    service.start("web", "worker", "scheduler")
    eventually(lambda: "ready" in service.logs(), "the scheduler is ready")
    database.shut_down()
    eventually(lambda: service.logs().count("jobs.tasks") > 2, "periodic tasks have failed")
    urllib.request.urlopen(f"{service.url}/sign-in").close()
    service.redis.kill()
    eventually(lambda: "Redis is unavailable" in service.logs(), "the worker has noticed")
    service.stop()
    lines = [line for line in service.logs().splitlines() if line and not line.startswith("--- ")]
    for line in lines:
        assert "traceback" not in json.loads(line), line


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
