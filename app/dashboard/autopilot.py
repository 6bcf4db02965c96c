"""The autopilot of a project: set it, and skip or move its next run."""

from datetime import datetime
from typing import Any, Final

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import BooleanField, RadioField, SelectField, SelectMultipleField

from app.autopilot import service
from app.autopilot.model import Autopilot
from app.dashboard.forms.base import form_page, is_done
from app.dashboard.forms.schedule import DAYS, HOURS, TimeForm, ZoneForm
from app.dashboard.forms.submission import REQUESTED_BY
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.toasts import say
from app.dashboard.ui.zones import reader_zone
from app.failures import ServiceFailure
from app.projects.model import Project
from app.publishing.service import list_targets, names_of_targets

blueprint = dashboard_blueprint("autopilot", "/projects/<row:project_id>/autopilot")

MODES: Final = (
    ("write", "Write only: it stays a draft here"),
    ("draft", "Send it to the blog as a hidden draft"),
    ("live", "Publish it on the blog"),
)
LATEST: Final = 10


class AutopilotForm(ZoneForm):
    enabled = BooleanField("Switched on")
    weekdays = SelectMultipleField("Days", choices=list(enumerate(DAYS)), coerce=int)
    hour = SelectField("At", choices=HOURS, coerce=int)
    mode = RadioField("What happens to each post", choices=MODES)
    target = SelectField("Blog", coerce=int, validate_choice=False)


@blueprint.route("", methods=["GET", "POST"])
def index(project: Project) -> ResponseReturnValue:
    autopilot, targets = service.autopilot_of(project), list_targets(project)
    form = AutopilotForm(request.form, data=_shown(autopilot))
    form.target.choices = [(target.id, target.name) for target in targets]
    if is_done(form, lambda: service.set_autopilot(project, _members(form), REQUESTED_BY)):
        say("The autopilot is on." if form.enabled.data else "The autopilot is off.")
        return redirect(url_for("autopilot.index", project_id=project.id))
    return form_page(
        "autopilot/index.html",
        form,
        autopilot=autopilot,
        targets=targets,
        days=DAYS,
        coming=service.next_slots(autopilot, 5),
        runs=service.latest_runs(project, LATEST),
        names=names_of_targets(project),
    )


@blueprint.route("/next", methods=["GET", "POST"])
def next_run(project: Project) -> ResponseReturnValue:
    autopilot = service.autopilot_of(project)
    run_at = autopilot.next_run_at
    if run_at is None:
        return redirect(url_for("autopilot.index", project_id=project.id))
    form = TimeForm(request.form, data={"at": run_at.astimezone(reader_zone()).replace(tzinfo=None)})
    if is_done(form, lambda: service.move_next(autopilot, _shown_run(), form.moment())):
        say("The next run is moved.")
        return redirect(url_for("calendar.index", project_id=project.id))
    after = service.slot_after(autopilot, run_at)
    return form_page("autopilot/next.html", form, run_at=run_at, after=after)


@blueprint.post("/skip")
def skip(project: Project) -> ResponseReturnValue:
    service.skip_next(service.autopilot_of(project), _shown_run())
    say("The next run is skipped.")
    return redirect(url_for("calendar.index", project_id=project.id))


@blueprint.post("/resume")
def resume(project: Project) -> ResponseReturnValue:
    service.resume(project)
    say("The autopilot is on.")
    return redirect(url_for("autopilot.index", project_id=project.id))


@blueprint.post("/stop")
def stop(project: Project) -> ResponseReturnValue:
    service.switch_off(project)
    say("The autopilot is off.")
    return redirect(url_for("autopilot.index", project_id=project.id))


def _shown_run() -> datetime:
    try:
        return datetime.fromisoformat(request.form.get("run_at", ""))
    except ValueError:
        raise ServiceFailure("RUN_CHANGED") from None


def _shown(autopilot: Autopilot) -> dict[str, Any]:
    stored = autopilot.created_at is not None
    return {
        "enabled": autopilot.state == "on",
        "weekdays": autopilot.weekdays,
        "hour": autopilot.hour,
        "zone": autopilot.time_zone if stored else reader_zone().key,
        "mode": autopilot.mode,
        "target": autopilot.target_id,
    }


def _members(form: AutopilotForm) -> dict[str, Any]:
    return {
        "enabled": bool(form.enabled.data),
        "weekdays": form.weekdays.data or [],
        "hour": form.hour.data,
        "time_zone": form.chosen_zone().key,
        "mode": form.mode.data,
        "target": form.target.data,
    }
