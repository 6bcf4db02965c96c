"""Runs a script in which a signal comes at each step of its answers to SIGTERM.

``python -m tests.support.struck SIGTERM script.py``: another SIGTERM. With SIGALRM instead: the alarm that is
set at that moment, if one is, goes off in what the answer calls.
"""

from __future__ import annotations

import runpy
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

Install = Callable[[int, Any], Any]


def striking(
    strike: Callable[[FrameType], None], install: Callable[[int, Any], Any]
) -> Callable[[int, Any], Any]:
    """What installs handlers so that ``strike`` is called at each step of those of SIGTERM."""

    def step(frame: FrameType, _event: str, _argument: Any) -> Any:
        strike(frame)
        return step

    def struck(number: int, handler: Any) -> Any:
        def answer(number: int, frame: FrameType | None) -> None:
            if sys.gettrace() is not None:  # a second one during the first
                handler(number, frame)
                return
            sys.settrace(step)
            try:
                handler(number, frame)
            finally:
                sys.settrace(None)

        return install(number, answer if number == signal.SIGTERM and callable(handler) else handler)

    return struck


def again(_frame: FrameType) -> None:
    signal.raise_signal(signal.SIGTERM)


def go_off(frame: FrameType) -> None:
    handler_itself = frame.f_back is not None and frame.f_back.f_code.co_name == "answer"
    if not handler_itself and signal.setitimer(signal.ITIMER_REAL, 0)[0]:
        signal.raise_signal(signal.SIGALRM)


if __name__ == "__main__":
    sys.path.insert(0, "")
    _, name, *sys.argv = sys.argv
    signal.signal = striking({"SIGTERM": again, "SIGALRM": go_off}[name], signal.signal)  # type: ignore[assignment]
    runpy.run_path(sys.argv[0], run_name="__main__")
