"""Logs: one line an event on stdout, with the request id, for whatever collects them."""

from __future__ import annotations

import logging
import sys
from contextvars import ContextVar

request_id: ContextVar[str] = ContextVar("request_id", default="-")


class _RequestId(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        record.request_id = request_id.get()
        return True


def set_up(level: str) -> None:
    """Send the process's logs to stdout at ``level``; calling it again changes nothing but the level."""
    root = logging.getLogger()
    root.setLevel(level)
    if any(getattr(handler, "is_ours", False) for handler in root.handlers):
        return
    handler = logging.StreamHandler(sys.stdout)
    handler.is_ours = True  # type: ignore[attr-defined]
    handler.addFilter(_RequestId())
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"))
    root.addHandler(handler)
    # The health check asks alembic for the revision; its answer is not news.
    logging.getLogger("alembic.runtime.migration").setLevel(logging.WARNING)
