"""Plans: follow the job that makes one, change it, and have it written."""

from collections.abc import Mapping
from typing import Any, Final

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.dashboard.auth import signed_in
from app.dashboard.forms.base import job_key, submitted
from app.dashboard.forms.plan import MadePlan, PlanForm, changed, filled
from app.dashboard.forms.submission import followed, submit_job
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.responses import render_part
from app.executions.estimates import estimate_of
from app.executions.model import ExecutionJob
from app.executions.queries import get_job
from app.executions.states import ACTIVE
from app.failures import ServiceFailure
from app.operations import generate_blog_post, plan_blog_post
from app.projects.model import Project

blueprint = dashboard_blueprint("plans", "/projects/<row:project_id>/plans")

WRITTEN_ONLY: Final = ("slug", "minimum_kind")
"""Members for the written post alone; the input of a plan does not have them."""


@blueprint.route("/<row:job_id>", methods=["GET", "POST"])
def show(project: Project, job_id: int) -> ResponseReturnValue:
    """Show a plan as a form, move and remove its sections, and create the job that writes it."""
    job = _plan_job(project, job_id)
    made = _made(job)
    if made is None:
        return render_template("plans/show.html", **_facts(project, job))
    if request.method == "GET":
        return _page(project, job, made, PlanForm(data=made.shown(request.args)))
    act = request.form.get("act", "")
    if act != "write":
        return _page(project, job, made, changed(PlanForm(request.form), act))
    form = filled(PlanForm(request.form))
    writing = submitted(
        form,
        lambda: submit_job(project, generate_blog_post.OPERATION, made.generation_payload(form), job_key()),
    )
    if writing is not None:
        return redirect(followed(writing))
    return _page(project, job, made, form), form.status


@blueprint.get("/<row:job_id>/live")
def live(project: Project, job_id: int) -> ResponseReturnValue:
    """Return the plan as a part of the page; 204 if it has not changed since ``since``."""
    job = _plan_job(project, job_id)
    if request.args.get("since") == _since(job):
        return "", 204
    made = _made(job)
    form = PlanForm(data=made.shown(request.args)) if made else None
    return render_part("plans/_plan.html", **_facts(project, job), made=made, form=form)


@blueprint.post("/<row:job_id>/again")
def again(project: Project, job_id: int) -> ResponseReturnValue:
    job = _plan_job(project, job_id)
    if job.pruned_at is not None:
        raise ServiceFailure("NOT_FOUND")
    return redirect(submit_plan(project, {**job.payload, **_written_only(request.form)}, job_key()))


def submit_plan(project: Project, payload: Mapping[str, Any], key: str) -> str:
    """Create the job that plans a post from the input of a generation; return the URL of its page.

    Raises the failures of ``submit_job``.
    """
    planned = {name: value for name, value in payload.items() if name not in WRITTEN_ONLY}
    job = submit_job(project, plan_blog_post.OPERATION, planned, key)
    return url_for("plans.show", project_id=project.id, job_id=job.id, **_written_only(payload))


def _written_only(payload: Mapping[str, Any]) -> dict[str, Any]:
    return {name: str(payload[name]) for name in WRITTEN_ONLY if payload.get(name)}


def _plan_job(project: Project, job_id: int) -> ExecutionJob:
    job = get_job(signed_in().id, job_id)
    if job.project_id != project.id or job.operation != plan_blog_post.OPERATION.name:
        raise ServiceFailure("NOT_FOUND")
    return job


def _made(job: ExecutionJob) -> MadePlan | None:
    return MadePlan(job.payload, job.result) if job.result and job.result.get("plan") else None


def _page(project: Project, job: ExecutionJob, made: MadePlan, form: PlanForm) -> str:
    unsaved = request.method == "POST"
    return render_template("plans/show.html", **_facts(project, job), made=made, form=form, unsaved=unsaved)


def _since(job: ExecutionJob) -> str:
    stage = (job.progress or {}).get("stage", "") if job.status in ACTIVE else ""
    return f"{job.status}-{stage}"


def _facts(project: Project, job: ExecutionJob) -> dict[str, Any]:
    return {
        "job": job,
        "active": job.status in ACTIVE,
        "since": _since(job),
        "estimate": estimate_of(signed_in()),
        "live": url_for("plans.live", project_id=project.id, job_id=job.id, **_written_only(request.args)),
    }
