"""Which tests bin/test runs."""

from __future__ import annotations

import subprocess
import sys

import pytest

from devtools.checks import ALONE, BESIDE, SMOKE, TOGETHER, rounds, smoke_files
from devtools.local import ROOT
from tests.support.quick import DATABASES_DIFFER


def collected(*words: str) -> set[str]:
    """The tests of two files that a run of pytest with these arguments would try."""
    files = ["tests/pages/sync/test_sync.py", "tests/projects/test_project_service.py"]
    command = [sys.executable, "-m", "pytest", "--collect-only", "-o", "addopts=", "-q", *files, *words]
    return set(
        subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    )


def test_thorough_runs_everything_and_otherwise_the_quick_tests_run() -> None:
    assert rounds(["--thorough"]) == [TOGETHER, BESIDE, ALONE]
    assert rounds([]) == [[*TOGETHER, "--quick"], [*SMOKE, "--quick", *smoke_files()]]
    assert rounds(["tests/pages", "-x"]) == [["tests/pages", "-x"]]


def test_the_files_with_a_smoke_test_are_found() -> None:
    assert "tests/pages/sync/test_sync_killed.py" in smoke_files()
    assert "tests/test_prices.py" not in smoke_files()


@pytest.mark.thorough
def test_a_quick_run_tries_the_second_database_only_where_databases_differ() -> None:
    left = collected() - collected("--quick")
    assert any("test_project_service.py" in each for each in left)
    assert all("test_project_service.py" in each and "postgresql" in each for each in left if "::" in each)


def test_every_listed_file_where_databases_differ_exists() -> None:
    assert [place for place in DATABASES_DIFFER if not (ROOT / place).exists()] == []
