"""Publish a post at a time: choose it, move it, or leave the post unpublished."""

from collections.abc import Sequence
from datetime import datetime

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.content.model import BlogPost
from app.content.posts.checking import quality_of
from app.content.posts.service import get_post
from app.dashboard.forms.base import form_page, is_done, submitted
from app.dashboard.forms.publishing import first_choice
from app.dashboard.forms.schedule import ScheduleForm, TimeForm
from app.dashboard.forms.submission import REQUESTED_BY
from app.dashboard.ui.addresses import back_or
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.query import row_id
from app.dashboard.ui.toasts import say
from app.dashboard.ui.zones import reader_zone, zone_text
from app.infra.clock import utc_now
from app.infra.local_time import next_full_hour
from app.operations.schedule_publication import schedule_post
from app.projects.model import Project
from app.publishing import scheduled
from app.publishing.gate import may_be_overridden
from app.publishing.model import PublishTarget, ScheduledPublication
from app.publishing.planned import refused_posts, waiting_for
from app.publishing.service import list_targets, names_of_targets

blueprint = dashboard_blueprint("schedule", "/projects/<row:project_id>")


@blueprint.route("/posts/<row:post_id>/schedule", methods=["GET", "POST"])
def new(project: Project, post: BlogPost) -> ResponseReturnValue:
    targets, waiting = list_targets(project), waiting_for(post)
    form = _form_of(targets, waiting)
    # The form of publishing leads here, too, without a time.
    save = "at" in request.form
    done = (
        submitted(form, lambda: schedule_post(project, post.id, form.values(), REQUESTED_BY))
        if save
        else None
    )
    if done is not None:
        row, _ = done
        where = names_of_targets(project).get(row.target_id, "")
        say(f"The post will be published at {where} on {_in_words(form)}.{form.remark()}")
        return redirect(_address_of(project, post.id))
    quality = quality_of(post)
    return form_page(
        "schedule/new.html",
        form,
        targets=targets,
        waiting=waiting,
        names=names_of_targets(project),
        quality=quality,
        overridable=may_be_overridden(quality),
    )


@blueprint.route("/schedule/<row:schedule_id>", methods=["GET", "POST"])
def move(project: Project, schedule_id: int) -> ResponseReturnValue:
    row = scheduled.get_scheduled(project, schedule_id)
    form = TimeForm(request.form, data={"at": _local(row)})
    if is_done(form, lambda: scheduled.move(row, form.moment())):
        say(f"Moved: the post will be published on {_in_words(form)}.{form.remark()}")
        return redirect(_back(project, row))
    target = names_of_targets(project).get(row.target_id, "")
    return form_page(
        "schedule/move.html",
        form,
        post=(post := get_post(project, row.blog_post_id)),
        refused=bool(refused_posts([post.id])),
        row=row,
        target=target,
        back=_back(project, row),
    )


@blueprint.post("/schedule/<row:schedule_id>/cancel")
def cancel(project: Project, schedule_id: int) -> ResponseReturnValue:
    row = scheduled.get_scheduled(project, schedule_id)
    scheduled.cancel(row)
    say("The post will not be published at that time. It stays as it is.")
    return redirect(_back(project, row))


def _form_of(targets: Sequence[PublishTarget], waiting: Sequence[ScheduledPublication]) -> ScheduleForm:
    wanted = row_id(request.values.get("target"))
    planned = next((row for row in waiting if wanted in (None, row.target_id)), None)
    given = {
        "at": _asked() or (_local(planned) if planned else next_full_hour(utc_now(), reader_zone())),
        "target": wanted or (planned.target_id if planned else first_choice(targets)),
        "visibility": request.values.get("visibility", ""),
        "override_reason": request.values.get("override_reason", ""),
    }
    form = ScheduleForm(request.form if "at" in request.form else None, data=given)
    form.offer(targets)
    return form


def _asked() -> datetime | None:
    try:
        return datetime.fromisoformat(request.args.get("at", "")).replace(tzinfo=None)
    except ValueError:
        return None


def _local(row: ScheduledPublication) -> datetime:
    return row.publish_at.astimezone(reader_zone()).replace(tzinfo=None)


def _in_words(form: TimeForm) -> str:
    return f"{form.at.data:%a %-d %b %Y at %H:%M} ({zone_text(form.chosen_zone())})"


def _back(project: Project, row: ScheduledPublication) -> str:
    return back_or(_address_of(project, row.blog_post_id))


def _address_of(project: Project, post_id: int) -> str:
    return url_for("posts.show", project_id=project.id, post_id=post_id)
