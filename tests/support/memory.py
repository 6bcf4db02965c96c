"""A folder in memory for what the tests write much and throw away: databases, above all."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.support.process_tree import alive

MEMORY = Path("/dev/shm")
NEEDED_BYTES = 1 << 30
"""Bytes that must be free there; in containers it often has 64 MB, which a database server fills."""
PREFIX = "seo-tests-"


@contextmanager
def fast_folder() -> Iterator[Path]:
    """A folder that others may pass through: in memory if there is space, else in the temporary one."""
    parent = MEMORY if has_room() else Path(tempfile.gettempdir())
    remove_left_behind(parent)
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=parent))
    folder.chmod(0o711)  # PostgreSQL runs as somebody else when we are root
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def has_room() -> bool:
    """Whether there is memory to write files into."""
    return os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > NEEDED_BYTES


def remove_left_behind(parent: Path) -> None:
    """Remove the folders of runs that were killed: nobody else would give the memory back."""
    for folder in parent.glob(f"{PREFIX}*-*"):
        pid = folder.name.removeprefix(PREFIX).partition("-")[0]
        if pid.isdigit() and not alive(int(pid)):
            shutil.rmtree(folder, ignore_errors=True)
