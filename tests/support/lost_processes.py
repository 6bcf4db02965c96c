"""Processes that end without a word at a chosen step of their work on files, and what they leave."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

_LOST: Final = 9
"""The exit code of a process that ended at its step."""


def lost_at(number: int, act: Callable[[], object]) -> bool:
    """Act in a process that ends without a word at its n-th step; return whether it did."""

    def end_or_act() -> None:
        _end_at(number)
        act()

    return exit_code_of(end_or_act) == _LOST


def exit_code_of(act: Callable[[], object]) -> int:
    """Act in a process of its own; return its exit code, that of a signal negative."""
    child = os.fork()
    if child == 0:
        try:
            act()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def age_locks(repository: Path) -> None:
    """Let the locks be as old as if the process had been killed an hour ago."""
    for lock in repository.rglob("*.lock"):
        os.utime(lock, (0, lock.stat().st_mtime - 3600))


def _end_at(number: int) -> None:
    """End this process at its n-th step, just before it makes, renames or stores a file."""
    left = [number]

    def step() -> None:
        left[0] -= 1
        if left[0] == 0:
            os._exit(_LOST)

    def stepped(function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*arguments: Any, **named: Any) -> Any:
            step()
            return function(*arguments, **named)

        return call

    for name in ("open", "chmod", "fsync", "mkdir", "rename", "replace", "unlink"):
        setattr(os, name, stepped(getattr(os, name)))
