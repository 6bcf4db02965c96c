"""Starts programs that end with this process, however it ends."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO, Any

PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def start(
    command: Sequence[str],
    *,
    output: IO[Any] | int,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    user: str | None = None,
    at_our_death: signal.Signals = signal.SIGKILL,
) -> subprocess.Popen[bytes]:
    """Start ``command`` in a session of its own, so that a Ctrl-C for this process does not reach it.

    Linux sends it ``at_our_death`` when the thread that called this ends, even by SIGKILL. ``user`` (root
    only) is whose rights it runs with. Raises OSError when it cannot be started.
    """
    parent = os.getpid()

    def tie() -> None:
        if _LIBC is not None:
            _LIBC.prctl(PR_SET_PDEATHSIG, at_our_death)
            if os.getppid() != parent:  # this process ended before prctl took effect
                os._exit(1)

    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.STDOUT,
        env=env,
        cwd=cwd,
        user=user,
        group=user,
        extra_groups=[] if user else None,
        start_new_session=True,
        preexec_fn=tie,
    )


def stop(process: subprocess.Popen[bytes], how: signal.Signals = signal.SIGTERM, grace: float = 10) -> None:
    """Ask the process to end and wait ``grace`` seconds; then kill its group."""
    if process.poll() is None:
        process.send_signal(how)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(grace)
    kill_group(process)
    process.wait()


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """Kill the remaining processes of the session that ``start`` created."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
