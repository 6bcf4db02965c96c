"""Rate limits by a sliding window in Redis.

While Redis is away or full, each process counts in its own memory. After a failure Redis is not asked for a
few seconds, so that the limit never slows requests down.
"""

from __future__ import annotations

import ipaddress
import logging
import math
import time
from hashlib import blake2b

from flask import Flask, current_app
from limits import RateLimitItemPerSecond
from limits.storage import RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from redis.exceptions import RedisError

from app.failures import ServiceFailure
from app.infra.local_windows import LocalWindows, Verdict
from app.infra.logs import cause_of
from app.infra.queue import guarded, redis_client

_log = logging.getLogger(__name__)


def init_app(app: Flask) -> None:
    """Set up the application's counters without connecting."""
    with app.app_context():
        storage = RedisStorage("redis://", connection_pool=redis_client().connection_pool)
        app.extensions["rate_limit"] = SlidingWindowCounterRateLimiter(storage)
    app.extensions["local_windows"] = LocalWindows()


def network_of(address: str | None) -> str:
    """Return what one client may send from: an IPv4 address, or the /64 of an IPv6 address.

    Whoever has one IPv6 address usually has its whole /64, so single ones would be no limit.
    """
    try:
        ip = ipaddress.ip_address(address or "")
    except ValueError:
        return str(address)
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is None:
        return str(ipaddress.ip_network((ip, 64), strict=False))
    return str(getattr(ip, "ipv4_mapped", None) or ip)


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
        _log.warning("Redis is unavailable, this process counts by itself: %s", cause_of(error))
        local: LocalWindows = current_app.extensions["local_windows"]
        return local.hit(name, limit, per_seconds, time.time())
    reset = max(1, math.ceil(stats.reset_time - time.time()))
    return Verdict(allowed, limit, int(stats.remaining), reset)


def check(bucket: str, limit: int, per_seconds: int) -> Verdict:
    """Count one request as ``hit`` does. Raises RATE_LIMITED with Retry-After if it is over the limit."""
    verdict = hit(bucket, limit, per_seconds)
    if not verdict.allowed:
        raise ServiceFailure("RATE_LIMITED", headers={"Retry-After": str(verdict.reset_seconds)})
    return verdict
