"""The packages that the service and its checks need: each pinned once, to what is installed."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from devtools.local import ROOT
from devtools.venv import FILES

LINES = [line for name in FILES for line in (ROOT / name).read_text().splitlines()]
PINNED = [line.partition("==") for line in LINES if line and not line.startswith(("#", "-r "))]


@pytest.mark.parametrize(("package", "pinned"), [(name.partition("[")[0], pin) for name, _, pin in PINNED])
def test_a_package_is_installed_as_it_is_pinned(package: str, pinned: str) -> None:
    assert version(package) == pinned


def test_no_package_is_pinned_twice() -> None:
    names = [name.lower() for name, _, _ in PINNED]
    assert len(names) == len(set(names))
