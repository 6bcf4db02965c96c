"""Signals that come while a process answers to SIGTERM."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devtools.local import ROOT
from tests.jobs.conftest import KILLED_AFTER, StartService
from tests.support.processes import Service
from tests.support.waiting import eventually

LAUNCHER = """
import os, signal
from pathlib import Path
from devtools.launcher import Launcher

launcher = Launcher({}, {}, Path("/"), print)
launcher.handle_signals()
raise SystemExit(launcher.run(lambda: os.kill(os.getpid(), signal.SIGTERM)))
"""


@pytest.fixture
def service(make_service: Callable[[str, dict[str, str]], Service]) -> Iterator[Service]:
    """A service none of whose processes runs yet."""
    made = make_service("sqlite", {})
    yield made
    made.close()


def test_a_second_signal_does_not_hang_the_scheduler(service: Service) -> None:
    service.commands["scheduler"] = f"{sys.executable} -m tests.support.struck SIGTERM scheduler.py"
    service.start("scheduler")
    eventually(lambda: "ready" in service.logs(), "the scheduler is ready")
    [scheduler] = service.running("scheduler")
    scheduler.process.send_signal(signal.SIGTERM)
    assert scheduler.process.wait(10) == 0


def test_a_second_signal_does_not_hang_the_launcher(tmp_path: Path) -> None:
    script = tmp_path / "launch.py"
    script.write_text(LAUNCHER)
    words = [sys.executable, "-m", "tests.support.struck", "SIGTERM", str(script)]
    assert subprocess.run(words, cwd=ROOT, timeout=10, check=False).returncode == 0


@pytest.mark.parametrize("kind_of_worker", ["inline", "forking"])
def test_an_alarm_of_rq_does_not_make_a_worker_forget_its_sigterm(
    start_service: StartService, kind_of_worker: str
) -> None:
    live = start_service("scheduler", WORKER_CLASS=kind_of_worker, LEASE_SECONDS="120")
    live.service.commands["worker"] = f"{sys.executable} -m tests.support.struck SIGALRM worker.py"
    live.service.start("worker")
    job_id = live.running_sync()
    [worker] = live.service.running("worker")
    worker.process.send_signal(signal.SIGTERM)
    live.answer.set()
    assert worker.process.wait(KILLED_AFTER) == 0
    assert live.ended(job_id) == ["succeeded"]
