"""What a process loads at its start."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any, Final

import pytest

from devtools.local import ROOT
from tests.support.environment import service_environment

UNNEEDED: Final = {
    "alembic": "migrations",
    "mako": "the templates of Alembic",
    "app.cli.commands": "the command line",
    "openai": "the SDK of a text provider, for workers",
    "anthropic": "another one",
    "httpx": "what both SDKs ask with",
    "sentry_sdk": "error reports, which are a setting",
    "zxcvbn": "the check of a new password",
}
"""Modules that take long to load or much memory, and what they are for."""


@pytest.fixture(scope="module")
def started() -> dict[str, Any]:
    """What a web process says of itself once it has started."""
    program = (
        "import gc, json, sys, wsgi; print(json.dumps({'modules': [*sys.modules],"
        " 'collects': gc.isenabled(), 'frozen': gc.get_freeze_count()}))"
    )
    words = [sys.executable, "-c", program]
    done = subprocess.run(
        words, cwd=ROOT, env=service_environment(), capture_output=True, text=True, check=True
    )
    said: dict[str, Any] = json.loads(done.stdout)
    return said


def test_a_web_process_loads_only_what_its_start_needs(started: dict[str, Any]) -> None:
    assert UNNEEDED.keys() & set(started["modules"]) == set()
    assert "app.factory" in started["modules"]


def test_a_web_process_collects_garbage_once_it_has_started(started: dict[str, Any]) -> None:
    assert started["collects"]
    assert started["frozen"] > 100_000
