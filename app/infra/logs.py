"""Logs: one line an event on stdout, with the request id, for whatever collects them."""

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

_ADDRESS: Final = re.compile(r"\S+://\S+")
_LONGEST_CAUSE: Final = 300


class _RequestId(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        return True


class _Handler(logging.StreamHandler):  # type: ignore[type-arg]
    """The one handler of this module."""


def set_up(level: str) -> None:
    """Send the process's logs to stdout at ``level``; calling it again changes nothing but the level."""
    root = logging.getLogger()
    root.setLevel(level)
    if _ours():
        return
    handler = _Handler(sys.stdout)
    handler.addFilter(_RequestId())
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"))
    root.addHandler(handler)
    # The health check asks alembic for the revision; its answer is not news.
    logging.getLogger("alembic.runtime.migration").setLevel(logging.WARNING)


def cause_of(error: BaseException) -> str:
    """Return what a driver said went wrong, in one line; addresses are left out, as they may hold a password.

    Of SQLAlchemy's errors it is the driver's own that is told: SQLAlchemy's tells statement and values too.
    """
    told = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {_ADDRESS.sub('(address)', told)[:_LONGEST_CAUSE]}"


@contextmanager
def on_behalf_of(request: str | None) -> Iterator[None]:
    """Write the id of the request that asked for it, if one did, beside what is logged meanwhile."""
    token = request_id.set(request or _NO_REQUEST)
    try:
        yield
    finally:
        request_id.reset(token)


@contextmanager
def on_stderr() -> Iterator[None]:
    """Send the logs to stderr meanwhile: a command's stdout is its answer."""
    streams = [(handler, handler.stream) for handler in _ours()]
    for handler, _stream in streams:
        handler.setStream(sys.stderr)
    try:
        yield
    finally:
        for handler, stream in streams:
            handler.setStream(stream)


def _ours() -> list[_Handler]:
    return [handler for handler in logging.getLogger().handlers if isinstance(handler, _Handler)]
