"""What sites' robots.txt said within the last hour, known to all workers, so that few rounds ask for it.

Redis keeps the texts, as keys that run out (RFC 9309, 2.4, allows a day); while it is away each round asks.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import timedelta
from typing import Final

from redis.exceptions import RedisError

from app.infra import queue
from app.infra.http.client import PRODUCT
from app.pages.crawling.robots import Robots

KEPT_FOR: Final = timedelta(hours=1)
LONGEST: Final = 64 * 1024
"""Characters of a text that is kept: many sites have room in a small Redis, and hardly any is longer."""


def keep(origin: str, text: str) -> None:
    """Keep what an origin's robots.txt says, an empty text where there is none."""
    if len(text) > LONGEST:
        return
    with suppress(RedisError), queue.guarded():
        queue.redis_client().set(_key(origin), text, ex=KEPT_FOR)


def recall(origin: str) -> Robots | None:
    """Return what an origin's robots.txt said, None when that is not known."""
    try:
        with queue.guarded():
            text = queue.redis_client().get(_key(origin))
    except RedisError:
        return None
    return Robots(text.decode(), PRODUCT) if isinstance(text, bytes) else None


def _key(origin: str) -> str:
    return f"robots:{origin}"
