"""Counting requests against a limit, in Redis, by a sliding window.

While Redis is away everything is allowed, and Redis is left alone for a few seconds after each failure, so
that a limit never makes requests slow.
"""

from __future__ import annotations

import logging
import math
import time
from dataclasses import dataclass
from hashlib import blake2b

from flask import Flask, current_app
from limits import RateLimitItemPerSecond
from limits.storage import RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from redis.exceptions import RedisError

from app.failures import ServiceFailure
from app.infra.logs import cause_of
from app.infra.queue import guarded, redis_client

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Verdict:
    """Whether a request may pass; ``remaining`` requests more may, ``reset_seconds`` until there are more."""

    allowed: bool
    limit: int
    remaining: int
    reset_seconds: int


class _Limiter:
    """The counters of one application."""

    def __init__(self) -> None:
        storage = RedisStorage("redis://", connection_pool=redis_client().connection_pool)
        self._windows = SlidingWindowCounterRateLimiter(storage)

    def hit(self, bucket: str, limit: int, per_seconds: int) -> Verdict:
        try:
            with guarded():
                return self._count(bucket, limit, per_seconds)
        except RedisError as error:
            _log.warning("Redis is away, nothing is limited: %s", cause_of(error))
            return Verdict(True, limit, limit, per_seconds)

    def _count(self, bucket: str, limit: int, per_seconds: int) -> Verdict:
        item = RateLimitItemPerSecond(limit, per_seconds)
        allowed = self._windows.hit(item, bucket)
        stats = self._windows.get_window_stats(item, bucket)
        reset = max(1, math.ceil(stats.reset_time - time.time()))
        return Verdict(allowed, limit, int(stats.remaining), reset)


def init_app(app: Flask) -> None:
    """Give the application its counters; nothing is connected yet."""
    with app.app_context():
        app.extensions["rate_limit"] = _Limiter()


def hit(bucket: str, limit: int, per_seconds: int) -> Verdict:
    """Count one request in ``bucket``, of which ``limit`` may pass in ``per_seconds`` seconds.

    The bucket's name reaches Redis only as a digest: it may hold an e-mail address.
    """
    limiter: _Limiter = current_app.extensions["rate_limit"]
    return limiter.hit(blake2b(bucket.encode(), digest_size=16).hexdigest(), limit, per_seconds)


def check(bucket: str, limit: int, per_seconds: int) -> Verdict:
    """Count one request as ``hit`` does. Raises RATE_LIMITED with Retry-After when it may not pass."""
    verdict = hit(bucket, limit, per_seconds)
    if not verdict.allowed:
        raise ServiceFailure("RATE_LIMITED", headers={"Retry-After": str(verdict.reset_seconds)})
    return verdict
