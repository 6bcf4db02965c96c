"""Fault points: one file kills one process, and without the setting nothing happens."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from flask import Flask

from app.infra.faults import Point, reach
from devtools.local import ROOT
from tests.support.environment import service_environment

REACH = """
import sys, wsgi
from app.infra.faults import Point, reach

with wsgi.app.app_context():
    for name in sys.argv[1:]:
        reach(Point(name))
        print(name, flush=True)
"""


def reached(folder: Path, *points: Point) -> tuple[int, list[str]]:
    """The exit status of a process that reaches the points in turn, and those after which it was alive."""
    words = [sys.executable, "-c", REACH, *points]
    env = service_environment(FAULT_DIRECTORY=str(folder), DATABASE_URL=f"sqlite:///{folder}/db")
    done = subprocess.run(words, cwd=ROOT, env=env, stdout=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stdout.split()


def test_a_file_kills_the_first_process_that_reaches_its_point(tmp_path: Path) -> None:
    (tmp_path / Point.AFTER_CLAIM).touch()
    assert reached(tmp_path, Point.DURING_HEARTBEAT, Point.AFTER_CLAIM) == (-9, ["during_heartbeat"])
    assert (tmp_path / "after_claim.taken").exists()
    assert reached(tmp_path, Point.AFTER_CLAIM) == (0, ["after_claim"])


@pytest.mark.parametrize("point", list(Point))
def test_every_fault_point_is_reached_from_one_package(point: Point) -> None:
    calls = [path for path in ROOT.glob("app/**/*.py") if f"reach(Point.{point.name})" in path.read_text()]
    assert len(calls) == 1


def test_every_fault_point_is_documented_and_nothing_else() -> None:
    text = (ROOT / "docs/reliability.md").read_text().partition("## Fault points")[2]
    assert re.findall(r"^\| `([a-z_]+)` \|", text, re.MULTILINE) == [point.value for point in Point]


def test_without_the_setting_nothing_happens(db_app: Flask) -> None:
    for point in Point:
        reach(point)
