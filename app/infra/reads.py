"""How a request that only reads ends its transaction."""

from contextlib import suppress
from typing import Final

from sqlalchemy import event
from sqlalchemy.exc import PendingRollbackError
from sqlalchemy.orm import Session

from app.infra.db import db
from app.infra.db_engine import DATABASE_UNAVAILABLE, sqlite_begin

_CHANGED: Final = "changed"


def end_reading() -> None:
    """Commit the transaction of a reader that has changed nothing.

    It would be rolled back otherwise, and with that psycopg forgets which statements it has prepared: the
    database would parse and plan each one anew. If the commit fails, the session's end still rolls back.
    """
    if sqlite_begin.get() != "BEGIN" or not db.session.registry.has() or _CHANGED in db.session.info:
        return
    with suppress(PendingRollbackError, *DATABASE_UNAVAILABLE):
        db.session.connection().commit()


@event.listens_for(db.session, "after_flush")
def _note_changes(session: Session, _context: object) -> None:
    session.info[_CHANGED] = True
