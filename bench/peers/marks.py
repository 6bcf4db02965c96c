"""The first and the last job of a measured run say when they ran; the jobs between them do nothing."""

from __future__ import annotations

import os
import time

from redis import Redis

KEY = "bench:marks"


def mark() -> None:
    """Note the present time in Redis."""
    with Redis.from_url(os.environ["REDIS_URL"]) as connection:
        connection.rpush(KEY, time.time())


def nothing() -> None:
    """The empty job."""
