"""What Google counted for a whole site, week by week."""

from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import select

from app.infra.db import db
from app.search_performance.model import SearchDay


@dataclass
class Week:
    """Seven days from ``first_day`` on."""

    first_day: date
    clicks: int = 0
    impressions: int = 0


def weeks_until(project_id: int, last_day: date, most: int) -> list[Week]:
    """Return up to ``most`` weeks that end on ``last_day``, oldest first; as far as days were counted."""
    begin = last_day - timedelta(days=7 * most - 1)
    rows = db.session.execute(
        select(SearchDay.day, SearchDay.clicks, SearchDay.impressions)
        .where(SearchDay.project_id == project_id, SearchDay.day.between(begin, last_day))
        .order_by(SearchDay.day)
    ).all()
    weeks = [Week(begin + timedelta(days=7 * number)) for number in range(most)]
    for day, clicks, impressions in rows:
        week = weeks[(day - begin).days // 7]
        week.clicks += clicks
        week.impressions += impressions
    first = (rows[0].day - begin).days // 7 if rows else most
    return weeks[first:]
