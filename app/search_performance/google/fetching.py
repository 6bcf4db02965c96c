"""What is fetched from Google Search Console: the days, and the searches and pages of two periods.

The periods are the latest 28 days with final figures and the 28 days before, so that both can be compared.
Each period is stored as soon as it is complete, and shown once both are: a job that was interrupted goes on
with the period that is missing. A new fetch takes the place of the last one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import date, timedelta
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from sqlalchemy import Select, delete, func, select, update

from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import changed_rows, db, insert_all_new, release
from app.search_performance.google.api import Dimension, SearchConsole
from app.search_performance.model import SHOWN, SearchConnection, SearchDay, SearchImport
from app.search_performance.reading import Kind, Measured, checked_subject
from app.search_performance.storing import add_in_pieces, count_rows, delete_in_pieces

DAYS: Final = 28
MOST_ROWS: Final = 50_000
"""The most rows of a list. Google has no more for a day."""

HISTORY: Final = timedelta(days=480)
"""How far back days are fetched; Google keeps them for 16 months."""

_FINAL_AFTER: Final = timedelta(days=3)
_DAYS_AGAIN: Final = timedelta(days=10)
_STAGED_FOR: Final = timedelta(days=1)
_GOOGLES_ZONE: Final = ZoneInfo("America/Los_Angeles")
_DIMENSIONS: Final[Mapping[Kind, Dimension]] = {"queries": "query", "pages": "page"}
_USUAL_INTERVAL: Final = timedelta(days=1)
_FIRST_RETRY: Final = timedelta(hours=1)

Days = Mapping[date, Measured]


class Period(NamedTuple):
    """Some days, both included."""

    first_day: date
    last_day: date


class Site(NamedTuple):
    """What is fetched: the results of the property ``site_url`` for a project."""

    project_id: int
    project_url: str
    site_url: str


def fetch_days(console: SearchConsole, site_url: str, last_known: date | None) -> Days:
    """Return what Google counted on each day, from ``last_known`` on or else as far back as it goes.

    The days before ``last_known`` are fetched again. Raises a SEARCH_CONSOLE_… failure.
    """
    today = _today()
    first = today - HISTORY if last_known is None else last_known - _DAYS_AGAIN
    rows = console.rows(site_url, "date", first, today, most=HISTORY.days + 1)
    found: dict[date, Measured] = {}
    for text, measured in rows:
        try:
            found[date.fromisoformat(text)] = measured
        except ValueError:
            continue
    return found


def periods_until(days: Days, last_known: date | None) -> list[Period]:
    """Return the periods to fetch, the latest first; none if Google has counted nothing yet."""
    if not days and last_known is None:
        return []
    last = max([*days, _today() - _FINAL_AFTER])
    return [Period(end - timedelta(days=DAYS - 1), end) for end in (last, last - timedelta(days=DAYS))]


def missing_periods(site: Site, periods: Sequence[Period]) -> list[Period]:
    """Return the periods that an interrupted job has not stored completely; commits.

    What was replaced, and what was stored for other periods, too long ago or in part, is deleted.
    """
    hidden = db.session.execute(
        select(
            SearchImport.id,
            SearchImport.first_day,
            SearchImport.last_day,
            SearchImport.origin,
            SearchImport.source,
            SearchImport.created_at,
        ).where(SearchImport.project_id == site.project_id, SearchImport.origin.not_in(SHOWN))
    ).all()
    kept = set()
    for row in hidden:
        period = Period(row.first_day, row.last_day)
        is_recent = row.created_at > utc_now() - _STAGED_FOR
        if row.origin == "read" and row.source == site.site_url and is_recent and period in periods:
            kept.add(period)
        else:
            delete_in_pieces(row.id)
    db.session.commit()
    return [period for period in periods if period not in kept]


def begin_period(site: Site, period: Period) -> int:
    """Return the id of a new import for a period, which is not shown yet; commits."""
    row = SearchImport(project_id=site.project_id, **period._asdict(), origin="reading", source=site.site_url)
    db.session.add(row)
    db.session.commit()
    return row.id


def fetch_list(console: SearchConsole, site: Site, period: Period, kind: Kind, import_id: int) -> None:
    """Fetch the searches or the pages of a period and store them; commits.

    Spellings of one address are added up. Pages of other sites, and searches that are too long, are left out.
    Raises a SEARCH_CONSOLE_… failure.
    """
    release()
    found: dict[str, Measured] = {}
    for text, measured in console.rows(site.site_url, _DIMENSIONS[kind], *period, most=MOST_ROWS):
        subject, problem = checked_subject(text, kind, site.project_url)
        if problem is not None or "\x00" in subject:
            continue
        if subject in found:
            found[subject].add(measured)
        else:
            found[subject] = measured
    add_in_pieces(import_id, kind, found)


def end_period(import_id: int) -> None:
    """Mark a period as complete; commits."""
    row = db.session.get_one(SearchImport, import_id)
    count_rows(row)
    row.origin = "read"
    db.session.commit()


def show_fetched(site: Site, periods: Sequence[Period], days: Days) -> dict[str, Any]:
    """Show what was fetched in place of the last fetch, and return it in numbers. Nothing is committed.

    Raises SEARCH_CONSOLE_NOT_CONNECTED if the site is not the chosen one any more.
    """
    connection = db.session.scalar(
        select(SearchConnection).where(SearchConnection.project_id == site.project_id).with_for_update()
    )
    if connection is None or connection.site_url != site.site_url:
        raise ServiceFailure("SEARCH_CONSOLE_NOT_CONNECTED", "The connection was changed during the fetch.")
    if periods:
        _swap(site.project_id)
        connection.last_day = periods[0].last_day
    _replace_days(site.project_id, days)
    _count_days(site.project_id)
    connection.fetched_at, connection.failure = utc_now(), None
    connection.next_fetch_at = utc_now() + _USUAL_INTERVAL
    return {"site_url": site.site_url, "days": len(days), **_numbers(site.project_id)}


def record_failure(connection: SearchConnection, failure: Mapping[str, Any]) -> None:
    """Record why a fetch failed, and when the next one is due. Nothing is committed.

    A withdrawn permission waits for a person. Anything else is tried again: the first time after an hour, if
    that may help, and then once a day.
    """
    is_first = connection.failure is None
    connection.failure = dict(failure)
    if failure["code"] == "SEARCH_CONSOLE_AUTH":
        connection.next_fetch_at = None
        return
    soon = is_first and failure["retryable"]
    connection.next_fetch_at = utc_now() + (_FIRST_RETRY if soon else _USUAL_INTERVAL)


def _swap(project_id: int) -> None:
    own = SearchImport.project_id == project_id
    steps = (
        ("fetched", {"origin": "replaced"}),
        ("read", {"origin": "fetched", "source": "Google Search Console"}),
    )
    for origin, values in steps:
        changed_rows(update(SearchImport).where(own, SearchImport.origin == origin).values(**values))


def _replace_days(project_id: int, days: Days) -> None:
    if not days:
        return
    changed_rows(delete(SearchDay).where(SearchDay.project_id == project_id, SearchDay.day >= min(days)))
    rows = [{"project_id": project_id, "day": day, **asdict(days[day])} for day in sorted(days)]
    insert_all_new(SearchDay, rows)


def _count_days(project_id: int) -> None:
    for row in db.session.scalars(_fetched(project_id)):
        own = SearchDay.project_id == project_id, SearchDay.day.between(row.first_day, row.last_day)
        clicks, impressions = db.session.execute(
            select(func.sum(SearchDay.clicks), func.sum(SearchDay.impressions)).where(*own)
        ).one()
        row.clicks, row.impressions = int(clicks or 0), int(impressions or 0)


def _fetched(project_id: int) -> Select[SearchImport]:
    own = select(SearchImport).where(SearchImport.project_id == project_id, SearchImport.origin == "fetched")
    return own.order_by(SearchImport.last_day.desc())


def _numbers(project_id: int) -> dict[str, Any]:
    latest = db.session.scalar(_fetched(project_id).limit(1))
    if latest is None:
        return {"first_day": None, "last_day": None, "queries": 0, "pages": 0, "clicks": 0, "impressions": 0}
    return {
        "first_day": latest.first_day.isoformat(),
        "last_day": latest.last_day.isoformat(),
        "queries": latest.queries,
        "pages": latest.pages,
        "clicks": latest.clicks,
        "impressions": latest.impressions,
    }


def _today() -> date:
    return utc_now().astimezone(_GOOGLES_ZONE).date()
