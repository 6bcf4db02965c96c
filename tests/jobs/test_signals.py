"""Signals that come while a process answers to SIGTERM."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devtools.local import ROOT
from tests.jobs.conftest import KILLED_AFTER, OpenHouse
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
def test_an_alarm_of_rq_does_not_make_a_worker_forget_that_it_was_told_to_stop(
    open_house: OpenHouse, kind_of_worker: str
) -> None:
    house = open_house("scheduler", WORKER_CLASS=kind_of_worker, LEASE_SECONDS="120")
    house.service.commands["worker"] = f"{sys.executable} -m tests.support.struck SIGALRM worker.py"
    house.service.start("worker")
    job_id = house.running_sync()
    [worker] = house.service.running("worker")
    worker.process.send_signal(signal.SIGTERM)
    house.answer.set()
    assert worker.process.wait(KILLED_AFTER) == 0
    assert house.ended(job_id) == ["succeeded"]
