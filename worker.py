"""The worker process: runs execution jobs, page reading and periodic tasks with RQ."""

from __future__ import annotations

import gc
import logging
import signal
import time
from types import FrameType

from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import configure_mappers

from app.executions import runner
from app.factory import create_app
from app.infra.queue import QUEUES, connect
from app.infra.settings import current_settings
from app.jobs import tasks
from app.jobs.inline_worker import InlineWorker
from app.jobs.worker import ForkingWorker

WORKERS = {"forking": ForkingWorker, "inline": InlineWorker}
_log = logging.getLogger("worker")
_LONGEST_PAUSE = 5.0
# Seconds; rq waits for a task up to 15 less, and a dead connection to Redis is noticed 5 before.
_TTL = 25


class Stopped(Exception):
    """Raised by a signal that comes while no worker is running."""


def main() -> None:
    """Work until told to stop; a lost Redis only makes a pause."""
    with create_app().app_context():
        configure_mappers()
        _log.info("ready for %s tasks", tasks.__name__)
        _rehearse()
        # What exists now stays for ever: children need not look through it again.
        gc.collect()
        gc.freeze()
        pause = 1.0
        while not _work():
            signal.signal(signal.SIGTERM, _stop)
            signal.signal(signal.SIGINT, _stop)
            try:
                time.sleep(pause)
            except Stopped:
                return
            pause = min(_LONGEST_PAUSE, pause * 2)


def _rehearse() -> None:
    try:
        runner.rehearse()
    except SQLAlchemyError as error:
        _log.warning("the database is away: %s", type(error).__name__)


def _work() -> bool:
    """Return True when the worker ended because it was told to."""
    try:
        settings = current_settings()
        # A client of its own: rq gives it long time-outs for its blocking reads.
        worker = WORKERS[settings.worker_class](QUEUES, worker_ttl=_TTL, connection=connect(settings))
        worker.work(logging_level="WARNING")
    except RedisError as error:
        _log.warning("Redis is away: %s", type(error).__name__)
        return False
    return worker.shutdown_requested_date is not None


def _stop(_signum: int, _frame: FrameType | None) -> None:
    raise Stopped


if __name__ == "__main__":
    main()
