"""A project's autopilot: posts that are written and published by themselves."""

from typing import Any, Final

from flask.typing import ResponseReturnValue
from marshmallow import fields

from app.api.http.auth import caller
from app.api.http.contract import Resource, Takes, success
from app.api.http.fields import Id, Out, Time
from app.api.http.schemas import success_schema
from app.autopilot import service
from app.autopilot.model import Autopilot
from app.autopilot.slots import WEEKDAYS
from app.infra.clock import rfc3339
from app.infra.inputs import Boolean, Choice, Input, Integer, Text, shared
from app.operations.publishing import target_ref
from app.projects.model import Project

blueprint = Resource(
    "Autopilot",
    "/projects/<id:project_id>/autopilot",
    "Posts that are written and published by themselves, from keywords without a post and title ideas.",
    scope="posts",
)

_NEXT: Final = 5
_EXAMPLE: Final = {
    "enabled": True,
    "weekdays": ["tue", "fri"],
    "hour": 9,
    "time_zone": "Europe/Berlin",
    "mode": "write",
}


class AutopilotIn(Input):
    enabled = Boolean(required=True, metadata={"description": "True also ends a pause."})
    weekdays = fields.List(
        Choice(WEEKDAYS), required=True, metadata={"description": "One post on each of these days."}
    )
    hour = Integer(most=23, required=True, metadata={"description": "The hour on the clock, 0 to 23."})
    time_zone = Text(
        1,
        64,
        required=True,
        allow_none=False,
        metadata={"description": "An IANA name such as Europe/Berlin.", "example": "Europe/Berlin"},
    )
    mode = Choice(
        service.MODES,
        required=True,
        metadata={"description": "write: keep it here as a draft. draft: hidden at the target. live: there."},
    )
    target = fields.Raw(
        load_default=None,
        allow_none=True,
        validate=target_ref,
        metadata={
            "description": "Id or name of a publish target, as for publishing; not used by mode write.",
            "type": ["integer", "string"],
        },
    )


class AutopilotOut(Out):
    state = Choice(("off", "on", "paused"))
    paused_reason = fields.String(allow_none=True)
    failures = fields.Integer(metadata={"description": "Failed runs in a row; after three it pauses."})
    weekdays = fields.List(Choice(WEEKDAYS))
    hour = fields.Integer()
    time_zone = fields.String()
    mode = Choice(service.MODES)
    target_id = Id(allow_none=True)
    next_run_at = Time(allow_none=True)
    next_runs = fields.List(Time(), metadata={"description": "The next five runs; none unless it is on."})


AutopilotAnswer = success_schema("AutopilotAnswer", autopilot=fields.Nested(AutopilotOut))


@blueprint.operation("GET", "", gives={200: AutopilotAnswer})
def get_autopilot(project: Project) -> ResponseReturnValue:
    """Read the project's autopilot. It is off until it is set."""
    return success({"autopilot": _present(service.autopilot_of(project))})


@blueprint.operation(
    "PUT",
    "",
    takes=Takes(AutopilotIn, _EXAMPLE),
    gives={200: AutopilotAnswer},
    fails=("PUBLISH_TARGET_MISSING", "PUBLISH_TARGET_REQUIRED"),
)
def set_autopilot(project: Project, body: dict[str, Any]) -> ResponseReturnValue:
    """Set the project's autopilot, and switch it on or off."""
    days = [WEEKDAYS.index(day) for day in body["weekdays"]]
    autopilot = service.set_autopilot(project, {**body, "weekdays": days}, caller().name)
    return success({"autopilot": _present(autopilot)})


def _present(autopilot: Autopilot) -> dict[str, Any]:
    shown: dict[str, Any] = shared(AutopilotOut, exclude=("weekdays", "next_runs")).dump(autopilot)
    weekdays = [WEEKDAYS[day] for day in autopilot.weekdays]
    next_runs = [rfc3339(moment) for moment in service.next_slots(autopilot, _NEXT)]
    return {**shown, "weekdays": weekdays, "next_runs": next_runs}
