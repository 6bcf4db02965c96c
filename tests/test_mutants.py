"""What bin/mutants makes of mutmut's results."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from devtools import quick_tests_first
from devtools.local import ROOT
from devtools.mutants import parse_results, share_killed, summary

OUTPUT = """\
    app.accounts.keys.x_revoke_key__mutmut_5: survived
    app.accounts.keys.x_revoke_key__mutmut_6: killed
    app.executions.job_run.xǁJobRunǁremaining__mutmut_1: timeout
    app.executions.job_run.xǁJobRunǁremaining__mutmut_2: no tests
    app.executions.states.x_may_move__mutmut_1: not checked
"""


def test_the_result_of_each_mutant_is_read_by_its_name() -> None:
    assert parse_results(OUTPUT)["app.executions.job_run.xǁJobRunǁremaining__mutmut_1"] == "timeout"
    assert len(parse_results(OUTPUT)) == 4


def test_a_mutant_that_hangs_is_killed_and_one_without_tests_is_not() -> None:
    assert share_killed(parse_results(OUTPUT)) == 0.5


def test_the_summary_counts_by_module() -> None:
    lines = [line.split() for line in summary(parse_results(OUTPUT)).splitlines()]
    assert lines[0] == ["app.accounts.keys", "1", "of", "2"]
    assert lines[1] == ["app.executions.job_run", "1", "of", "2"]
    assert lines[2] == ["killed", "2", "of", "4", "(50%)"]


def test_quick_tests_run_before_slow_ones_and_unknown_ones_last(tmp_path: Path) -> None:
    (tmp_path / "test_hive.py").write_text(
        "def test_slow(): pass\ndef test_new(): pass\ndef test_quick(): pass\n"
    )
    seconds = {"test_hive.py::test_slow": 2.0, "test_hive.py::test_quick": 0.1}
    (tmp_path / quick_tests_first.MEASURED).write_text(json.dumps({"duration_by_test": seconds}))
    run = subprocess.run(
        [
            sys.executable,
            "-m",
            "pytest",
            "-p",
            "devtools.quick_tests_first",
            "--collect-only",
            "-q",
            str(tmp_path),
        ],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
        check=True,
    )
    assert [line for line in run.stdout.splitlines() if "::" in line] == [
        "test_hive.py::test_quick",
        "test_hive.py::test_slow",
        "test_hive.py::test_new",
    ]
