"""The RQ worker: a work-horse for each task, and what to do when a horse dies or the platform says stop.

Only hooks are overridden; rq's own loops stay rq's.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import re
import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Final

from redis.exceptions import RedisError
from rq import Queue, Worker
from rq.exceptions import StopRequested
from rq.job import Job

from app.executions.reaper import work_horse_died
from app.infra.db import db, release

GRACE: Final = 20.0
"""Seconds a running task may go on after SIGTERM; the platform kills after 30."""

_REMINDER: Final = 1.0
_PR_SET_PDEATHSIG: Final = 1
_EXECUTION: Final = re.compile(r"execution-(\d+)-(\d+)")


def _later(seconds: float, call: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()


class ExecutionWorker(Worker):
    """Runs inside the application context that its process has pushed."""

    max_connection_wait_time = 5.0
    """Seconds between two looks whether Redis is back."""

    def main_work_horse(self, job: Job, queue: Queue) -> None:
        """Begin the child: it dies with its parent and uses no connection of it."""
        if sys.platform == "linux":
            ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != self.pid:  # the parent died before the tie was made
            os._exit(1)
        db.engine.dispose(close=False)
        super().main_work_horse(job, queue)

    def setup_work_horse_signals(self) -> None:
        """Let the platform's SIGTERM to every process pass: the parent decides when a horse ends."""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_IGN)

    def handle_warm_shutdown_request(self) -> None:
        """Give the running task its grace, then end the horse; its job is handed back."""
        if self.horse_pid:
            _later(GRACE, self.kill_horse)
        _later(_REMINDER, self._remind)

    def request_force_stop(self, signum: int, frame: FrameType | None) -> None:
        """End when idle; leave a running task its grace, however often the platform signals."""
        if not self.horse_pid and not self._stop_requested:
            raise StopRequested

    def kill_horse(self, sig: signal.Signals = signal.SIGKILL) -> None:
        """Kill the running horse, if there is one: rq would kill our own process group instead."""
        if self.horse_pid:
            super().kill_horse(sig)

    def teardown(self) -> None:
        """Leave Redis in order, undisturbed."""
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        super().teardown()  # type: ignore[no-untyped-call]

    def _remind(self) -> None:
        # rq stops an idle worker by an exception out of the signal handler. Raised inside a destructor or
        # a client's clean-up it is swallowed, and the worker would listen on for ever.
        os.kill(os.getpid(), signal.SIGTERM)
        _later(_REMINDER, self._remind)

    def set_current_job_working_time(self, *args: Any, **options: Any) -> None:
        """Tell rq's statistics, if Redis is there to be told."""
        with contextlib.suppress(RedisError):
            super().set_current_job_working_time(*args, **options)

    def maintain_heartbeats(self, job: Job) -> None:
        """Keep rq informed; Redis being away must not end a task whose truth is in the database."""
        try:
            super().maintain_heartbeats(job)
        except RedisError:
            self.log.warning("Redis is away while %s runs", job.id)

    def handle_work_horse_killed(self, job: Job, retpid: Any, ret_val: Any, rusage: Any) -> None:
        """Hand the job of a dead horse back at once, rather than when its lease is over."""
        match = _EXECUTION.fullmatch(job.id)
        if match is None:
            return
        try:
            work_horse_died(int(match.group(1)), int(match.group(2)))
        finally:
            release()
            # The next horse must not inherit a live connection.
            db.engine.dispose()
