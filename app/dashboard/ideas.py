"""Title ideas: find them, list them, and generate a post from one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import SelectField

from app.dashboard.auth import signed_in
from app.dashboard.forms.base import PageForm, job_key, submitted
from app.dashboard.forms.submission import submit_job
from app.dashboard.projects import own_project
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.executions.model import ExecutionJob
from app.executions.queries import JobFilter, get_job, list_jobs
from app.executions.states import ACTIVE, Status
from app.failures import ServiceFailure
from app.operations import generate_blog_post, suggest_titles
from app.operations.suggest_titles import generation_payload
from app.projects.model import Project

blueprint = dashboard_blueprint("ideas", "/projects/<row:project_id>/ideas")

COUNTS: Final = [("10", "10 ideas"), ("20", "20 ideas"), ("50", "50 ideas")]
LATEST_GENERATIONS: Final = 100


class IdeasForm(PageForm):
    """How many ideas to find."""

    count = SelectField("How many", default="10", choices=COUNTS)


@dataclass(frozen=True)
class Shown:
    """An idea, its number in the result, and the latest job that generates it."""

    number: int
    idea: Mapping[str, Any]
    job: ExecutionJob | None


@blueprint.route("", methods=["GET", "POST"])
def index(project_id: int) -> ResponseReturnValue:
    """Show the latest ideas, and start a job that finds new ones."""
    project = own_project(project_id)
    form = IdeasForm(request.form)
    payload = {"count": int(form.count.data or 0)} if form.validate() else {}
    job = submitted(form, lambda: submit_job(project, suggest_titles.OPERATION, payload, job_key()))
    if job is not None:
        return redirect(url_for("ideas.index", project_id=project.id))
    return _page(project, form), form.status


@blueprint.get("/live")
def live(project_id: int) -> ResponseReturnValue:
    """Return the list as a part of the page; 204 if it has not changed since ``since``."""
    found = _found(own_project(project_id))
    if request.args.get("since") == found["since"]:
        return "", 204
    return render_template("ideas/_list.html", **found)


@blueprint.post("/<row:job_id>/<int:number>")
def generate(project_id: int, job_id: int, number: int) -> ResponseReturnValue:
    """Create the job that writes an idea."""
    project = own_project(project_id)
    idea = _idea(project, job_id, number)
    form = IdeasForm()
    try:
        job = submit_job(project, generate_blog_post.OPERATION, generation_payload(idea), job_key())
    except ServiceFailure as error:
        form.show_failure(error)
        return _page(project, form), error.failure.kind.http or 422
    return redirect(url_for("executions.show", job_id=job.id))


def _page(project: Project, form: IdeasForm) -> str:
    return render_template("ideas/index.html", form=form, **_found(project))


def _found(project: Project) -> dict[str, Any]:
    latest = _newest(project)
    done = latest if latest and latest.status == Status.SUCCEEDED else _newest(project, Status.SUCCEEDED)
    active = latest is not None and latest.status in ACTIVE
    ideas = _shown(project, done) if done else []
    return {
        "project": project,
        "latest": latest,
        "active": active,
        "done": done if done and done.result else None,
        "ideas": ideas,
        "since": f"{latest.id}-{latest.updated_at.isoformat()}" if latest else "",
    }


def _newest(project: Project, status: str | None = None) -> ExecutionJob | None:
    where = JobFilter(project.id, suggest_titles.OPERATION.name, status)
    return next(iter(list_jobs(project.account_id, where, 1, 1)[0]), None)


def _shown(project: Project, done: ExecutionJob) -> list[Shown]:
    where = JobFilter(project.id, generate_blog_post.OPERATION.name)
    jobs, _ = list_jobs(project.account_id, where, 1, LATEST_GENERATIONS)
    ideas = (done.result or {}).get("ideas") or []
    return [Shown(number, idea, _writing(idea, jobs)) for number, idea in enumerate(ideas)]


def _writing(idea: Mapping[str, Any], jobs: Sequence[ExecutionJob]) -> ExecutionJob | None:
    """Return the newest job with the idea's input, unless it was rolled back."""
    payload = generation_payload(idea)
    for job in jobs:
        if all(job.payload.get(name) == value for name, value in payload.items()):
            return job if job.rollback_state != "completed" else None
    return None


def _idea(project: Project, job_id: int, number: int) -> Mapping[str, Any]:
    job = get_job(signed_in().id, job_id)
    ideas = (job.result or {}).get("ideas") or []
    if job.project_id != project.id or number >= len(ideas):
        raise ServiceFailure("NOT_FOUND")
    idea: Mapping[str, Any] = ideas[number]
    return idea
