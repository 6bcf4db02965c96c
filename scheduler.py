"""The scheduler process: dispatcher, reaper and the periodic table. Several may run at once.

Dispatcher and reaper run here, so that they also work while every worker is busy, and without Redis.
"""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Final

from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError

from app.executions import dispatcher, reaper
from app.factory import start_app
from app.infra import presence
from app.infra.db import release
from app.infra.logs import cause_of
from app.infra.queue import redis_client
from app.jobs.periodic import PeriodicScheduler

EVERY: Final = 2.0
_log = logging.getLogger("scheduler")


def main() -> None:
    """Tick until SIGTERM or SIGINT."""
    stops: SimpleQueue[int] = SimpleQueue()  # reentrant: with an Event two signals at once would hang
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, lambda number, _frame: stops.put(number))
    with start_app().app_context():
        periodic = PeriodicScheduler(redis_client())
        _log.info("ready")
        while not _stop_requested(stops):
            tick(periodic)
        presence.withdraw(presence.own_name())


def _stop_requested(stops: SimpleQueue[int]) -> bool:
    with suppress(Empty):
        stops.get(timeout=EVERY)
        return True
    return False


def tick(periodic: PeriodicScheduler) -> None:
    """Do each step once. A step that fails is tried again at the next tick."""
    presence.report(presence.SCHEDULER, presence.own_name())
    for step in (reaper.reap, dispatcher.dispatch, periodic.reconcile, periodic.enqueue_due):
        _attempt(step)
    release()


def _attempt(step: Callable[[], Any]) -> None:
    try:
        step()
    except (SQLAlchemyError, RedisError) as error:
        _log.warning("%s: %s, tried again at the next tick", step.__qualname__, cause_of(error))
        release()
    except Exception:
        _log.exception("%s failed", step.__qualname__)
        release()


if __name__ == "__main__":
    main()
