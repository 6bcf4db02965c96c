"""The calendar of a project: five weeks of what is planned and what was published."""

from collections.abc import Iterable, Iterator
from datetime import date, datetime, timedelta
from typing import Final

from flask import render_template, request
from flask.typing import ResponseReturnValue

from app.autopilot.model import Autopilot
from app.autopilot.service import autopilot_of, planned_between, runs_between
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.calendar_entries import Day, Shown, shown_draft, shown_entry
from app.dashboard.ui.query import with_query
from app.dashboard.ui.zones import reader_zone
from app.infra.clock import utc_now
from app.infra.local_time import monday_of, start_of
from app.projects.model import Project
from app.publishing.planned import Entry, drafts_without_time, entries_between
from app.publishing.service import list_targets

blueprint = dashboard_blueprint("calendar", "/projects/<row:project_id>/calendar")

WEEKS: Final = 5
STEP: Final = timedelta(weeks=4)
FARTHEST: Final = timedelta(weeks=520)
MOST_DRAFTS: Final = 6

_WHAT: Final = {
    "write": "Write a draft",
    "draft": "Write a post, as a hidden draft on the blog",
    "live": "Write and publish a post",
}


@blueprint.get("")
def index(project: Project) -> ResponseReturnValue:
    """Show the weeks from the one in the query, else from last week, and the drafts without a time."""
    zone = reader_zone()
    now = utc_now().astimezone(zone)
    today = now.date()
    first = _first_monday(today)
    last = first + timedelta(weeks=WEEKS) - timedelta(days=1)
    start, end = start_of(first, zone), start_of(last + timedelta(days=1), zone)
    autopilot, here = autopilot_of(project), request.full_path.rstrip("?")
    found = [*entries_between(project, start, end), *_runs(project, autopilot, start, end)]
    found.sort(key=lambda entry: entry.moment)
    entries = [shown_entry(project, entry, zone, here) for entry in found]
    drafts, waiting = drafts_without_time(project, MOST_DRAFTS)
    return render_template(
        "calendar/index.html",
        autopilot=autopilot,
        days=_days(first, today, entries),
        coming=[entry for entry in entries if entry.is_to_come],
        came=[entry for entry in reversed(entries) if not entry.is_to_come],
        as_list=request.args.get("view") == "list",
        drafts=[shown_draft(project, post) for post in drafts],
        more_drafts=waiting - len(drafts),
        has_target=bool(list_targets(project)),
        last=last,
        **_views(first),
    )


def _views(first: date) -> dict[str, str]:
    changes = {
        "earlier": {"from": (first - STEP).isoformat()},
        "later": {"from": (first + STEP).isoformat()},
        "now_url": {"from": ""},
        "weeks_url": {"view": ""},
        "list_url": {"view": "list"},
    }
    return {name: with_query(request.path, change) for name, change in changes.items()}


def _runs(project: Project, autopilot: Autopilot, start: datetime, end: datetime) -> Iterator[Entry]:
    for moment in planned_between(autopilot, start, end):
        state = "next_run" if moment == autopilot.next_run_at else "later_run"
        yield Entry(moment, state, 0, _WHAT[autopilot.mode])
    for run in runs_between(project, start, end):
        if run.state in ("failed", "missed"):
            yield Entry(run.due_at, f"run_{run.state}", 0, run.subject or "No post was written.")


def _days(first: date, today: date, entries: Iterable[Shown]) -> list[Day]:
    dates = [first + timedelta(days=number) for number in range(WEEKS * 7)]
    days = {each: Day(each, each == today, each < today) for each in dates}
    for entry in entries:
        days[entry.moment.date()].add(entry)
    return list(days.values())


def _first_monday(today: date) -> date:
    usual = monday_of(today) - timedelta(weeks=1)
    try:
        asked = monday_of(date.fromisoformat(request.args.get("from", "")))
    except (ValueError, OverflowError):
        return usual
    return max(usual - FARTHEST, min(usual + FARTHEST, asked))
