"""The pages of Executions: the list of jobs, and one job with its history and actions."""

from typing import Final

from flask import g, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.content.model import BlogPost, BlogPostProposal
from app.content.posts.proposals import proposal_of_job
from app.content.posts.service import get_post
from app.dashboard.auth import signed_in
from app.dashboard.forms.base import job_key
from app.dashboard.forms.submission import REQUESTED_BY, followed
from app.dashboard.projects import project_names
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.connections import can_unpublish, is_built
from app.dashboard.ui.jobs import OPERATION_WORDS, topic_of
from app.dashboard.ui.query import (
    BY_TIME,
    PAGE_SIZE,
    Pager,
    chosen_order,
    query_id,
    query_page,
    query_text,
    with_query,
)
from app.dashboard.ui.responses import render_part
from app.dashboard.ui.toasts import refusals_said, say
from app.executions import service
from app.executions.model import ExecutionJob
from app.executions.queries import JobFilter, get_job, history_of, list_jobs
from app.executions.rollback import obstacles, refuse_unless_possible, roll_back, rollback_view
from app.executions.states import ACTIVE, Status
from app.failures import Failure, ServiceFailure
from app.operations import generate_blog_post
from app.operations.registry import OPERATIONS
from app.pages.sync.quarantine import open_quarantine
from app.projects.service import get_project
from app.publishing.lookup import publications_of
from app.publishing.model import Publication, PublishTarget
from app.publishing.service import get_target

blueprint = dashboard_blueprint("executions", "/executions")

STATUSES: Final = tuple(status.value for status in Status)


@blueprint.get("")
def index() -> ResponseReturnValue:
    """List the account's jobs. Search, filters and order are in the query string."""
    kinds = [(each.name, OPERATION_WORDS[each.name].title) for each in OPERATIONS]
    return render_template(
        "executions/index.html",
        **_list(),
        names=project_names(),
        statuses=STATUSES,
        kinds=kinds,
        orders=BY_TIME,
    )


@blueprint.get("/live")
def live_list() -> ResponseReturnValue:
    """Return the list as a fragment of HTML; 204 if it has not changed since ``since``."""
    found = _list()
    if request.args.get("since") == found["since"]:
        return "", 204
    return render_part("executions/_list.html", **found, names=project_names())


@blueprint.get("/<row:job_id>")
def show(job_id: int) -> ResponseReturnValue:
    """Show one job. With ``opens`` in the query, its page opens the draft as soon as there is one."""
    return render_template("executions/show.html", **_facts(get_job(signed_in().id, job_id)))


@blueprint.get("/<row:job_id>/live")
def live(job_id: int) -> ResponseReturnValue:
    """Return the live part of a job's page; 204 if its history has no entry after the id ``since``."""
    job = get_job(signed_in().id, job_id)
    since = query_id("since") or 0
    if not history_of([job.id], since)[job.id]:
        return "", 204
    return render_part("executions/_live.html", **_facts(job))


@blueprint.post("/<row:job_id>/cancel")
def cancel(job_id: int) -> ResponseReturnValue:
    job = get_job(signed_in().id, job_id)
    with refusals_said():
        service.cancel(job)
        say("Stopped.")
    return redirect(url_for("executions.show", job_id=job_id))


@blueprint.post("/<row:job_id>/retry")
def retry(job_id: int) -> ResponseReturnValue:
    """Create a new job with the same input and go to its page."""
    job, key = get_job(signed_in().id, job_id), job_key()
    again = service.retry(job, key, requested_by=REQUESTED_BY, request_id=g.request_id)
    return redirect(followed(again.job))


@blueprint.route("/<row:job_id>/roll-back", methods=["GET", "POST"])
def rollback(job_id: int) -> ResponseReturnValue:
    """GET asks for confirmation and names the draft; POST rolls the job back."""
    job = get_job(signed_in().id, job_id)
    asks_first = request.method == "GET"
    try:
        refuse_unless_possible(job) if asks_first else roll_back(job)
    except ServiceFailure as error:
        return _confirm_rollback(job, error.failure), error.failure.kind.http or 409
    if asks_first:
        return _confirm_rollback(job)
    say("Rolled back: the draft is deleted.")
    return redirect(url_for("executions.show", job_id=job_id))


def target_of(job: ExecutionJob) -> PublishTarget | None:
    """Return the target that a job publishes to or unpublishes at, if it still exists."""
    if job.operation not in ("PUBLISH_BLOG_POST", "UNPUBLISH_BLOG_POST"):
        return None
    try:
        return get_target(job.project_id, (job.result or {}).get("target_id", job.payload.get("target")))
    except ServiceFailure:
        return None


def _list() -> dict[str, object]:
    page, where, order = query_page(), _filter(), chosen_order(BY_TIME)
    rows, total = list_jobs(signed_in().id, where, page, PAGE_SIZE, order)
    changed = max((job.updated_at.isoformat() for job in rows), default="")
    return {
        "jobs": rows,
        "pager": Pager(page, total, "executions.index"),
        "filter": where,
        "order": order,
        "active": sum(job.status in ACTIVE for job in rows),
        "since": f"{total}-{changed}",
        "live": with_query(url_for("executions.live_list"), {}),
    }


def _confirm_rollback(job: ExecutionJob, failure: Failure | None = None) -> str:
    project, post = get_project(job.account_id, job.project_id), _post_of(job)
    return render_template(
        "executions/roll_back.html",
        job=job,
        project=project,
        post=post,
        failure=failure or obstacles([job]).get(job.id),
    )


def _filter() -> JobFilter:
    status, operation = request.args.get("status", ""), request.args.get("type", "")
    known = [each.name for each in OPERATIONS]
    return JobFilter(
        project_id=query_id("project"),
        operation=operation if operation in known else None,
        status=status if status in STATUSES else None,
        q=query_text("q") or None,
    )


def _facts(job: ExecutionJob) -> dict[str, object]:
    post, obstacle, target = _post_of(job), obstacles([job]).get(job.id), target_of(job)
    makes_draft = job.operation == generate_blog_post.OPERATION.name
    return {
        "job": job,
        "subject": post.title if post else topic_of(job),
        "project": get_project(job.account_id, job.project_id),
        "history": history_of([job.id])[job.id],
        "rollback": rollback_view(job, obstacle),
        "obstacle": obstacle,
        "post": post,
        "proposal": _proposal_of(job),
        "target": target,
        "is_built": is_built(target),
        "opens": "yes" if makes_draft and "opens" in request.args else None,
        "awaits_decision": _awaits_decision(job),
        "live_publication": _live_publication(job, post) if can_unpublish(target) else None,
    }


def _awaits_decision(job: ExecutionJob) -> bool:
    result = job.result or {}
    quarantine = open_quarantine(job.project_id) if result.get("quarantined") else None
    return quarantine is not None and quarantine.id == result.get("sync_id")


def _live_publication(job: ExecutionJob, post: BlogPost | None) -> Publication | None:
    publication_id = (job.result or {}).get("publication_id")
    if post is None or publication_id is None:
        return None
    found = [each for each in publications_of([post.id])[post.id] if each.publication_id == publication_id]
    return next((each for each in found if each.state == "live"), None)


def _proposal_of(job: ExecutionJob) -> BlogPostProposal | None:
    proposal = proposal_of_job(job.id) if (job.result or {}).get("proposal_id") else None
    return proposal if proposal and proposal.state == "open" else None


def _post_of(job: ExecutionJob) -> BlogPost | None:
    if job.post_id is None:
        return None
    try:
        return get_post(get_project(job.account_id, job.project_id), job.post_id)
    except ServiceFailure:
        return None
