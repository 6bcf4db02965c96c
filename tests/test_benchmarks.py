"""The benchmarks, which no other test starts."""

from __future__ import annotations

import importlib

import pytest

from devtools.local import ROOT

MODULES = sorted(path.stem for path in (ROOT / "bench").glob("*.py"))


@pytest.mark.parametrize("name", MODULES)
def test_a_benchmark_finds_everything_that_it_measures(name: str) -> None:
    importlib.import_module(f"bench.{name}")
