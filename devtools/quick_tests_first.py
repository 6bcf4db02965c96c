"""A plugin for pytest that runs quick tests before slow ones, so that a mutant dies as soon as it can.

mutmut measures the tests before it makes mutants. It hands over those of a mutant in no order, and a mutant
whose wait never ends costs minutes in a slow test where a quick one notices it at once.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

MEASURED = Path("mutmut-stats.json")
"""What mutmut keeps of its measurements, in the folder that it runs the tests in."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Sort the tests by the seconds that mutmut measured; those that it does not know come last."""
    if not MEASURED.exists():
        return
    seconds = json.loads(MEASURED.read_text())["duration_by_test"]
    items.sort(key=lambda item: seconds.get(item.nodeid, float("inf")))
