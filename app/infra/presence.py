"""Which processes are alive, and how many database connections each has in use.

Each process reports to Redis every few seconds, because most have no port of their own. So any of them can
report on all. A process that is killed is forgotten when its last report expires.
"""

import json
import os
import socket
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from redis.exceptions import RedisError

from app.infra.db import db
from app.infra.queue import guarded, redis_client
from app.infra.settings import current_settings

WEB: Final = "web"
WORKER: Final = "worker"
SCHEDULER: Final = "scheduler"
KINDS: Final = (WEB, WORKER, SCHEDULER)

VALID_FOR: Final = 30.0
"""Seconds for which what a process says is valid, unless it says otherwise."""

_KEY: Final = "processes"


@dataclass(frozen=True)
class Process:
    """A process that is alive: its kind, its name and its database connections."""

    kind: str
    name: str
    connections_in_use: int
    connections_at_most: int


def own_name() -> str:
    """Return a name of this process that no other one has."""
    return f"{socket.gethostname()}-{os.getpid()}"


def report(kind: str, name: str, valid_for: float = VALID_FOR) -> None:
    """Say that a process is alive, if Redis is there."""
    said = {
        "kind": kind,
        "until": time.time() + valid_for,
        "in_use": _connections_in_use(),
        "at_most": current_settings().database_pool_size,
    }
    with suppress(RedisError), guarded():
        redis_client().hset(_KEY, name, json.dumps(said))


def withdraw(name: str) -> None:
    """Say that a process ends, if Redis is there."""
    with suppress(RedisError), guarded():
        redis_client().hdel(_KEY, name)


def alive() -> list[Process]:
    """Return the processes that are alive. Raises RedisError."""
    now = time.time()
    # redis-py types its answers for synchronous and asynchronous clients at once.
    entries: Any = redis_client().hgetall(_KEY)
    said = {field.decode(): json.loads(value) for field, value in entries.items()}
    over = [name for name, each in said.items() if each["until"] < now]
    if over:
        redis_client().hdel(_KEY, *over)
    return [
        Process(each["kind"], name, each["in_use"], each["at_most"])
        for name, each in sorted(said.items())
        if name not in over
    ]


def _connections_in_use() -> int:
    checked_out = getattr(db.engine.pool, "checkedout", None)
    return int(checked_out()) if checked_out is not None else 0
