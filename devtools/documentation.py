"""A real documentation site that the tests sync and write from: BorgBackup's, as Debian ships it."""

from __future__ import annotations

from pathlib import Path

PACKAGES = ("borgbackup-doc",)
FOLDER = Path("/usr/share/doc/borgbackup/html")


def find_documentation() -> Path | None:
    """Return the folder of the site, or None."""
    return FOLDER if (FOLDER / "index.html").is_file() else None
