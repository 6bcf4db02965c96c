"""Rate limits by a sliding window in Redis.

While Redis is unavailable or full, each process counts in its own memory. After a failure Redis is not asked
for a few seconds, so that the limit never slows requests down.
"""

import ipaddress
import logging
import time
from hashlib import blake2b
from typing import Final

from flask import Flask, current_app
from redis.commands.core import Script
from redis.exceptions import RedisError

from app.failures import ServiceFailure
from app.infra.local_windows import LocalWindows, Verdict
from app.infra.logs import cause_of
from app.infra.queue import guarded

_log = logging.getLogger(__name__)


HIT: Final = """
local limit, seconds = tonumber(ARGV[1]), tonumber(ARGV[2])
local time = redis.call('TIME')
local now = time[1] + time[2] / 1000000
local seen = redis.call('HMGET', KEYS[1], 'began', 'former', 'present')
local began, former, present = tonumber(seen[1]) or now, tonumber(seen[2]) or 0, tonumber(seen[3]) or 0
local passed = math.floor((now - began) / seconds)
if passed > 0 then
    began, former, present = began + passed * seconds, passed == 1 and present or 0, 0
end
local left = began + seconds - now
local used = math.floor(former * left / seconds) + present
if used < limit then
    redis.call('HSET', KEYS[1], 'began', began, 'former', former, 'present', present + 1)
    redis.call('EXPIRE', KEYS[1], 2 * seconds)
end
local wait = former > 0 and left % (seconds / former) or left
return {used, math.ceil(wait)}
"""
"""``LocalWindows.hit``, for Redis: returns how many requests were counted before, and the seconds to wait."""


def init_app(app: Flask) -> None:
    """Set up the application's counters without connecting."""
    app.extensions["rate_limit"] = app.extensions["redis"].register_script(HIT)
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
    count: Script = current_app.extensions["rate_limit"]
    name = blake2b(bucket.encode(), digest_size=16).hexdigest()
    try:
        with guarded():
            used, wait = count(keys=[f"limit:{limit}:{per_seconds}:{name}"], args=[limit, per_seconds])
    except RedisError as error:
        _log.warning("Redis is unavailable, this process counts by itself: %s", cause_of(error))
        local: LocalWindows = current_app.extensions["local_windows"]
        return local.hit(name, limit, per_seconds, time.time())
    return Verdict(used < limit, limit, max(0, limit - used - 1), max(1, wait))


def check(bucket: str, limit: int, per_seconds: int) -> Verdict:
    """Count one request as ``hit`` does. Raises RATE_LIMITED with Retry-After if it is over the limit."""
    verdict = hit(bucket, limit, per_seconds)
    if not verdict.allowed:
        raise ServiceFailure("RATE_LIMITED", headers={"Retry-After": str(verdict.reset_seconds)})
    return verdict
