"""Doing the same thing from many threads at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from flask import Flask

from app.infra.db import db
from tests.support.waiting import PATIENCE

T = TypeVar("T")


def together(app: Flask, act: Callable[[], T], times: int) -> list[T]:
    """Call ``act`` in ``times`` threads at once, each with its own context; return what they returned."""
    start = threading.Barrier(times)

    def one(_number: int) -> T:
        with app.app_context():
            start.wait(PATIENCE)
            return act()

    # The caller's own transaction would hold back the others on SQLite.
    db.session.commit()
    with ThreadPoolExecutor(times) as pool:
        return list(pool.map(one, range(times)))
