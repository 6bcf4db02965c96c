"""What a test does when this machine lacks something."""

from __future__ import annotations

import os
from typing import TypeVar

import pytest

T = TypeVar("T")


def need(found: T | None, what: str) -> T:
    """Return what was found; without it the test is left out, or fails when CI=true."""
    if found is not None:
        return found
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing, and with CI=true nothing may be left out", pytrace=False)
    pytest.skip(f"{what} is missing")
