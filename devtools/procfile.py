"""Reads the Procfile, the list of processes for platforms and for bin/dev."""

from __future__ import annotations

from pathlib import Path


def read_procfile(path: Path) -> dict[str, str]:
    """Return the commands by process name, in the file's order. Raises ValueError for an invalid line."""
    commands: dict[str, str] = {}
    for line in path.read_text().splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, colon, command = line.partition(":")
        if not colon or not command.strip():
            raise ValueError(f"{path}: cannot read the line {line!r}")
        commands[name.strip()] = command.strip()
    return commands
