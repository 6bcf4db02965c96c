"""A project's autopilot: read, set, and its next run skipped or moved."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import islice, takewhile
from typing import Any, Final
from zoneinfo import ZoneInfo

from sqlalchemy import select, update

from app.autopilot.model import Autopilot, AutopilotRun
from app.autopilot.slots import slots_after
from app.failures import ServiceFailure, invalid_field
from app.infra.clock import utc_now
from app.infra.db import changed_rows, database_now, db, insert_new
from app.infra.local_time import zone_named
from app.projects.model import Project
from app.publishing.scheduled import check_time
from app.publishing.service import get_target
from app.publishing.targets.registry import kind_of

MODES: Final = ("write", "draft", "live")
MOST_RUNS: Final = 100

_ZONE_UNKNOWN: Final = "There is no such time zone; use a name such as Europe/Berlin."
_NO_DAY: Final = "Choose at least one weekday."
_NO_DRAFTS: Final = "This kind of target has no drafts."


def autopilot_of(project: Project) -> Autopilot:
    """Return a project's autopilot; one that is off, and not stored, if it was never set."""
    found = db.session.get(Autopilot, project.id)
    if found is not None:
        return found
    return Autopilot(
        project_id=project.id,
        weekdays=[1, 3],
        hour=9,
        time_zone="UTC",
        mode="write",
        enabled=False,
        failures=0,
        requested_by="",
    )


def set_autopilot(project: Project, members: Mapping[str, Any], requested_by: str) -> Autopilot:
    """Set a project's autopilot, and commit. To switch it on also ends a pause.

    ``members`` are enabled, weekdays, hour, time_zone, mode and target. Raises INVALID_REQUEST for a field,
    PUBLISH_TARGET_MISSING and PUBLISH_TARGET_REQUIRED.
    """
    zone = zone_named(members["time_zone"])
    if zone is None:
        raise invalid_field("/time_zone", _ZONE_UNKNOWN)
    if not members["weekdays"]:
        raise invalid_field("/weekdays", _NO_DAY)
    weekdays = sorted(set(members["weekdays"]))
    values: dict[str, Any] = {
        "weekdays": weekdays,
        "hour": members["hour"],
        "time_zone": zone.key,
        "mode": members["mode"],
        "target_id": _target_id(project, members),
        "enabled": members["enabled"],
        "next_run_at": _next(weekdays, members["hour"], zone) if members["enabled"] else None,
        "failures": 0,
        "paused_reason": None,
        "requested_by": requested_by,
        "updated_at": utc_now(),
    }
    insert_new(Autopilot, project_id=project.id, created_at=utc_now(), **values)
    db.session.execute(update(Autopilot).where(Autopilot.project_id == project.id).values(**values))
    db.session.commit()
    return db.session.get_one(Autopilot, project.id, populate_existing=True)


def resume(project: Project) -> None:
    """End the pause of a project's autopilot, and commit. One that has not paused stays as it is."""
    autopilot = autopilot_of(project)
    following = _next(autopilot.weekdays, autopilot.hour, ZoneInfo(autopilot.time_zone))
    paused = (Autopilot.project_id == project.id, Autopilot.enabled, Autopilot.paused_reason.is_not(None))
    values = {"paused_reason": None, "failures": 0, "next_run_at": following}
    db.session.execute(update(Autopilot).where(*paused).values(**values))
    db.session.commit()


def switch_off(project: Project) -> None:
    """Switch a project's autopilot off, and commit. What it is writing is not published any more."""
    values = {"enabled": False, "next_run_at": None, "failures": 0, "paused_reason": None}
    db.session.execute(update(Autopilot).where(Autopilot.project_id == project.id).values(**values))
    db.session.commit()


def skip_next(autopilot: Autopilot, run_at: datetime) -> None:
    """Leave out the next run, at ``run_at``, and commit. Raises RUN_CHANGED if it is another now."""
    _move(autopilot, run_at, slot_after(autopilot, run_at))


def move_next(autopilot: Autopilot, run_at: datetime, moved_to: datetime) -> datetime:
    """Let the next run be at another time, and commit; return it. The runs after it stay on their days.

    Raises INVALID_REQUEST for ``/publish_at``, and as ``skip_next``.
    """
    check_time(moved_to)
    _move(autopilot, run_at, moved_to)
    return moved_to


def slot_after(autopilot: Autopilot, moment: datetime) -> datetime:
    """Return the first regular time of an autopilot after a moment."""
    return next(slots_after(moment, autopilot.weekdays, autopilot.hour, ZoneInfo(autopilot.time_zone)))


def next_slots(autopilot: Autopilot, most: int) -> list[datetime]:
    """Return the next runs of an autopilot; none unless it is on."""
    if autopilot.next_run_at is None:
        return []
    zone = ZoneInfo(autopilot.time_zone)
    later = slots_after(autopilot.next_run_at, autopilot.weekdays, autopilot.hour, zone)
    return [autopilot.next_run_at, *islice(later, most - 1)]


def planned_between(autopilot: Autopilot, start: datetime, end: datetime) -> list[datetime]:
    """Return the coming runs of an autopilot from ``start`` to before ``end``; none unless it is on."""
    first = autopilot.next_run_at
    if first is None or first >= end:
        return []
    zone = ZoneInfo(autopilot.time_zone)
    since = max(first, start - timedelta(seconds=1))
    coming = slots_after(since, autopilot.weekdays, autopilot.hour, zone)
    later = takewhile(lambda slot: slot < end, coming)
    return [first, *later] if first >= start else list(later)


def runs_between(project: Project, start: datetime, end: datetime) -> Sequence[AutopilotRun]:
    """Return the runs that were due from ``start`` to before ``end``, earliest first."""
    return db.session.scalars(
        select(AutopilotRun)
        .where(AutopilotRun.project_id == project.id, AutopilotRun.due_at >= start, AutopilotRun.due_at < end)
        .order_by(AutopilotRun.due_at)
        .limit(MOST_RUNS)
    ).all()


def latest_runs(project: Project, most: int) -> Sequence[AutopilotRun]:
    return db.session.scalars(
        select(AutopilotRun)
        .where(AutopilotRun.project_id == project.id)
        .order_by(AutopilotRun.due_at.desc())
        .limit(most)
    ).all()


def _target_id(project: Project, members: Mapping[str, Any]) -> int | None:
    if members["mode"] == "write":
        return None
    target = get_target(project.id, members.get("target"))
    if members["mode"] == "draft" and not kind_of(target.kind).has_drafts:
        raise invalid_field("/mode", _NO_DRAFTS)
    return target.id


def _next(weekdays: Sequence[int], hour: int, zone: ZoneInfo) -> datetime:
    now = db.session.scalars(select(database_now())).one().astimezone(UTC)
    return next(slots_after(now, weekdays, hour, zone))


def _move(autopilot: Autopilot, run_at: datetime, moved_to: datetime) -> None:
    is_next = (Autopilot.project_id == autopilot.project_id, Autopilot.next_run_at == run_at)
    moved = changed_rows(update(Autopilot).where(*is_next).values(next_run_at=moved_to))
    db.session.commit()
    if not moved:
        raise ServiceFailure("RUN_CHANGED")
