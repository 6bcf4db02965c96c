"""Logs: one line per event on stdout, with the request id."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

_NO_REQUEST: Final = "-"
request_id: ContextVar[str] = ContextVar("request_id", default=_NO_REQUEST)

_URL: Final = re.compile(r"\S+://\S+")
_LONGEST_CAUSE: Final = 300


class _RequestId(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        return True


class _Handler(logging.StreamHandler):  # type: ignore[type-arg]
    """The one handler of this module."""


def set_up(level: str) -> None:
    """Send the process's logs to stdout at ``level``. A second call only changes the level."""
    root = logging.getLogger()
    root.setLevel(level)
    if _handlers():
        return
    handler = _Handler(sys.stdout)
    handler.addFilter(_RequestId())
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"))
    root.addHandler(handler)
    # The health check asks alembic for the revision, which alembic logs each time.
    logging.getLogger("alembic.runtime.migration").setLevel(logging.WARNING)


def cause_of(error: BaseException) -> str:
    """Return an error's message in one line, without URLs, which may contain a password.

    For an error of SQLAlchemy it is the driver's message: SQLAlchemy's has the statement and its values too.
    """
    message = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {_URL.sub('(address)', message)[:_LONGEST_CAUSE]}"


@contextmanager
def on_behalf_of(request: str | None) -> Iterator[None]:
    """Log the lines inside with the id of the request that caused the work, if there is one."""
    token = request_id.set(request or _NO_REQUEST)
    try:
        yield
    finally:
        request_id.reset(token)


@contextmanager
def on_stderr() -> Iterator[None]:
    """Send the logs inside to stderr, because a command's stdout is its result."""
    streams = [(handler, handler.stream) for handler in _handlers()]
    for handler, _stream in streams:
        handler.setStream(sys.stderr)
    try:
        yield
    finally:
        for handler, stream in streams:
            handler.setStream(stream)


def _handlers() -> list[_Handler]:
    return [handler for handler in logging.getLogger().handlers if isinstance(handler, _Handler)]
