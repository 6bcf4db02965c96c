"""Rate limits by a sliding window in Redis.

While Redis is unavailable everything is allowed. After a failure Redis is not asked for a few seconds, so
that the limit never slows requests down.
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
    """Whether a request is allowed; ``remaining`` more are, until the limit renews in ``reset_seconds``."""

    allowed: bool
    limit: int
    remaining: int
    reset_seconds: int


def init_app(app: Flask) -> None:
    """Set up the application's counters without connecting."""
    with app.app_context():
        storage = RedisStorage("redis://", connection_pool=redis_client().connection_pool)
        app.extensions["rate_limit"] = SlidingWindowCounterRateLimiter(storage)


def hit(bucket: str, limit: int, per_seconds: int) -> Verdict:
    """Count one request in ``bucket``, which allows ``limit`` requests in ``per_seconds`` seconds.

    Redis gets only a digest of the bucket's name, which may contain an e-mail address.
    """
    windows: SlidingWindowCounterRateLimiter = current_app.extensions["rate_limit"]
    item = RateLimitItemPerSecond(limit, per_seconds)
    name = blake2b(bucket.encode(), digest_size=16).hexdigest()
    try:
        with guarded():
            allowed = windows.hit(item, name)
            stats = windows.get_window_stats(item, name)
    except RedisError as error:
        _log.warning("Redis is unavailable, no rate limit applies: %s", cause_of(error))
        return Verdict(True, limit, limit, per_seconds)
    reset = max(1, math.ceil(stats.reset_time - time.time()))
    return Verdict(allowed, limit, int(stats.remaining), reset)


def check(bucket: str, limit: int, per_seconds: int) -> Verdict:
    """Count one request as ``hit`` does. Raises RATE_LIMITED with Retry-After if it is over the limit."""
    verdict = hit(bucket, limit, per_seconds)
    if not verdict.allowed:
        raise ServiceFailure("RATE_LIMITED", headers={"Retry-After": str(verdict.reset_seconds)})
    return verdict
