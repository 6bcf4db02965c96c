"""Deletes rows whose time is over."""

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import delete, inspect, select
from sqlalchemy.orm import InstrumentedAttribute

from app.infra.clock import utc_now
from app.infra.db import changed_rows, db

AT_ONCE: Final = 5_000


def delete_older(moment: InstrumentedAttribute[datetime], kept: timedelta) -> int:
    """Delete the rows whose ``moment`` is longer ago than ``kept``, the oldest first, and commit.

    Returns how many, AT_ONCE at most. Run it periodically.
    """
    model = moment.class_
    (key,) = inspect(model).primary_key
    old = select(key).where(moment < utc_now() - kept).order_by(moment).limit(AT_ONCE)
    deleted = changed_rows(delete(model).where(key.in_(old)))
    db.session.commit()
    return deleted
