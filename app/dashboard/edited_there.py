"""A post at a target with another text: compare both, then replace the one there or keep it.

It was edited there since it was published, or it was there before and has the address of a post of ours.
"""

from collections.abc import Mapping
from typing import Any, Final

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

_CODES: Final = ("TARGET_POST_EDITED", "TARGET_SLUG_TAKEN")

blueprint = dashboard_blueprint("edited_there", "/executions/<row:job_id>/texts")


@blueprint.route("", methods=["GET", "POST"])
def show(job_id: int) -> ResponseReturnValue:
    """Show the text at the target beside the one here; publish again and replace it on request."""
    job = _stopped_job(job_id)
    project, form = get_project(job.account_id, job.project_id), PageForm()
    details = (job.failure or {})["details"]
    payload = {**job.payload, **_replacing(details)}
    again = submitted(form, lambda: submit_job(project, publish_blog_post.OPERATION, payload, job_key()))
    if again is not None:
        return redirect(url_for("executions.show", job_id=again.id))
    return form_page(
        "executions/texts.html",
        form,
        job=job,
        project=project,
        post=get_post(project, job.payload["blog_post_id"]),
        target=target_of(job),
        details=details,
        existing="existing_post" in details,
        title=compare_line(str(details.get("title_there") or ""), str(details.get("title_here") or "")),
        text=compare_html(str(details.get("text_there") or ""), str(details.get("text_here") or "")),
    )


def _stopped_job(job_id: int) -> ExecutionJob:
    job = get_job(signed_in().id, job_id)
    failed = job.failure or {}
    if failed.get("code") not in _CODES or "text_there" not in (failed.get("details") or {}):
        raise ServiceFailure("JOB_NOT_FOUND")
    return job


def _replacing(details: Mapping[str, Any]) -> dict[str, Any]:
    """Return the members of a payload that replace the text there: only the one that was shown."""
    if "existing_post" not in details:
        return {"overwrite": True}
    visible = {} if details.get("state_there") == "draft" else {"visibility": "live"}
    return {"existing_post": details["existing_post"], **visible}
