"""One running attempt of a job, as its operation sees it."""

import threading
import time
from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import select, update

from app.executions.claims import Claim
from app.executions.model import ExecutionJob
from app.executions.states import Event
from app.executions.transitions import note, owned_by
from app.failures import ServiceFailure
from app.infra.db import changed_rows, database_now, db, reading, release
from app.operations.base import EarlierJob, Stopped

MOST_PROGRESS_ROWS: Final = 60


class JobRun:
    """Implements operations.base.Run for a claimed job. ``deadline`` and ``lease`` are in seconds."""

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
        return max(0.0, self._ends - time.monotonic())

    def should_stop(self) -> bool:
        return self.lost.is_set() or self.remaining() == 0

    def check_cancelled(self) -> None:
        if self.lost.is_set():
            raise Stopped
        if self.remaining() == 0:
            raise ServiceFailure("JOB_TIMEOUT")

    def progress(self, stage: str, done: int, total: int, message: str = "") -> None:
        """Record a stage and renew the lease. Commits. Raises Stopped when the claim is lost."""
        self.check_cancelled()
        self._stage = {"stage": stage, "done": done, "total": total}
        self._stop_unless(self._write_stage(self._stage, message))

    def earlier(self, job_id: int) -> EarlierJob:
        """Return the payload and the artefacts of another job of this project; empty when it has none."""
        row = db.session.execute(
            select(ExecutionJob.payload, ExecutionJob.artefacts).where(
                ExecutionJob.id == job_id, ExecutionJob.project_id == self.project_id
            )
        ).one_or_none()
        return EarlierJob(row.payload, row.artefacts or {}) if row else EarlierJob({}, {})

    def keep(self, artefacts: Mapping[str, Any]) -> None:
        """Store what is made so far. Commits. Raises Stopped when the claim is lost."""
        self._stop_unless(self._update(artefacts=dict(artefacts)))

    def kept(self) -> Mapping[str, Any]:
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

    def renew_lease(self) -> bool:
        return self._update(lease_until=database_now(self.lease))

    def is_claimed(self) -> bool:
        """Return whether the job is still claimed by this run; writes nothing."""
        statement = select(ExecutionJob.id).where(ExecutionJob.id == self.job_id, *owned_by(self.claim.fence))
        with reading():
            return db.session.scalar(statement) is not None

    def _stop_unless(self, claimed: bool) -> None:
        if not claimed:
            self.lost.set()
            raise Stopped

    def _write_stage(self, stage: dict[str, Any], message: str) -> bool:
        lease_until = database_now(self.lease)
        if self._rows >= MOST_PROGRESS_ROWS:
            return self._update(progress=stage, lease_until=lease_until)
        self._rows += 1
        claimed = note(
            self.job_id,
            Event.JOB_PROGRESS,
            guards=owned_by(self.claim.fence),
            details={**stage, "message": message},
            progress=stage,
            lease_until=lease_until,
        )
        db.session.commit()
        release()
        return claimed

    def _update(self, **values: Any) -> bool:
        own = ExecutionJob.id == self.job_id, *owned_by(self.claim.fence)
        claimed = changed_rows(update(ExecutionJob).where(*own).values(**values))
        db.session.commit()
        release()
        return bool(claimed)
