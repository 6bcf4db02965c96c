"""What comes next in a project: planned posts, and runs of the autopilot."""

from datetime import timedelta
from typing import Final

from app.autopilot.service import autopilot_of, next_slots
from app.infra.clock import utc_now
from app.projects.model import Project
from app.publishing.planned import Entry, scheduled_between

_AHEAD: Final = timedelta(weeks=5)


def coming_up(project: Project, most: int) -> list[Entry]:
    """Return what is planned in the next weeks, the earliest first: posts, and runs of the autopilot."""
    now = utc_now()
    planned = [entry for entry in scheduled_between(project, now, now + _AHEAD) if entry.state == "waiting"]
    runs = [Entry(moment, "run", 0, "") for moment in next_slots(autopilot_of(project), most)]
    return sorted([*planned, *runs], key=lambda entry: entry.moment)[:most]
