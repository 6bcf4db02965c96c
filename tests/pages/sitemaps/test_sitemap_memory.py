"""Bombs, floods and giants cost little memory, measured in a process of their own."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from devtools.local import ROOT
from tests.support.environment import service_environment
from tests.support.hostile.corpus import CASES
from tests.support.hostile.server import serving

MEGABYTE = 1024 * 1024
HEAVY = [case for case in CASES if case.heavy]


@pytest.mark.thorough
def test_no_bomb_takes_more_than_100_megabytes() -> None:
    with serving(HEAVY) as server:
        starts = {server.start(case): case for case in HEAVY}
        result = subprocess.run(
            [sys.executable, "-m", "tests.support.hostile.measured", *starts],
            cwd=ROOT, env=service_environment(FETCH_ALLOW=server.allow), capture_output=True, text=True,
            check=True, timeout=600,
        )  # fmt: skip
    measured = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(measured) == len(HEAVY)
    read = {starts[each["url"]].name for each in measured if each["found"]}
    assert read == {case.name for case in HEAVY if case.urls}
    taken = {starts[each["url"]].name: (each["peak"] - each["idle"]) / MEGABYTE for each in measured}
    assert {name: round(size) for name, size in taken.items() if size > 100} == {}
