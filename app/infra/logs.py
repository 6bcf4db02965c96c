"""Logs: one line per event on stdout, with the request id."""

import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import TracebackType

from app.infra.log_lines import FORMATTERS, NO_REQUEST
from app.infra.log_lines import cause_of as cause_of

request_id: ContextVar[str] = ContextVar("request_id", default=NO_REQUEST)

_log = logging.getLogger(__name__)


class _RequestId(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        return True


class _Handler(logging.StreamHandler):  # type: ignore[type-arg]
    """The one handler of this module."""


def set_up(level: str, form: str = "text") -> None:
    """Send the process's logs to stdout at ``level``, as ``text`` or ``json``, unhandled errors included.

    A second call only changes level and form.
    """
    root = logging.getLogger()
    root.setLevel(level)
    if not _handlers():
        _add_handler(root)
    for handler in _handlers():
        handler.setFormatter(FORMATTERS[form]())


def _add_handler(root: logging.Logger) -> None:
    handler = _Handler(sys.stdout)
    handler.addFilter(_RequestId())
    root.addHandler(handler)
    # Alembic logs at each upgrade which kind of database it has found.
    logging.getLogger("alembic.runtime").setLevel(logging.WARNING)
    sys.excepthook = _log_unhandled
    threading.excepthook = _log_unhandled_in_thread


def _log_unhandled(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)
        return
    with on_stderr():
        _log.critical("The process ends with an error", exc_info=(kind, error, trace))


def _log_unhandled_in_thread(found: threading.ExceptHookArgs) -> None:
    if found.exc_value is None or isinstance(found.exc_value, SystemExit):
        return
    name = found.thread.name if found.thread is not None else "unknown"
    _log.error("The thread %s ends with an error", name, exc_info=found.exc_value)


@contextmanager
def on_behalf_of(request: str | None) -> Iterator[None]:
    """Log the lines inside with the id of the request that caused the work, if there is one."""
    token = request_id.set(request or NO_REQUEST)
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
