"""The calendar of a project: five weeks of what is planned and what was published."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from flask import render_template, request
from flask.typing import ResponseReturnValue

from app.autopilot.model import Autopilot
from app.autopilot.service import autopilot_of, planned_between, runs_between
from app.dashboard.projects import own_project
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.zones import reader_zone
from app.infra.clock import utc_now
from app.infra.local_time import monday_of, start_of
from app.projects.model import Project
from app.publishing.planned import Entry, entries_between

blueprint = dashboard_blueprint("calendar", "/projects/<row:project_id>/calendar")

WEEKS: Final = 5
STEP: Final = timedelta(weeks=4)
FARTHEST: Final = timedelta(weeks=520)
MOST_OF_A_DAY: Final = 6

_WHAT: Final = {
    "write": "Write a draft",
    "draft": "Write a post, as a hidden draft on the blog",
    "live": "Write and publish a post",
}


@dataclass
class Day:
    """A day of the reader's zone: its first entries, and how many more there are."""

    date: date
    entries: list[Entry] = field(default_factory=list)
    more: int = 0

    def add(self, entry: Entry) -> None:
        """Add an entry, or count it if the day is full."""
        if len(self.entries) < MOST_OF_A_DAY:
            self.entries.append(entry)
        else:
            self.more += 1


@blueprint.get("")
def index(project_id: int) -> ResponseReturnValue:
    """Show the weeks from the one in the query, else from last week."""
    project, zone = own_project(project_id), reader_zone()
    today = utc_now().astimezone(zone).date()
    first = _first_monday(today)
    last = first + timedelta(weeks=WEEKS) - timedelta(days=1)
    start, end = start_of(first, zone), start_of(last + timedelta(days=1), zone)
    autopilot = autopilot_of(project)
    found = [*entries_between(project, start, end), *_runs(project, autopilot, start, end)]
    found.sort(key=lambda entry: entry.moment)
    return render_template(
        "calendar/index.html",
        project=project,
        autopilot=autopilot,
        days=_days(first, found, zone),
        count=len(found),
        today=today,
        last=last,
        earlier=first - STEP,
        later=first + STEP,
        here=request.full_path.rstrip("?"),
    )


def _runs(project: Project, autopilot: Autopilot, start: datetime, end: datetime) -> Iterator[Entry]:
    """Yield the coming runs of the autopilot, and those that made no post."""
    for moment in planned_between(autopilot, start, end):
        state = "next_run" if moment == autopilot.next_run_at else "later_run"
        yield Entry(moment, state, 0, _WHAT[autopilot.mode])
    for run in runs_between(project, start, end):
        if run.state in ("failed", "missed"):
            yield Entry(run.due_at, f"run_{run.state}", 0, run.subject or "No post was written.")


def _days(first: date, entries: Iterable[Entry], zone: ZoneInfo) -> list[Day]:
    days = {
        first + timedelta(days=number): Day(first + timedelta(days=number)) for number in range(WEEKS * 7)
    }
    for entry in entries:
        days[entry.moment.astimezone(zone).date()].add(entry)
    return list(days.values())


def _first_monday(today: date) -> date:
    usual = monday_of(today) - timedelta(weeks=1)
    try:
        asked = monday_of(date.fromisoformat(request.args.get("from", "")))
    except (ValueError, OverflowError):
        return usual
    return max(usual - FARTHEST, min(usual + FARTHEST, asked))
