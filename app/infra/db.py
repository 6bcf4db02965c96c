"""The database: its session, the column types of the house, and its clock.

The service that changes something commits, once. On SQLite a transaction takes the write lock at its start,
so that it never fails half way for having begun as a reader; ``reading()`` marks work that only reads.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

import psycopg
from flask_sqlalchemy import SQLAlchemy
from flask_sqlalchemy.session import Session
from sqlalchemy import (
    JSON,
    BigInteger,
    CursorResult,
    DateTime,
    Dialect,
    Executable,
    Integer,
    MetaData,
    case,
    event,
    literal,
    text,
)
from sqlalchemy.engine import Connection, Engine, ExceptionContext
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import DeclarativeBase, registry
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import ColumnElement
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

OVERFLOW: Final = 2
"""Connections that a process may open in a rush, beyond DATABASE_POOL_SIZE."""

LOCK_SECONDS: float = 5
"""How long a statement waits on PostgreSQL for what somebody else holds; then the database counts as away."""

IDLE_SECONDS: float = 30
"""How long a transaction may do nothing before PostgreSQL ends it: who began it is frozen or lost."""

NAMES: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}

BigId = BigInteger().with_variant(Integer(), "sqlite")
"""A 64-bit id; SQLite numbers rows by itself only for its INTEGER."""

BigCount = BigId
"""A number that outgrows 32 bits; SQLite's INTEGER holds 64."""

LARGEST_ID: Final = 2**63 - 1
"""The largest id that a row can have."""

Json = JSON(none_as_null=True)


class UtcDateTime(TypeDecorator[datetime]):
    """An aware UTC time. SQLite keeps it as text without a zone, which still sorts as time."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


DATABASE_AWAY: Final = (OperationalError, InterfaceError, PoolTimeout)
"""What is raised when the database cannot be asked, or not now: no connection is free, a lock, a failover."""

_AWAY_TOO: Final = (psycopg.errors.ReadOnlySqlTransaction, psycopg.errors.IdleInTransactionSessionTimeout)


class Base(DeclarativeBase):
    """Parent of every model."""

    registry = registry(
        metadata=MetaData(naming_convention=NAMES),
        type_annotation_map={datetime: UtcDateTime(), dict[str, Any]: Json, list[Any]: Json},
    )


class _Session(Session):
    """Gives a connection back also when the database has cut it: its transaction is over anyway."""

    def close(self) -> None:
        try:
            super().close()
        except DATABASE_AWAY:
            self.invalidate()


db = SQLAlchemy(model_class=Base, session_options={"class_": _Session})


class _DatabaseNow(FunctionElement[datetime]):
    """The database's clock plus seconds: every process agrees on it, whatever its own clock says."""

    name = "database_now"
    type = UtcDateTime()
    inherit_cache = True


@compiles(_DatabaseNow, "sqlite")
def _sqlite_now(element: _DatabaseNow, compiler: SQLCompiler, **kw: Any) -> str:
    seconds = compiler.process(element.clauses, **kw)
    return f"strftime('%Y-%m-%d %H:%M:%f000', 'now', ({seconds}) || ' seconds')"


@compiles(_DatabaseNow, "postgresql")
def _postgresql_now(element: _DatabaseNow, compiler: SQLCompiler, **kw: Any) -> str:
    seconds = compiler.process(element.clauses, **kw)
    return f"(clock_timestamp() + make_interval(secs => {seconds}))"


def database_now(seconds: float = 0) -> ColumnElement[datetime]:
    """Return the SQL expression for the database's present time plus ``seconds`` (may be negative)."""
    return _DatabaseNow(literal(float(seconds)))


def later_of(first: ColumnElement[Any], second: ColumnElement[Any]) -> ColumnElement[datetime]:
    """Return the SQL expression for the later of two times; both databases spell ``max`` differently."""
    return case((first > second, first), else_=second)


_begin: ContextVar[str] = ContextVar("sqlite_begin", default="BEGIN IMMEDIATE")


@contextmanager
def reading() -> Iterator[None]:
    """Mark the work inside as reading only: SQLite readers then never wait for the writer."""
    token = _begin.set("BEGIN")
    try:
        yield
    finally:
        _begin.reset(token)


def begin_as(*, reader: bool) -> None:
    """Say once for the present thread whether its next transactions only read."""
    _begin.set("BEGIN" if reader else "BEGIN IMMEDIATE")


def read_apart(statement: Executable) -> tuple[Any, ...] | None:
    """Return a statement's first row, read in a moment of its own: what the session holds stays as it is."""
    with reading(), db.engine.connect() as connection:
        row = connection.execute(statement).first()
    return tuple(row) if row else None


def changed_rows(statement: Executable) -> int:
    """Execute a statement in the session and return how many rows it changed."""
    # Without preserve_rowcount PostgreSQL's driver has forgotten the count of an INSERT by then: -1.
    options = {"synchronize_session": False, "preserve_rowcount": True}
    result = db.session.execute(statement, execution_options=options)
    return result.rowcount if isinstance(result, CursorResult) else 0


def release() -> None:
    """End the present transaction and give its connection back, before anything slow."""
    db.session.remove()


def extend_lock_timeout() -> None:
    """Let the present transaction wait for locks until somebody frozen who holds them has lost them.

    For work that was paid for; on SQLite nothing is begun and nothing changes.
    """
    if db.engine.dialect.name == "postgresql":
        patience = _milliseconds(LOCK_SECONDS + IDLE_SECONDS)
        db.session.execute(text(f"SET LOCAL lock_timeout = {patience}"))


def is_locked(error: BaseException) -> bool:
    """Whether a statement failed for a lock that somebody held for too long; others need not fail with it."""
    return isinstance(getattr(error, "orig", None), psycopg.errors.LockNotAvailable)


def _milliseconds(seconds: float) -> int:
    return round(seconds * 1000)


def leave_no_file_open() -> None:
    """Prepare this process to be forked: a child must inherit no open SQLite file (sqlite.org/howtocorrupt).

    PostgreSQL's connections stay: the child forgets them and its parent goes on using them.
    """
    release()
    if db.engine.dialect.name == "sqlite":
        db.engine.dispose()


def forget_connections() -> None:
    """Begin a forked child: it uses no connection of its parent and closes none."""
    db.engine.dispose(close=False)


@event.listens_for(Engine, "connect")
def _prepare_sqlite(connection: Any, _record: Any) -> None:
    if not isinstance(connection, sqlite3.Connection):
        return
    # The driver would begin transactions by its own rules; _begin_sqlite does it by ours.
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "busy_timeout=10000", "synchronous=NORMAL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


@event.listens_for(Engine, "connect")
def _prepare_postgresql(connection: Any, _record: Any) -> None:
    if not isinstance(connection, psycopg.Connection):
        return
    # In another zone the first and the last day of the calendar would be years that Python does not know.
    connection.autocommit = True
    connection.execute("SET TIME ZONE 'UTC'")
    # A process that is frozen amid a transaction must not stop all others for ever.
    connection.execute(f"SET lock_timeout = {_milliseconds(LOCK_SECONDS)}")
    connection.execute(f"SET idle_in_transaction_session_timeout = {_milliseconds(IDLE_SECONDS)}")
    connection.autocommit = False


@event.listens_for(Engine, "handle_error")
def _tell_away(context: ExceptionContext) -> Exception | None:
    # The driver counts them as mistakes of ours. Who may only be read is left: there is another to write to.
    found = context.sqlalchemy_exception
    if not isinstance(context.original_exception, _AWAY_TOO) or not isinstance(found, DBAPIError):
        return None
    context.is_disconnect = True
    return OperationalError(
        found.statement, found.params, context.original_exception, found.hide_parameters, True
    )


@event.listens_for(Engine, "begin")
def _begin_sqlite(connection: Connection) -> None:
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql(_begin.get())
