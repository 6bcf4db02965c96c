"""How many requests there were and how long they took, counted by all web processes together.

A process counts in its memory and adds what is new to Redis every few seconds. So whichever web process is
asked reports the numbers of all, on whatever machine. Redis may lose them: they begin again at 0, as counters
may.
"""

import atexit
import json
import threading
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from flask import Flask, Response, g, request
from redis.exceptions import RedisError

from app.config import Settings
from app.infra import presence
from app.infra.queue import guarded, redis_client

BUCKETS: Final = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
"""Upper bounds of durations, in seconds."""

EVERY: Final = 5.0
"""Seconds between two additions to Redis."""

NO_ROUTE: Final = "(none)"
"""The route of a request that no route matches: paths that clients invent must not become labels."""

_KEY: Final = "request-counts"
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

Labels = tuple[str, ...]


class RequestCounts:
    """The requests of one process that Redis does not know of yet."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._lock = threading.Lock()
        self._new: Counter[Labels] = Counter()
        self._is_reporting = False

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        bucket = next((str(bound) for bound in BUCKETS if seconds <= bound), "+Inf")
        with self._lock:
            self._new["requests", method, route, f"{status // 100}xx"] += 1
            self._new["bucket", method, route, bucket] += 1
            self._new["microseconds", method, route] += round(seconds * 1_000_000)
            starts, self._is_reporting = not self._is_reporting, True
        if starts:
            self._start()

    def add_up(self) -> None:
        """Add what is new to Redis. While Redis is unavailable it is kept. Needs an application context."""
        with self._lock:
            new, self._new = self._new, Counter()
        try:
            with guarded(), redis_client().pipeline(transaction=True) as pipeline:
                for labels, number in new.items():
                    pipeline.hincrby(_KEY, json.dumps(labels), number)
                pipeline.execute()
        except RedisError:
            with self._lock:
                self._new.update(new)

    def _start(self) -> None:
        threading.Thread(target=self._report, name="request-counts", daemon=True).start()
        atexit.register(self._end)

    def _report(self) -> None:
        while True:
            with self._app.app_context():
                presence.report(presence.WEB, presence.own_name())
                self.add_up()
            time.sleep(EVERY)

    def _end(self) -> None:
        with self._app.app_context():
            presence.withdraw(presence.own_name())
            self.add_up()


def init_app(app: Flask, settings: Settings) -> None:
    """Count the requests of an application whose settings want metrics."""
    if settings.metrics_token is None:
        return
    counts = app.extensions["request_counts"] = RequestCounts(app)

    def count(response: Response) -> Response:
        rule = request.url_rule
        method = request.method if request.method in _METHODS else "other"
        route = NO_ROUTE if rule is None else rule.rule
        counts.count(method, route, response.status_code, time.perf_counter() - g.started)
        return response

    app.after_request(count)


def totals(app: Flask) -> Mapping[Labels, int]:
    """Return the counts of all web processes. Raises RedisError."""
    counts: RequestCounts = app.extensions["request_counts"]
    counts.add_up()
    # redis-py types its answers for synchronous and asynchronous clients at once.
    found: Any = redis_client().hgetall(_KEY)
    return {tuple(json.loads(labels)): int(number) for labels, number in found.items()}
