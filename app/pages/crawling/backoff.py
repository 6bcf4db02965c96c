"""Sites that asked to be left alone, and until when: known to all workers, whichever project they read for.

Nothing is committed here.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.dialects import postgresql, sqlite

from app.infra.clock import utc_now
from app.infra.db import db, later_of
from app.pages.model import RestingSite


def leave_alone(origin: str, until: datetime) -> None:
    """Remember that nothing is to be read from a site; the longer of two rests counts."""
    insert = postgresql.insert if db.engine.dialect.name == "postgresql" else sqlite.insert
    added = insert(RestingSite).values(origin=origin, until=until)
    later = later_of(added.excluded.until, RestingSite.__table__.c.until)
    db.session.execute(added.on_conflict_do_update(index_elements=["origin"], set_={"until": later}))


def rests_of(origins: Iterable[str]) -> dict[str, datetime]:
    """Return until when each of these sites rests; those that do not are left out."""
    rows = db.session.execute(
        select(RestingSite.origin, RestingSite.until).where(
            RestingSite.origin.in_(set(origins)), RestingSite.until > utc_now()
        )
    )
    return {row.origin: row.until for row in rows}


def forget_past_rests() -> None:
    """Forget the sites that may be asked again."""
    db.session.execute(delete(RestingSite).where(RestingSite.until <= utc_now()))
