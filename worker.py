"""The worker process: runs execution jobs, page reading and periodic tasks with RQ."""

from __future__ import annotations

import gc
import logging
import signal
import time
from contextlib import suppress
from types import FrameType

from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import configure_mappers

from app.content.writing.providers.registry import provider_for
from app.executions import runner
from app.factory import start_app
from app.infra.logs import cause_of
from app.infra.queue import QUEUES, connect
from app.infra.settings import current_settings
from app.jobs import tasks
from app.jobs.inline_worker import InlineWorker
from app.jobs.worker import ForkingWorker, ServiceWorker

WORKERS: dict[str, type[ServiceWorker]] = {"forking": ForkingWorker, "inline": InlineWorker}
_log = logging.getLogger("worker")
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 5.0
"""Seconds between two workers, when one ends because Redis is away."""
# Seconds; rq waits for a task up to 15 less, and a dead connection to Redis is noticed 5 before.
_TTL = 25


class Stopped(Exception):
    """Raised by a signal that comes while no worker is running."""


def main() -> None:
    """Work until told to stop; a lost Redis only makes a pause."""
    with start_app().app_context(), suppress(Stopped):
        configure_mappers()
        _log.info("ready for %s tasks", tasks.__name__)
        _warm_up()
        _load_provider()
        # What exists now stays for ever: children need not look through it again.
        gc.collect()
        gc.freeze()
        pause = FIRST_PAUSE
        while True:
            began = time.monotonic()
            worker = _work()
            for number in (signal.SIGTERM, signal.SIGINT):
                signal.signal(number, _stop)
            if worker is not None and worker.stop_requested:
                return
            lasted = time.monotonic() - began
            pause = FIRST_PAUSE if lasted > LONGEST_PAUSE else min(LONGEST_PAUSE, pause * 2)
            time.sleep(pause)


def _warm_up() -> None:
    try:
        runner.warm_up()
    except SQLAlchemyError as error:
        _log.warning("the database is away: %s", cause_of(error))


def _load_provider() -> None:
    """Load the SDK of the text provider, if there is one, once for all children: it takes a second."""
    provider_for(current_settings())


def _work() -> ServiceWorker | None:
    """Work until something ends it; returns the worker that did, or None when Redis was not even there."""
    settings, worker = current_settings(), None
    try:
        # A client of its own: rq gives it long time-outs for its blocking reads.
        worker = WORKERS[settings.worker_class](QUEUES, worker_ttl=_TTL, connection=connect(settings))
        worker.work(logging_level="WARNING")
    except RedisError as error:
        _log.warning("Redis is away: %s", cause_of(error))
    return worker


def _stop(_signum: int, _frame: FrameType | None) -> None:
    raise Stopped


if __name__ == "__main__":
    main()
