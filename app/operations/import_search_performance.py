"""IMPORT_SEARCH_PERFORMANCE: fetches a project's search results from Google Search Console."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from marshmallow import Schema

from app.failures import Failure, ServiceFailure
from app.infra.db import db, release
from app.infra.http.client import fetcher_from
from app.infra.settings import current_settings
from app.operations.base import JobResult, Operation, OperationFailed, Payload, Run
from app.projects.model import Project
from app.search_performance.google import connection, fetching
from app.search_performance.google.api import SearchConsole
from app.search_performance.google.fetching import Days, Period, Site
from app.search_performance.reading import KINDS


class ImportSearchPerformanceInput(Schema):
    """A fetch has no input."""


def admit(project: Project, _payload: Payload) -> None:
    connection.chosen_connection(project.id)


def perform(run: Run) -> JobResult:
    """Fetch the days and store each period. The transaction that ends the job shows what was fetched."""
    run.progress("read_days", 0, 3)
    access = connection.chosen_connection(run.project_id)
    token, last_day = connection.token_of(access), access.last_day
    project = db.session.get_one(Project, run.project_id)
    site = Site(project.id, project.url, str(access.site_url))
    release()
    settings = current_settings()
    http = fetcher_from(settings, total_seconds=run.remaining(), should_stop=run.should_stop)
    try:
        days, periods = _fetch(run, SearchConsole(settings, http, token), site, last_day)
    except ServiceFailure as error:
        run.check_cancelled()
        is_passing = error.failure.code == "SEARCH_CONSOLE_FAILED"
        raise OperationFailed(error.failure, transient=is_passing) from error

    def save() -> Mapping[str, Any]:
        return fetching.show_fetched(site, periods, days)

    return JobResult(effect=save)


def _fetch(run: Run, console: SearchConsole, site: Site, last_day: date | None) -> tuple[Days, list[Period]]:
    days = fetching.fetch_days(console, site.site_url, last_day)
    periods = fetching.periods_until(days, last_day)
    missing = fetching.missing_periods(site, periods)
    for period in missing:
        import_id = fetching.begin_period(site, period)
        for kind in KINDS:
            done = 1 + periods.index(period)
            run.progress(f"read_{kind}", done, 3, f"{_shown(period.first_day)} to {_shown(period.last_day)}")
            fetching.fetch_list(console, site, period, kind, import_id)
        fetching.end_period(import_id)
    return days, periods


def _shown(day: date) -> str:
    return f"{day.day} {day:%b %Y}"


def record_end(project_id: int, _job_id: int, found: Failure) -> None:
    """Record a failed fetch at the connection, unless there is none any more."""
    access = connection.connection_of(project_id)
    if access is not None and found.code != "SEARCH_CONSOLE_NOT_CONNECTED":
        fetching.record_failure(access, found.to_dict())


OPERATION = Operation(
    name="IMPORT_SEARCH_PERFORMANCE",
    title="Import search performance",
    summary="Fetches searches, pages and days from Google Search Console.",
    schema=ImportSearchPerformanceInput,
    perform=perform,
    admit=admit,
    on_failed=record_end,
    one_at_a_time=True,
)
