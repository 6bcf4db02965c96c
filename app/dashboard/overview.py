"""What the overview of a project shows, as values for its templates."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from app.dashboard.milestones import open_checklist
from app.dashboard.ui import charts
from app.dashboard.ui.attention import line_of
from app.dashboard.ui.happenings import happenings_of
from app.dashboard.ui.navigation import counts_beside
from app.dashboard.ui.presentation import number
from app.dashboard.ui.zones import reader_zone
from app.executions.queries import Latest, latest_happenings
from app.executions.states import ACTIVE
from app.infra.clock import utc_now
from app.overview.attention import needs_of
from app.overview.coming import coming_up
from app.overview.progress import Numbers, numbers_of, pages_per_week, posts_per_week, weeks_until
from app.projects.model import Project

_MOST_JOBS: Final = 6
_MOST_NEEDS: Final = 8
_MOST_COMING: Final = 4
_COVERAGE: Final = (
    ("covered", "covered", "f1", "", "A page or post is about it, by its title or a main heading."),
    ("thin", "thin", "f2", "c2", "A heading or description has the phrase, but no page or post is about it."),
    ("contested", "competing", "f4", "c4", "Two or more of your pages and posts want the same search."),
    (
        "gap",
        "missing",
        "f3",
        "c3",
        "No title has its words, and no heading or description the phrase. A text may still speak of it.",
    ),
)


@dataclass(frozen=True)
class Activity:
    """The latest jobs of a project, and the id of the newest row of their history.

    ``is_active``: the overview will change by itself soon, because a job is open or the first sync is due.
    """

    latest: Sequence[Latest]
    since: int
    is_active: bool


def activity_of(project: Project) -> Activity:
    """Return a value that changes whenever the overview changes."""
    latest = latest_happenings(project.id, _MOST_JOBS)
    is_due = project.next_sync_at is not None and project.next_sync_at <= utc_now()
    is_active = is_due or any(each.job.status in ACTIVE for each in latest)
    return Activity(latest, max((each.entry_id for each in latest), default=0), is_active)


def overview_of(project: Project, activity: Activity) -> dict[str, Any]:
    """Return what the parts of the overview show that change with the project's jobs."""
    numbers, needs = numbers_of(project), needs_of(project)
    states = numbers.keywords
    return {
        "need_count": counts_beside(project)["Overview"]["count"],
        "most_needs": _MOST_NEEDS,
        "needs": [line_of(project.id, need) for need in needs],
        "is_quarantined": any(need.kind == "quarantined" for need in needs),
        "numbers": numbers,
        "states": states,
        "coverage": coverage_parts(states),
        "uncovered": uncovered(states),
        "weekly": _weekly(project, numbers),
        "happenings": happenings_of(activity.latest),
        "coming": coming_up(project, _MOST_COMING),
        "steps": open_checklist(project, numbers),
        "since": activity.since,
        "active": activity.is_active,
    }


def coverage_parts(states: Mapping[str, int]) -> list[charts.Part]:
    boxes = charts.whole([states[state] for state, *_ in _COVERAGE])
    return [
        charts.Part(name, states[state], fill, key, box, state, words)
        for (state, name, fill, key, words), box in zip(_COVERAGE, boxes, strict=True)
    ]


def uncovered(states: Mapping[str, int]) -> str:
    """Return how many keywords are thin, competing and missing; without those of which there are none."""
    found = [f"{number(states[state])} {name}" for state, name, *_ in _COVERAGE[1:] if states[state]]
    return ", ".join(found) or "all of them"


def _weekly(project: Project, numbers: Numbers) -> dict[str, Any]:
    zone = reader_zone()
    weeks = weeks_until(utc_now(), zone)
    posts = posts_per_week(project, weeks, zone)
    pages = pages_per_week(project, weeks, zone, (numbers.fresh, numbers.stale))
    post_top, page_top = charts.top_of(posts), charts.top_of([each for both in pages for each in both])
    names = [week.strftime("%-d %b") for week in weeks]
    return {
        "labels": [names[0], names[4], names[8]],
        "posts": list(zip(names, posts, strict=True)),
        "posts_total": sum(posts),
        "post_top": post_top,
        "bars": charts.bars(posts, post_top),
        "pages": [(name, *both) for name, both in zip(names, pages, strict=True)],
        "page_top": page_top,
        "fresh": charts.curve([fresh for fresh, _ in pages], page_top),
        "stale": charts.curve([stale for _, stale in pages], page_top),
        "this_week": posts[-1],
    }
