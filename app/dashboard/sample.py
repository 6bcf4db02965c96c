"""The sample site: created with a first draft."""

from __future__ import annotations

from typing import Final

from flask import redirect, url_for
from flask.typing import ResponseReturnValue

from app.dashboard.auth import signed_in
from app.dashboard.forms.submission import submit_job
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.failures import ServiceFailure
from app.keywords.bulk import add_keywords, check_keywords
from app.operations import generate_blog_post
from app.pages.sample_site import add_sample
from app.projects.model import Project

blueprint = dashboard_blueprint("sample", "/projects")

TOPIC: Final = "How to plan a weekly rota"
KEYWORDS: Final = ("weekly rota", "shift swaps", "weekend shifts", "labour costs", "seasonal staff")


@blueprint.post("/sample")
def add() -> ResponseReturnValue:
    """Create the sample site with keywords, and write a first draft, which the next page opens."""
    try:
        project = add_sample(signed_in())
    except ServiceFailure as refused:
        if refused.failure.code != "PROJECT_ALREADY_EXISTS" or not refused.failure.details:
            raise
        return redirect(url_for("projects.overview", project_id=refused.failure.details["project_id"]))
    add_keywords(project, check_keywords(project, [{"keyword_text": keyword} for keyword in KEYWORDS]))
    return redirect(url_for("onboarding.show", project_id=project.id, writing=_first_draft(project)))


def _first_draft(project: Project) -> int | None:
    """Create the job of the first draft; None if the account may write none now."""
    try:
        return submit_job(project, generate_blog_post.OPERATION, {"topic": TOPIC}, key=None).id
    except ServiceFailure:
        return None
