"""``flask doctor``: its report for a healthy service, and for each problem."""

from __future__ import annotations

import subprocess
import sys

import pytest
from flask import Flask

from app.config import load_settings
from devtools.local import ROOT
from tests.support.databases import MakeDatabase
from tests.support.environment import DEFAULTS, service_environment, settings_environment

KINDS = pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])


def doctor(**settings: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "flask", "--app", "wsgi", "doctor"]
    env = service_environment(**settings)
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)


def test_a_healthy_service_is_reported_line_by_line(app: Flask) -> None:
    result = app.test_cli_runner().invoke(args=["doctor"])
    assert result.exit_code == 0, result.output
    assert "TO DO" not in result.output
    assert "ok    migrations: up to date" in result.output
    assert "ok    redis: answers" in result.output
    assert ("ok    connections: 10 of" in result.output) == ("postgresql answers" in result.output)


@pytest.mark.thorough
@KINDS
def test_a_database_without_its_schema_is_reported_with_the_command_to_run(
    kind: str, empty_database: MakeDatabase, redis_url: str
) -> None:
    result = doctor(DATABASE_URL=empty_database(kind), REDIS_URL=redis_url)
    assert result.returncode == 1
    assert "TO DO migrations: run `flask --app wsgi db upgrade`" in result.stdout
    assert result.stdout.count("TO DO") == 1


@pytest.mark.thorough
@pytest.mark.postgresql
def test_more_connections_than_the_database_allows_are_reported(
    fresh_database: MakeDatabase, redis_url: str
) -> None:
    settings = {"DATABASE_URL": fresh_database("postgresql"), "REDIS_URL": redis_url}
    result = doctor(**settings, DATABASE_POOL_SIZE="18", WEB_CONCURRENCY="50")
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
    assert {"APP_ENV": "test", "DATABASE_POOL_SIZE": "5", "SIGN_UP": "open"}.items() <= shown.items()
    assert {"LLM_API_KEY": "set", "DATABASE_URL": "set", "LLM_MODEL": "unset"}.items() <= shown.items()
    assert shown["LLM_BASE_URL"] == "https://llm.example.com/v1"
    assert shown["FETCH_ALLOW"] == "127.0.0.1:8765,[::1]:80"
    printed = " ".join(shown.values())
    assert "secret-word" not in printed
    assert not any(DEFAULTS[name] in printed for name in ("SECRET_KEY", "API_KEY_PEPPER", "ENCRYPTION_KEY"))
