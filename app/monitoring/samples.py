"""What the database says of the service at a moment, read by bounded statements on an own connection."""

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import Row
from sqlalchemy.engine import Connection

from app.infra.db import db, reading
from app.infra.health import is_writable
from app.monitoring import statements

KEPT_FOR: Final = 5.0
"""Seconds for which what was read is used again, but never beyond the hour that it counts."""

Found = Sequence[Row[*tuple[Any, ...]]]


@dataclass(frozen=True)
class Sample:
    """The rows of each statement, and the time of the database at which they were read."""

    now: datetime
    writable: bool
    waiting: Found
    running: Found
    ended: Found
    syncs: Found
    calls: Found
    publications: Found
    sync_due: datetime | None
    publication_due: datetime | None


class Sampler:
    """Reads samples, one at a time, and keeps the last one for KEPT_FOR."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: tuple[float, Sample] | None = None

    def sample(self) -> Sample:
        """Return a sample of the present hour, at most KEPT_FOR old. Raises SQLAlchemyError."""
        with self._lock:
            if self._last is not None and _is_fresh(*self._last):
                return self._last[1]
            read_at = time.monotonic()
            with reading(), db.engine.connect() as connection:
                found = _read(connection)
            self._last = read_at, found
            return found


def _is_fresh(read_at: float, sample: Sample) -> bool:
    age = time.monotonic() - read_at
    return age < KEPT_FOR and (sample.now + timedelta(seconds=age)).hour == sample.now.hour


def _read(connection: Connection) -> Sample:
    now: datetime = connection.execute(statements.present_time()).scalar_one()
    values = statements.values_at(now)
    sync_due, publication_due = statements.latest_dues()
    return Sample(
        now=now,
        writable=is_writable(connection),
        waiting=connection.execute(statements.waiting_jobs()).all(),
        running=connection.execute(statements.running_jobs()).all(),
        ended=connection.execute(statements.ended_jobs(), values).all(),
        syncs=connection.execute(statements.ended_syncs(), values).all(),
        calls=connection.execute(statements.publish_calls(), values).all(),
        publications=connection.execute(statements.open_publications()).all(),
        sync_due=connection.execute(sync_due, values).scalar(),
        publication_due=connection.execute(publication_due, values).scalar(),
    )
