"""Processes that end without a word at a chosen step of their work on files."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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


@contextmanager
def stopped_after(name: str, act: Callable[[], object]) -> Iterator[None]:
    """Act in a process that is stopped once it has called this function of ``os``, and killed in the end."""
    child = os.fork()
    if child == 0:
        _stop_after(name)
        try:
            act()
        finally:
            os._exit(0)
    try:
        assert os.WIFSTOPPED(os.waitpid(child, os.WUNTRACED)[1])
        yield
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _stop_after(name: str) -> None:
    function = getattr(os, name)

    def call(*arguments: Any, **named: Any) -> Any:
        result = function(*arguments, **named)
        os.kill(os.getpid(), signal.SIGSTOP)
        return result

    setattr(os, name, call)


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

    for name in ("open", "chmod", "fsync", "mkdir", "link", "rename", "replace", "unlink"):
        setattr(os, name, stepped(getattr(os, name)))
