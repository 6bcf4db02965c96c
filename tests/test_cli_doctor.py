"""``flask doctor``: its report for a healthy service, and for each problem."""

from __future__ import annotations

import subprocess
import sys

import pytest
from flask import Flask

from app.cli.formation import declared
from app.config import load_settings
from devtools.local import ROOT
from devtools.procfile import read_procfile
from tests.support.databases import MakeDatabase
from tests.support.environment import DEFAULTS, service_environment, settings_environment
from tests.support.processes import RunService
from tests.support.waiting import eventually

KINDS = pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])


def doctor(**settings: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "flask", "--app", "wsgi", "doctor"]
    env = service_environment(**settings)
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)


def test_a_service_whose_processes_do_not_run_is_reported_line_by_line(app: Flask) -> None:
    result = app.test_cli_runner().invoke(args=["doctor"])
    assert result.exit_code == 1, result.output
    assert [line for line in result.output.splitlines() if line.startswith("TO DO")] == [
        "TO DO worker: 0 answer, 1 declared in app.json. Start `python worker.py`",
        "TO DO scheduler: 0 answer, 1 declared in app.json. Start `python scheduler.py`",
        "TO DO queue periodic: no worker takes its tasks, 0 wait",
        "TO DO queue executions: no worker takes its tasks, 0 wait",
        "TO DO queue pages: no worker takes its tasks, 0 wait",
    ]
    assert "ok    migrations: up to date" in result.output
    assert "ok    redis: answers" in result.output
    assert "ok    web: not counted without METRICS_TOKEN" in result.output
    assert ("ok    connections: 11 of" in result.output) == ("postgresql answers" in result.output)


@pytest.mark.thorough
def test_a_healthy_service_has_nothing_to_do(run_service: RunService) -> None:
    service = run_service(METRICS_TOKEN="a token that is long enough for this")
    service.start("worker")
    words = ("web: 1 answer", "worker: 2 answer", "scheduler: 1 answer")

    def is_healthy() -> bool:
        result = doctor(**service.env)
        return result.returncode == 0 and all(f"ok    {each}, 1 declared" in result.stdout for each in words)

    eventually(is_healthy, "each process has said that it is alive")


def test_each_process_of_the_procfile_is_declared() -> None:
    assert {"release", *declared()} == set(read_procfile(ROOT / "Procfile"))


@pytest.mark.thorough
@KINDS
def test_a_database_without_its_schema_is_reported_with_the_command_to_run(
    kind: str, empty_database: MakeDatabase, redis_url: str
) -> None:
    result = doctor(DATABASE_URL=empty_database(kind), REDIS_URL=redis_url)
    assert result.returncode == 1
    assert "TO DO migrations: run `flask --app wsgi db upgrade`" in result.stdout


@pytest.mark.thorough
@pytest.mark.postgresql
def test_more_connections_than_the_database_allows_are_reported(
    fresh_database: MakeDatabase, redis_url: str
) -> None:
    settings = {"DATABASE_URL": fresh_database("postgresql"), "REDIS_URL": redis_url}
    result = doctor(**settings, DATABASE_POOL_SIZE="20", WEB_CONCURRENCY="50")
    assert result.returncode == 1
    assert "TO DO connections: 1003 of" in result.stdout
    assert "WEB_CONCURRENCY" in result.stdout


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("url", "cause"),
    [
        ("postgresql://bees:secret-word@127.0.0.1:1/hives", "refused"),
        ("sqlite:////no/folder/db", "unable to open"),
    ],
)
def test_an_unreachable_server_is_reported_without_its_password(url: str, cause: str) -> None:
    result = doctor(DATABASE_URL=url, REDIS_URL="redis://:secret-word@127.0.0.1:1/0")
    assert result.returncode == 1
    database, redis = (line for line in result.stdout.splitlines() if line.startswith("TO DO"))
    assert "DATABASE_URL" in database
    assert cause in database
    assert "REDIS_URL" in redis
    assert "refused" in redis
    assert "secret-word" not in result.stdout + result.stderr
    assert "Traceback" not in result.stderr


def test_settings_are_shown_by_their_names_and_secrets_only_as_set_or_unset() -> None:
    given = {
        "LLM_API_KEY": "sk-secret-word", "LLM_BASE_URL": "https://me:secret-word@llm.example.com/v1",
        "FETCH_ALLOW": "127.0.0.1:8765,[::1]:80",
    }  # fmt: skip
    shown = load_settings(settings_environment(**given)).shown()
    assert {"APP_ENV": "test", "DATABASE_POOL_SIZE": "8", "SIGN_UP": "open"}.items() <= shown.items()
    assert {"LLM_API_KEY": "set", "DATABASE_URL": "set", "LLM_MODEL": "unset"}.items() <= shown.items()
    assert shown["LLM_BASE_URL"] == "https://llm.example.com/v1"
    assert shown["FETCH_ALLOW"] == "127.0.0.1:8765,[::1]:80"
    printed = " ".join(shown.values())
    assert "secret-word" not in printed
    assert not any(DEFAULTS[name] in printed for name in ("SECRET_KEY", "API_KEY_PEPPER", "ENCRYPTION_KEY"))
