"""The bounded form of bin/chaos: faults of every kind for 90 seconds, and nothing is lost or doubled."""

from __future__ import annotations

from pathlib import Path

import pytest

from devtools.postgres import find_binaries
from tests.chaos.run import Plan, run
from tests.support.needs import need

pytestmark = [pytest.mark.chaos, pytest.mark.postgresql]


def test_nothing_is_lost_or_doubled_while_everything_breaks(tmp_path: Path) -> None:
    need(find_binaries(), "PostgreSQL")
    report = run(Plan(seconds=90, seed=7), tmp_path)
    print(report)
    assert report.passed, str(report)
    assert report.missing() == []
    assert len(report.evidence.jobs) > 40
    assert report.updates > 0
