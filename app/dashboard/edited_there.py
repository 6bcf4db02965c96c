"""A post that was edited at its target since: compare both texts, then replace the one there or keep it."""

from __future__ import annotations

from flask import redirect, url_for
from flask.typing import ResponseReturnValue

from app.content.posts.comparing import compare_html, compare_line
from app.content.posts.service import get_post
from app.dashboard.auth import signed_in
from app.dashboard.executions import target_of
from app.dashboard.forms.base import PageForm, form_page, job_key, submitted
from app.dashboard.forms.submission import submit_job
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.executions.model import ExecutionJob
from app.executions.queries import get_job
from app.failures import ServiceFailure
from app.operations import publish_blog_post
from app.projects.service import get_project

blueprint = dashboard_blueprint("edited_there", "/executions/<row:job_id>/texts")


@blueprint.route("", methods=["GET", "POST"])
def show(job_id: int) -> ResponseReturnValue:
    """Show the text at the target beside the one here; publish again with overwrite on request."""
    job = _stopped_job(job_id)
    project, form = get_project(job.account_id, job.project_id), PageForm()
    payload = {**job.payload, "overwrite": True}
    again = submitted(form, lambda: submit_job(project, publish_blog_post.OPERATION, payload, job_key()))
    if again is not None:
        return redirect(url_for("executions.show", job_id=again.id))
    details = (job.failure or {})["details"]
    return form_page(
        "executions/texts.html",
        form,
        job=job,
        project=project,
        post=get_post(project, job.payload["blog_post_id"]),
        target=target_of(job),
        details=details,
        title=compare_line(str(details.get("title_there") or ""), str(details.get("title_here") or "")),
        text=compare_html(str(details.get("text_there") or ""), str(details.get("text_here") or "")),
    )


def _stopped_job(job_id: int) -> ExecutionJob:
    """Return a job that did not publish because the post was edited there. Raises JOB_NOT_FOUND."""
    job = get_job(signed_in().id, job_id)
    if not job.failure or job.failure.get("code") != "TARGET_POST_EDITED" or not job.failure.get("details"):
        raise ServiceFailure("JOB_NOT_FOUND")
    return job
