"""How the database means to answer what the service asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlalchemy import event

from app.infra.db import db


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


def _heard(act: Callable[[], object], is_meant: Callable[[str], bool]) -> list[tuple[str, Any]]:
    heard: list[tuple[str, Any]] = []

    def hear(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        if is_meant(statement):
            heard.append((statement, parameters))

    event.listen(db.engine, "before_cursor_execute", hear)
    try:
        act()
    finally:
        event.remove(db.engine, "before_cursor_execute", hear)
    return heard
