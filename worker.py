"""The worker process: runs execution jobs, page reading and periodic tasks with RQ."""

from __future__ import annotations

import gc
import logging
import signal
import time
from contextlib import suppress
from importlib import import_module
from types import FrameType
from typing import Final

from redis.exceptions import RedisError
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import configure_mappers

from app.content.writing.providers.registry import provider_for
from app.executions import runner
from app.factory import start_app
from app.infra.logs import cause_of
from app.infra.queue import connect
from app.infra.settings import current_settings
from app.jobs import tasks
from app.jobs.inline_worker import InlineWorker
from app.jobs.worker import ForkingWorker, ServiceWorker

WORKERS: dict[str, type[ServiceWorker]] = {"forking": ForkingWorker, "inline": InlineWorker}
LOADED_ONCE: Final = (
    "app.operations.performing.generate_blog_post",
    "app.operations.performing.plan_blog_post",
    "app.operations.performing.refresh_blog_post",
    "app.operations.performing.rewrite_blog_post",
    "app.operations.performing.suggest_titles",
    "app.operations.performing.sync_sitemap",
    "app.publishing.targets.git.local",
    "lxml.html",
    "markdown_it",
    "nh3",
    "PIL.ImageDraw",
    "PIL.ImageFont",
    "PIL.ImageOps",
    "urllib3.connection",
)
"""What jobs import when they run; each child would import it again."""
_log = logging.getLogger("worker")
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 5.0
"""Seconds between two workers, when one ends because Redis is unavailable."""
# Seconds. rq waits for a task 15 seconds less and notices a dead connection to Redis 5 seconds earlier.
_TTL = 25


class Stopped(Exception):
    """Raised by a signal that arrives while no worker is running."""


def main() -> None:
    """Work until SIGTERM or SIGINT; while Redis is unavailable, start again after a pause."""
    with start_app().app_context(), suppress(Stopped):
        configure_mappers()
        _warm_up()
        # Children need not collect again what exists now.
        gc.collect()
        gc.freeze()
        _log.info("ready for %s tasks", tasks.__name__)
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
    """Prepare what the children inherit."""
    for module in LOADED_ONCE:
        import_module(module)
    try:
        runner.warm_up()
    except SQLAlchemyError as error:
        _log.warning("the database is unavailable: %s", cause_of(error))
    provider_for(current_settings())  # loads its SDK once for all children, which takes a second


def _work() -> ServiceWorker | None:
    """Work until the worker ends; return it, or None when it could not connect to Redis."""
    settings, worker = current_settings(), None
    try:
        # Not the shared client: rq sets long time-outs for its blocking reads.
        worker = WORKERS[settings.worker_class](
            settings.worker_queues, worker_ttl=_TTL, connection=connect(settings)
        )
        worker.work(logging_level="WARNING")
    except RedisError as error:
        _log.warning("Redis is unavailable: %s", cause_of(error))
    return worker


def _stop(_signum: int, _frame: FrameType | None) -> None:
    raise Stopped


if __name__ == "__main__":
    main()
