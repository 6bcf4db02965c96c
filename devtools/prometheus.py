"""Prometheus for the thorough tests: Debian's package, with promtool."""

from __future__ import annotations

import shutil

PACKAGES = ("prometheus",)


def find_prometheus() -> str | None:
    """Return the path of the server if promtool is installed, too; else None."""
    return shutil.which("prometheus") if shutil.which("promtool") else None
