"""Time for rate limits that are counted in Redis."""

from __future__ import annotations

from typing import cast

from flask import Flask

from app.infra.queue import redis_client


def let_windows_pass(app: Flask, seconds: int) -> None:
    """Let every window of so many seconds be over."""
    with app.app_context():
        for key in cast("list[bytes]", redis_client().keys(f"limit:*:{seconds}:*")):
            redis_client().hincrbyfloat(key.decode(), "began", -2 * seconds)
