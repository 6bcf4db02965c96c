"""The database session, column types, the database's clock, and helpers for statements.

The service that changes something commits, once. On SQLite a transaction takes the write lock when it begins:
one that begins as a reader may fail when it writes. ``reading()`` marks work that only reads.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import islice
from typing import Any, Final, TypeVar

from flask_sqlalchemy import SQLAlchemy
from flask_sqlalchemy.session import Session
from sqlalchemy import (
    JSON,
    BigInteger,
    CursorResult,
    DateTime,
    Dialect,
    Executable,
    Float,
    Integer,
    MetaData,
    Row,
    Select,
    Table,
    case,
    event,
    func,
    literal,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.orm import DeclarativeBase, InstrumentedAttribute, registry
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import ColumnElement
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.types import TypeDecorator

from app.failures import existing
from app.infra import db_engine
from app.infra.db_engine import DATABASE_UNAVAILABLE, milliseconds, sqlite_begin

T = TypeVar("T")
M = TypeVar("M", bound="Base")

_ROWS_AT_ONCE: Final = 500
_AFTER_COMMIT: Final = "after_commit"

NAMING_CONVENTION: Final = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "pk": "pk_%(table_name)s",
}

BigId = BigInteger().with_variant(Integer(), "sqlite")
"""A 64-bit id. SQLite generates ids only for the type INTEGER, which has 64 bits there."""

BigCount = BigId
"""A number that may exceed 32 bits."""
LARGEST_ID: Final = 2**63 - 1

Json = JSON(none_as_null=True)


class UtcDateTime(TypeDecorator[datetime]):
    """An aware UTC time. SQLite stores it as text without a zone, which still sorts by time."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        return None if value is None else value.replace(tzinfo=UTC)

    def result_processor(self, dialect: Dialect, coltype: object) -> Any:
        # PostgreSQL's driver gives aware times in UTC, the zone of each connection (db_engine).
        return super().result_processor(dialect, coltype) if dialect.name == "sqlite" else None


class Base(DeclarativeBase):
    """Parent of every model."""

    registry = registry(
        metadata=MetaData(naming_convention=NAMING_CONVENTION),
        type_annotation_map={datetime: UtcDateTime(), dict[str, Any]: Json, list[Any]: Json},
    )


class _Session(Session):
    """Returns its connection to the pool even when the database has closed it."""

    def close(self) -> None:
        self.info.pop(_AFTER_COMMIT, None)
        try:
            super().close()
        except DATABASE_UNAVAILABLE:
            self.invalidate()


@event.listens_for(_Session, "after_commit")
def _act_after_commit(session: _Session) -> None:
    if not session.in_nested_transaction():
        for action in session.info.pop(_AFTER_COMMIT, ()):
            action()


@event.listens_for(_Session, "after_rollback")
def _forget_actions(session: _Session) -> None:
    session.info.pop(_AFTER_COMMIT, None)


db = SQLAlchemy(model_class=Base, session_options={"class_": _Session})


class _DatabaseNow(FunctionElement[datetime]):
    """The database's clock plus seconds. All processes agree on it, whatever their own clocks show."""

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
    """Return the SQL expression for the later of two times, which works on both databases."""
    return case((first > second, first), else_=second)


class _SecondsBetween(FunctionElement[float]):
    """The seconds from one time to another."""

    name = "seconds_between"
    type = Float()
    inherit_cache = True


@compiles(_SecondsBetween, "sqlite")
def _sqlite_seconds(element: _SecondsBetween, compiler: SQLCompiler, **kw: Any) -> str:
    start, end = (compiler.process(each, **kw) for each in element.clauses)
    return f"((julianday({end}) - julianday({start})) * 86400)"


@compiles(_SecondsBetween, "postgresql")
def _postgresql_seconds(element: _SecondsBetween, compiler: SQLCompiler, **kw: Any) -> str:
    start, end = (compiler.process(each, **kw) for each in element.clauses)
    return f"extract(epoch FROM {end} - {start})"


def seconds_between(start: ColumnElement[Any], end: ColumnElement[Any]) -> ColumnElement[float]:
    """Return the SQL expression for the seconds from one time to another, NULL if either is."""
    return _SecondsBetween(start, end)


@contextmanager
def reading() -> Iterator[None]:
    """Mark the transactions inside as read-only, so that on SQLite they do not wait for the writer."""
    token = sqlite_begin.set("BEGIN")
    try:
        yield
    finally:
        sqlite_begin.reset(token)


def begin_as(*, reader: bool) -> None:
    """Set whether the next transactions of this thread only read."""
    sqlite_begin.set("BEGIN" if reader else "BEGIN IMMEDIATE")


def read_separately(statement: Executable) -> tuple[Any, ...] | None:
    """Return a statement's first row, read on a connection of its own: the session is not touched."""
    with reading(), db.engine.connect() as connection:
        row = connection.execute(statement).first()
    return tuple(row) if row else None


def table_of(model: type[Base]) -> Table:
    """Return the table of a model, for frequent statements: through the model they take twice as long."""
    return model.metadata.tables[model.__tablename__]


def changed_rows(statement: Executable) -> int:
    """Execute a statement in the session and return how many rows it changed."""
    # Without preserve_rowcount psycopg reports -1 for an INSERT.
    options = {"synchronize_session": False, "preserve_rowcount": True}
    result = db.session.execute(statement, execution_options=options)
    return result.rowcount if isinstance(result, CursorResult) else 0


def insert_new(model: type[Base], **values: Any) -> int | None:
    """Insert a row and return its primary key; None when a unique constraint says that it exists already.

    Nothing is committed. If another transaction is inserting the same row, this waits for its end.
    """
    (key,) = model.__table__.primary_key
    statement = own_insert(model).values(**values).on_conflict_do_nothing().returning(key)
    row_id: int | None = db.session.scalar(statement)
    return row_id


def insert_all_new(model: type[Base], rows: Sequence[Mapping[str, Any]]) -> int:
    """Insert those rows that no unique constraint says to exist already; return how many.

    All rows have the same members. Nothing is committed.
    """
    return sum(
        changed_rows(own_insert(model).values(batch).on_conflict_do_nothing())
        for batch in batches(rows, _ROWS_AT_ONCE)
    )


def own_insert(model: type[Base]) -> postgresql.Insert | sqlite.Insert:
    """Return an INSERT with what both databases add to SQL: what to do if a row exists already."""
    return (postgresql.insert if db.engine.dialect.name == "postgresql" else sqlite.insert)(model)


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Yield the items in lists of ``size``, for statements that take a limited number of values."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def in_order(
    statement: Select[*tuple[Any, ...]], id_column: InstrumentedAttribute[int], size: int = 1000
) -> Iterator[Sequence[Row[*tuple[Any, ...]]]]:
    """Yield the rows of a statement in the order of their ids, ``size`` at a time.

    The last value of each row is its id. The caller may commit between two batches.
    """
    last = 0
    while True:
        batch = statement.add_columns(id_column).where(id_column > last).order_by(id_column).limit(size)
        rows = db.session.execute(batch).all()
        yield rows
        if len(rows) < size:
            return
        last = rows[-1][-1]


def row_of_project(model: type[M], row_id: int, project_id: int, code: str) -> M:
    """Return a row of a project. Raises the failure ``code`` if the project has no such row."""
    row: Any = db.session.get(model, row_id)
    found: M | None = row if row is not None and row.project_id == project_id else None
    return existing(found, code)


def page_of(statement: Select[T], page: int, page_size: int) -> tuple[Sequence[T], int]:
    """Return one page of the rows of an ordered statement, and how many rows there are in all."""
    count = statement.with_only_columns(func.count(), maintain_column_froms=True).order_by(None)
    total = db.session.scalar(count) or 0
    offset = (page - 1) * page_size
    rows = statement.offset(offset).limit(page_size)
    return db.session.scalars(rows).all() if offset < total else [], total


def after_commit(action: Callable[[], None]) -> None:
    """Call ``action``, which may not use the session, once the present transaction is committed, if ever."""
    db.session.info.setdefault(_AFTER_COMMIT, []).append(action)


def release() -> None:
    """End the present transaction and return its connection to the pool. Call it before anything slow."""
    db.session.remove()


def extend_lock_timeout() -> None:
    """Let the present transaction wait until PostgreSQL ends a hanging one that has the lock.

    Use it to save work that was expensive to make. It does nothing on SQLite.
    """
    if db.engine.dialect.name == "postgresql":
        timeout = milliseconds(db_engine.LOCK_SECONDS + db_engine.IDLE_SECONDS)
        db.session.execute(text(f"SET LOCAL lock_timeout = {timeout}"))
