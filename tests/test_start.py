"""What a process loads at its start."""

from __future__ import annotations

import subprocess
import sys
from typing import Final

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


def test_a_web_process_loads_only_what_its_start_needs() -> None:
    program = f"import sys, wsgi; print(*[name for name in {list(UNNEEDED)} if name in sys.modules])"
    assert _printed(program) == ""


def test_a_web_process_collects_garbage_once_it_has_started() -> None:
    assert _printed("import gc, wsgi; print(gc.isenabled(), gc.get_freeze_count() > 100_000)") == "True True"


def _printed(program: str) -> str:
    words = [sys.executable, "-c", program]
    done = subprocess.run(
        words, cwd=ROOT, env=service_environment(), capture_output=True, text=True, check=True
    )
    return done.stdout.strip()
