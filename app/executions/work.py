"""What a running attempt holds: its claim, its heartbeat, and the means to notice that it is over."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping
from contextvars import copy_context
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final

from flask import Flask, current_app
from sqlalchemy import select, update
from sqlalchemy.exc import SQLAlchemyError

from app.executions.model import ExecutionJob
from app.executions.states import Event
from app.executions.transitions import note, owned_by
from app.failures import ServiceFailure
from app.infra.db import database_now, db, reading, release
from app.infra.faults import Point, reach
from app.operations.base import Earlier, Payload, Stopped, no_effect

LOOK_EVERY: Final = 2.0
"""Seconds between two looks whether the job was canceled: a canceled job stops within 5 s."""

STOP_WITHIN: Final = 1.5
"""Seconds that lost work gets to stop by itself."""

OVERTIME: Final = 75.0
"""Seconds after its deadline in which work ends by itself or by rq's alarm, which comes after 60."""

MOST_PROGRESS_ROWS: Final = 60

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Claim:
    """A job that this process runs, and the fence that proves it."""

    job_id: int
    project_id: int
    operation: str
    payload: Payload
    attempt: int
    fence: int
    requested_by: str
    request_id: str | None = None


class Work:
    """The runner's side of operations.base.Run. ``deadline`` and ``lease`` are in seconds."""

    def __init__(self, claim: Claim, deadline: float, lease: float) -> None:
        self.claim = claim
        self.job_id = claim.job_id
        self.project_id = claim.project_id
        self.payload = claim.payload
        self.attempt = claim.attempt
        self.requested_by = claim.requested_by
        self.lease = lease
        self.lost = threading.Event()
        self._ends = time.monotonic() + deadline
        self._rows = 0
        self._stage: dict[str, Any] | None = None

    def remaining(self) -> float:
        """Return the seconds left until the deadline of this attempt."""
        return max(0.0, self._ends - time.monotonic())

    def should_stop(self) -> bool:
        """Whether the claim is gone or the time is over."""
        return self.lost.is_set() or self.remaining() == 0

    def check(self) -> None:
        """Raise Stopped when the claim is gone, JOB_TIMEOUT when the time is over."""
        if self.lost.is_set():
            raise Stopped
        if self.remaining() == 0:
            raise ServiceFailure("JOB_TIMEOUT")

    def progress(self, stage: str, done: int, total: int, message: str = "") -> None:
        """Record a stage, renew the lease, and notice a lost claim. Commits what the session holds."""
        self.check()
        self._stage = {"stage": stage, "done": done, "total": total}
        if not self._write(self._stage, message):
            self.lost.set()
            raise Stopped

    def earlier(self, job_id: int) -> Earlier:
        """Return what another job of this project was told and kept."""
        row = db.session.execute(
            select(ExecutionJob.payload, ExecutionJob.artefacts).where(
                ExecutionJob.id == job_id, ExecutionJob.project_id == self.project_id
            )
        ).one_or_none()
        return Earlier(row.payload, row.artefacts or {}) if row else Earlier({}, {})

    def keep(self, artefacts: Mapping[str, Any]) -> None:
        """Store what is made so far. Raises Stopped when the claim is gone."""
        if not self._update(artefacts=dict(artefacts)):
            self.lost.set()
            raise Stopped

    def kept(self) -> Mapping[str, Any]:
        """Return what an attempt before kept, else what the job that this one retries did."""
        row = db.session.execute(
            select(ExecutionJob.artefacts, ExecutionJob.retry_of).where(ExecutionJob.id == self.job_id)
        ).one()
        if row.artefacts or row.retry_of is None:
            return row.artefacts or {}
        return self.earlier(row.retry_of).artefacts

    def finished_progress(self) -> Mapping[str, Any] | None:
        """Return the last stage as completed, or None when there were no stages."""
        if self._stage is None:
            return None
        return {**self._stage, "done": self._stage["total"]}

    def renew(self) -> bool:
        """Extend the lease; return whether the job is still ours."""
        return self._update(lease_until=database_now(self.lease))

    def is_ours(self) -> bool:
        """Look whether the job is still ours, writing nothing."""
        statement = select(ExecutionJob.id).where(ExecutionJob.id == self.job_id, *owned_by(self.claim.fence))
        with reading():
            return db.session.scalar(statement) is not None

    def _write(self, stage: dict[str, Any], message: str) -> bool:
        lease = database_now(self.lease)
        if self._rows >= MOST_PROGRESS_ROWS:
            return self._update(progress=stage, lease_until=lease)
        self._rows += 1
        held = note(
            self.job_id, Event.JOB_PROGRESS, guards=owned_by(self.claim.fence),
            details={**stage, "message": message}, progress=stage, lease_until=lease,
        )  # fmt: skip
        db.session.commit()
        release()
        return held

    def _update(self, **values: Any) -> bool:
        held = db.session.scalar(
            update(ExecutionJob)
            .where(ExecutionJob.id == self.job_id, *owned_by(self.claim.fence))
            .values(**values)
            .returning(ExecutionJob.id)
            .execution_options(synchronize_session=False)
        )
        db.session.commit()
        release()
        return held is not None


class Heartbeat:
    """Renews the lease from the process that does the work, and tells the work when its claim is gone.

    ``abandon`` is called when the work does not stop then, or goes on ``overtime`` seconds after its
    deadline: it may hang in a call that nobody wants any more.
    """

    def __init__(
        self, work: Work, every: float, abandon: Callable[[], None] = no_effect, overtime: float = OVERTIME
    ) -> None:
        self._work = work
        self._every = every
        self._abandon = abandon
        self._overtime = overtime
        self._done = threading.Event()
        # The thread outlives no request: it takes the application itself, not the context's stand-in.
        app: Flask = current_app._get_current_object()  # type: ignore[attr-defined]
        self._thread = threading.Thread(
            target=copy_context().run, args=(self._beat, app), name="heartbeat", daemon=True
        )

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()

    def _beat(self, app: Flask) -> None:
        self._renew_while_ours(app)
        if not self._done.wait(STOP_WITHIN if self._work.lost.is_set() else self._overtime):
            _log.warning("job %s: its work does not stop and is abandoned", self._work.job_id)
            self._abandon()

    def _renew_while_ours(self, app: Flask) -> None:
        renewed = time.monotonic()
        with app.app_context():
            while not self._done.wait(min(LOOK_EVERY, self._every)) and not self._work.should_stop():
                reach(Point.DURING_HEARTBEAT)
                due = time.monotonic() - renewed >= self._every
                try:
                    ours = self._work.renew() if due else self._work.is_ours()
                except SQLAlchemyError:
                    _log.warning("job %s: the database did not take a heartbeat", self._work.job_id)
                    continue
                finally:
                    release()
                if due:
                    renewed = time.monotonic()
                if not ours:
                    self._work.lost.set()
