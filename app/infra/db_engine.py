"""Set-up of database connections: transactions, timeouts and the errors of an unavailable database."""

import json
import sqlite3
from contextvars import ContextVar
from typing import Any, Final

import psycopg
from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine, ExceptionContext
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

LOCK_SECONDS: float = 5
"""How long a statement on PostgreSQL waits for a lock before it fails."""

IDLE_SECONDS: float = 30
"""How long a transaction may do nothing before PostgreSQL ends it, because its process hangs or is lost."""

DATABASE_UNAVAILABLE: Final = (OperationalError, InterfaceError, PoolTimeout)
"""The errors of a database that cannot be reached now: no free connection, a lock, a failover."""

_ALSO_UNAVAILABLE: Final = (
    psycopg.errors.ReadOnlySqlTransaction,
    psycopg.errors.IdleInTransactionSessionTimeout,
)

_decode: Final = json.JSONDecoder().raw_decode

sqlite_begin: ContextVar[str] = ContextVar("sqlite_begin", default="BEGIN IMMEDIATE")
"""The statement that begins the next transactions on SQLite; see ``db.reading``."""


def is_locked(error: BaseException) -> bool:
    """Return whether a statement failed because it waited too long for a lock."""
    return isinstance(getattr(error, "orig", None), psycopg.errors.LockNotAvailable)


def milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def stored_json(value: bytes | str) -> Any:
    """Return the document that a JSON column has. PostgreSQL's driver gives bytes, SQLite's a text.

    ``json.loads`` takes twice as long, because it looks for the encoding and for what follows the document.
    """
    return _decode((value if isinstance(value, str) else value.decode()).lstrip())[0]


@event.listens_for(Engine, "connect")
def _prepare_sqlite(connection: Any, _record: Any) -> None:
    if not isinstance(connection, sqlite3.Connection):
        return
    connection.isolation_level = None  # _begin_sqlite begins the transactions, not the driver
    for pragma in ("journal_mode=WAL", "busy_timeout=10000", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


@event.listens_for(Engine, "connect")
def _prepare_postgresql(connection: Any, _record: Any) -> None:
    if not isinstance(connection, psycopg.Connection):
        return
    connection.autocommit = True
    # In another time zone datetime.min and datetime.max fall outside the years that Python supports.
    connection.execute("SET TIME ZONE 'UTC'")
    # A process that hangs in a transaction must not block all others for ever.
    connection.execute(f"SET lock_timeout = {milliseconds(LOCK_SECONDS)}")
    connection.execute(f"SET idle_in_transaction_session_timeout = {milliseconds(IDLE_SECONDS)}")
    connection.autocommit = False


@event.listens_for(Engine, "handle_error")
def _report_unavailable(context: ExceptionContext) -> Exception | None:
    # psycopg reports these as errors of the statement. After a failover the old server is read-only: the
    # connection is dropped, and the next one reaches the new server.
    found = context.sqlalchemy_exception
    if not isinstance(context.original_exception, _ALSO_UNAVAILABLE) or not isinstance(found, DBAPIError):
        return None
    context.is_disconnect = True
    return OperationalError(
        found.statement, found.params, context.original_exception, found.hide_parameters, True
    )


@event.listens_for(Engine, "begin")
def _begin_sqlite(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(sqlite_begin.get())
