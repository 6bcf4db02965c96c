"""The scheduler process: dispatcher, reaper and the periodic table; any number may run at once.

Dispatcher and reaper run here, in the database's terms, so that they work while every worker is busy and
while Redis is away.
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
from app.infra.db import release
from app.infra.logs import cause_of
from app.infra.queue import redis_client
from app.jobs.periodic import PeriodicScheduler

EVERY: Final = 2.0
_log = logging.getLogger("scheduler")


def main() -> None:
    """Turn the wheel until told to stop."""
    stops: SimpleQueue[int] = SimpleQueue()  # a handler may put while another one does; an Event would hang
    for signum in (signal.SIGTERM, signal.SIGINT):
        signal.signal(signum, lambda number, _frame: stops.put(number))
    with start_app().app_context():
        carrier = PeriodicScheduler(redis_client())
        _log.info("ready")
        while not _told(stops):
            turn(carrier)


def _told(stops: SimpleQueue[int]) -> bool:
    with suppress(Empty):
        stops.get(timeout=EVERY)
        return True
    return False


def turn(carrier: PeriodicScheduler) -> None:
    """Do everything that is due once; what fails is tried again at the next turn."""
    for step in (reaper.reap, dispatcher.dispatch, carrier.reconcile, carrier.push_due):
        _attempt(step)
    release()


def _attempt(step: Callable[[], Any]) -> None:
    try:
        step()
    except (SQLAlchemyError, RedisError) as error:
        _log.warning("%s: %s, tried again at the next turn", step.__qualname__, cause_of(error))
        release()
    except Exception:
        # One step's mistake must not keep the others from their work.
        _log.exception("%s failed", step.__qualname__)
        release()


if __name__ == "__main__":
    main()
