"""How the database means to answer what the service asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Engine, event

from app.infra.db import db

Heard = tuple[str, Any]


def plans(act: Callable[[], object], is_meant: Callable[[str], bool]) -> list[str]:
    """The plan of each statement that ``act`` executes and ``is_meant`` accepts; ends the transaction."""
    heard = _heard(act, is_meant)
    db.session.rollback()
    connection = db.session.connection()
    explain = "EXPLAIN QUERY PLAN" if connection.dialect.name == "sqlite" else "EXPLAIN"
    found = []
    for statement, parameters in heard:
        rows = connection.exec_driver_sql(f"{explain} {statement}", parameters)
        found.append("\n".join(str(row[-1]) for row in rows))
    db.session.rollback()
    return found


def _heard(act: Callable[[], object], is_meant: Callable[[str], bool]) -> list[Heard]:
    with listening(db.engine) as heard:
        act()
    return [each for each in heard if is_meant(each[0])]


@contextmanager
def listening(engine: Engine) -> Iterator[list[Heard]]:
    """Yield the statements that are executed until the block ends, with their parameters."""
    heard: list[Heard] = []

    def hear(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if statement != "BEGIN":  # SQLite's own, at each transaction
            heard.append((statement, parameters))

    event.listen(engine, "before_cursor_execute", hear)
    try:
        yield heard
    finally:
        event.remove(engine, "before_cursor_execute", hear)
