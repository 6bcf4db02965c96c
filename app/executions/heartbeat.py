"""The heartbeat of a running attempt: a thread that renews the lease and notices when the claim is lost."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextvars import copy_context
from typing import Final

from flask import Flask, current_app
from sqlalchemy.exc import SQLAlchemyError

from app.executions.job_run import JobRun
from app.infra.db import release
from app.infra.faults import Point, reach
from app.operations.base import no_op

CHECK_EVERY: Final = 2.0
"""Seconds between two checks of the claim: a canceled job stops within 5 s."""

STOP_WITHIN: Final = 1.5
"""Seconds that a run gets to stop by itself when its claim is lost."""

OVERTIME: Final = 75.0
"""Seconds that a run gets after its deadline. RQ's own alarm comes after 60."""

_log = logging.getLogger(__name__)


class Heartbeat:
    """A context manager: while its body runs, a thread renews the lease and sets ``run.lost`` if that fails.

    ``abandon`` is called when the run does not stop in time: it may hang in a call.
    """

    def __init__(
        self, run: JobRun, every: float, abandon: Callable[[], None] = no_op, overtime: float = OVERTIME
    ) -> None:
        self._run = run
        self._every = every
        self._abandon = abandon
        self._overtime = overtime
        self._done = threading.Event()
        app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
        self._thread = threading.Thread(
            target=copy_context().run, args=(self._beat, app), name="heartbeat", daemon=True
        )

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._done.set()
        self._thread.join()

    def _beat(self, app: Flask) -> None:
        with app.app_context():
            self._renew_while_claimed()
        if not self._done.wait(STOP_WITHIN if self._run.lost.is_set() else self._overtime):
            _log.warning("job %s: the operation does not stop and is abandoned", self._run.job_id)
            self._abandon()

    def _renew_while_claimed(self) -> None:
        renewed = time.monotonic()
        while not self._done.wait(min(CHECK_EVERY, self._every)) and not self._run.should_stop():
            reach(Point.DURING_HEARTBEAT)
            is_due = time.monotonic() - renewed >= self._every
            try:
                claimed = self._run.renew_lease() if is_due else self._run.is_claimed()
            except SQLAlchemyError:
                _log.warning("job %s: a heartbeat did not reach the database", self._run.job_id)
                continue
            finally:
                release()
            if is_due:
                renewed = time.monotonic()
            if not claimed:
                self._run.lost.set()
