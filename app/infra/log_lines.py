"""How an event of the log becomes one line: as text for people, or as JSON for a log server."""

import json
import logging
import re
import traceback
from copy import copy
from datetime import UTC, datetime
from typing import Any, Final

from redis.exceptions import RedisError
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

NO_REQUEST: Final = "-"
"""The request id of what no request caused."""

FACTS: Final = "facts"
"""The attribute of a record with more members for its line of JSON."""

_URL: Final = re.compile(r"\S+://\S+")
_LONGEST_CAUSE: Final = 300
_AWAY: Final = (OperationalError, InterfaceError, PoolTimeout, RedisError)
_TEXT: Final = "%(asctime)s %(levelname)s %(name)s [%(request_id)s] %(message)s"


def cause_of(error: BaseException) -> str:
    """Return an error's message in one line, without URLs, which may contain a password.

    For an error of SQLAlchemy it is the driver's message: SQLAlchemy's has the statement and its values too.
    """
    message = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
    return f"{type(error).__name__}: {_URL.sub('(address)', message)[:_LONGEST_CAUSE]}"


class TextFormatter(logging.Formatter):
    """A line of text; an unforeseen error is followed by its traceback.

    Of a database or a Redis that is unavailable only the cause is written: where it was called says nothing.
    """

    def __init__(self) -> None:
        super().__init__(_TEXT)

    def format(self, record: logging.LogRecord) -> str:
        away = unavailable_server(record.exc_info)
        if away is None:
            return super().format(record)
        shown = copy(record)
        shown.msg, shown.args = f"{record.getMessage()}: {cause_of(away)}", None
        shown.exc_info = shown.exc_text = None
        return super().format(shown)


class JsonFormatter(logging.Formatter):
    """A line with one JSON object: time, level, logger, message; if known, request id, facts and error."""

    def format(self, record: logging.LogRecord) -> str:
        members: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        request = getattr(record, "request_id", NO_REQUEST)
        if request != NO_REQUEST:
            members["request_id"] = request
        members |= getattr(record, FACTS, {})
        if record.exc_info and record.exc_info[1] is not None:
            members["error"] = cause_of(record.exc_info[1])
            if unavailable_server(record.exc_info) is None:
                members["traceback"] = "".join(traceback.format_exception(*record.exc_info))
        return json.dumps(members, ensure_ascii=False, default=str)


FORMATTERS: Final[dict[str, type[logging.Formatter]]] = {"text": TextFormatter, "json": JsonFormatter}


def unavailable_server(exc_info: Any) -> BaseException | None:
    """Return the error of an event, as in ``sys.exc_info``, if the database or Redis is unavailable."""
    error = exc_info[1] if exc_info else None
    return error if isinstance(error, _AWAY) else None
