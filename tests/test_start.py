"""What a process loads at its start."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any, Final

import pytest

import worker
from devtools.local import ROOT
from tests.support.environment import service_environment

UNNEEDED: Final = {
    "alembic": "migrations",
    "mako": "the templates of Alembic",
    "app.cli.commands": "the command line",
    "app.operations.performing.generate_blog_post": "the work of jobs",
    "app.content.pipeline": "the writing of posts",
    "app.content.writing.article.writer": "one writer",
    "app.content.writing.digest.engine": "the other one, which also checks topics",
    "app.content.quality.gate": "the checks of a text that is saved",
    "app.pages.extraction.extract": "the reading of HTML",
    "app.pages.sitemaps.fetch": "the reading of sitemaps",
    "app.monitoring.views": "the metrics, which are a setting",
    "openai": "the SDK of a text provider, for workers",
    "anthropic": "another one",
    "httpx": "what both SDKs ask with",
    "urllib3": "what other servers are asked with",
    "sentry_sdk": "error reports, which are a setting",
    "zxcvbn": "the check of a new password",
    "bs4": "the reading of HTML",
    "lxml": "the same, and comparisons of texts",
    "rapidfuzz": "comparisons of texts",
    "markdown_it": "the HTML of posts",
    "nh3": "its sanitizer",
    "PIL": "covers and pictures",
    "dulwich": "Git repositories",
    "segno": "the QR code of a second factor",
    "prometheus_client": "the metrics",
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


def test_a_worker_loads_the_work_of_all_operations_before_it_forks() -> None:
    paths = ROOT.glob("app/operations/performing/*.py")
    performing = {path.stem for path in paths if "def perform(" in path.read_text()}
    assert {f"app.operations.performing.{name}" for name in performing} <= set(worker.LOADED_ONCE)
    assert len(performing) > 3
