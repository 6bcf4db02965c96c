"""The first minutes with a site: its address is checked, its pages are read, and an idea becomes a draft.

The sample site comes with keywords and a first draft.
"""

from dataclasses import dataclass
from typing import Any, Final

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.content.planning.ideas.keyword_ideas import suggest_keywords
from app.dashboard.auth import signed_in
from app.dashboard.forms.base import job_key, with_scheme
from app.dashboard.forms.submission import submit_job
from app.dashboard.ideas import BEST_FIRST, found_ideas, idea_of, latest_search
from app.dashboard.milestones import checklist, is_syncing, written_post
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.query import query_id
from app.dashboard.ui.responses import render_part
from app.dashboard.ui.toasts import refusals_said
from app.executions.model import ExecutionJob
from app.executions.queries import get_job, newest_job
from app.executions.states import ACTIVE
from app.failures import ServiceFailure
from app.infra import rate_limit
from app.infra.db import release
from app.infra.settings import current_settings
from app.keywords import service as keywords
from app.keywords.bulk import add_keywords, check_keywords
from app.operations import generate_blog_post, suggest_titles, sync_sitemap
from app.operations.base import Operation
from app.operations.suggest_titles import generation_payload
from app.overview.progress import numbers_of
from app.pages.reading_progress import ReadingProgress, latest_read, reading_progress
from app.pages.sample_site import add_sample
from app.projects.model import Project

blueprint = dashboard_blueprint("onboarding", "/projects")

MOST_IDEAS: Final = 5
MOST_KEYWORDS: Final = 8

CHECKS: Final = ((12, 60), (100, 3600))

SAMPLE_TOPIC: Final = "How to plan a weekly rota"
SAMPLE_KEYWORDS: Final = ("weekly rota", "shift swaps", "weekend shifts", "labour costs", "seasonal staff")


@dataclass(frozen=True)
class Moment:
    """What shows whether the page has changed: how far reading is, and the newest job of each kind.

    ``opens_draft``: the page was asked to open the draft of this job.
    """

    reading: ReadingProgress
    sync: ExecutionJob | None
    ideas: ExecutionJob | None
    draft: ExecutionJob | None
    opens_draft: bool

    @property
    def since(self) -> str:
        """A text that changes with it."""
        jobs = (self.sync, self.ideas, self.draft)
        versions = [f"{job.id}.{job.updated_at.isoformat()}" if job else "0" for job in jobs]
        return "-".join([f"{self.reading.done}/{self.reading.pages}", *versions])


@blueprint.post("/check")
def check() -> ResponseReturnValue:
    """Look at a website and return what was found as a part of the page."""
    from app.pages.site_check import SiteCheck, check_site  # loads the reading of sitemaps

    account_id = signed_in().id
    for limit, seconds in CHECKS:
        rate_limit.check(f"site-check:{account_id}", limit, seconds)
    release()
    try:
        found = check_site(current_settings(), with_scheme(request.form.get("url", "")))
    except ServiceFailure as refused:
        found = SiteCheck(False, refused.first_message)
    return render_part("onboarding/_check.html", check=found)


@blueprint.post("/sample")
def add_sample_site() -> ResponseReturnValue:
    """Create the sample site with keywords, and write a first draft, which the next page opens."""
    try:
        project = add_sample(signed_in())
    except ServiceFailure as refused:
        if refused.failure.code != "PROJECT_ALREADY_EXISTS" or not refused.failure.details:
            raise
        return redirect(url_for("projects.overview", project_id=refused.failure.details["project_id"]))
    add_keywords(project, check_keywords(project, [{"keyword_text": keyword} for keyword in SAMPLE_KEYWORDS]))
    return redirect(url_for("onboarding.show", project_id=project.id, writing=_sample_draft(project)))


@blueprint.get("/<row:project_id>/start")
def show(project: Project) -> ResponseReturnValue:
    """Show how the pages are read, the first ideas and what comes next; a draft that is ready is opened."""
    writing = _asked_for(project)
    post_id = written_post(writing)
    if post_id is not None:
        return redirect(url_for("posts.show", project_id=project.id, post_id=post_id))
    return render_template("onboarding/start.html", **_found(project, _moment(project, writing)))


@blueprint.get("/<row:project_id>/start/live")
def live(project: Project) -> ResponseReturnValue:
    """Return the changing part of the page; 204 if it has not changed since ``since``."""
    moment = _moment(project, _asked_for(project))
    if request.args.get("since") == moment.since:
        return "", 204
    return render_part("onboarding/_live.html", **_found(project, moment))


@blueprint.post("/<row:project_id>/start/ideas")
def find_ideas(project: Project) -> ResponseReturnValue:
    return _submitted(project, suggest_titles.OPERATION, {"count": MOST_IDEAS * 2})


@blueprint.post("/<row:project_id>/start/ideas/<row:job_id>/<int:number>")
def write(project: Project, job_id: int, number: int) -> ResponseReturnValue:
    payload = generation_payload(idea_of(project, job_id, number))
    return _submitted(project, generate_blog_post.OPERATION, payload)


@blueprint.post("/<row:project_id>/start/keywords")
def keep_keyword(project: Project) -> ResponseReturnValue:
    with refusals_said():
        keyword, _ = keywords.add_keyword(project, {"keyword_text": request.form.get("text", "")})
        keywords.set_in_use(keyword, request.form.get("keep") == "yes")
    return redirect(url_for("onboarding.show", project_id=project.id, _anchor="keywords"))


def _sample_draft(project: Project) -> int | None:
    try:
        return submit_job(project, generate_blog_post.OPERATION, {"topic": SAMPLE_TOPIC}, key=None).id
    except ServiceFailure:
        return None


def _submitted(project: Project, operation: Operation, payload: dict[str, Any]) -> ResponseReturnValue:
    try:
        job = submit_job(project, operation, payload, job_key())
    except ServiceFailure as error:
        found = {**_found(project, _moment(project, None)), "refusal": error.failure}
        return render_template("onboarding/start.html", **found), error.failure.kind.http or 422
    writing = job.id if operation is generate_blog_post.OPERATION else None
    return redirect(url_for("onboarding.show", project_id=project.id, writing=writing))


def _asked_for(project: Project) -> ExecutionJob | None:
    job_id = query_id("writing")
    if job_id is None:
        return None
    job = get_job(signed_in().id, job_id)
    return job if job.project_id == project.id else None


def _moment(project: Project, asked: ExecutionJob | None) -> Moment:
    return Moment(
        reading_progress(project),
        newest_job(project.id, sync_sitemap.OPERATION.name),
        latest_search(project),
        asked or newest_job(project.id, generate_blog_post.OPERATION.name),
        opens_draft=asked is not None,
    )


def _found(project: Project, moment: Moment) -> dict[str, Any]:
    reading, sync, draft = moment.reading, moment.sync, moment.draft
    ideas = found_ideas(project, moment.ideas)
    best = sorted(ideas["ideas"], key=lambda each: BEST_FIRST.index(each.idea["coverage"]))
    syncing = is_syncing(project, sync)
    wants_ideas = moment.ideas is None and not syncing and reading.pages > 0
    is_writing = draft is not None and draft.status in ACTIVE
    draft_id = written_post(draft)
    return {
        "reading": reading,
        "latest_read": latest_read(project),
        "sync": sync,
        "is_syncing": syncing,
        "ideas": ideas,
        "best_ideas": best[:MOST_IDEAS],
        "wants_ideas": wants_ideas,
        "draft": draft,
        "draft_id": draft_id,
        "is_writing": is_writing,
        "opens_draft": moment.opens_draft,
        "suggestions": _suggestions(project) if ideas["done"] else {},
        "steps": checklist(project, numbers_of(project), reading, sync, draft, draft_id),
        "is_moving": syncing or is_writing or wants_ideas or ideas["active"] or not reading.is_over,
        "since": moment.since,
        "refusal": None,
    }


def _suggestions(project: Project) -> dict[str, bool]:
    texts = suggest_keywords(project, MOST_KEYWORDS)
    kept = keywords.kept_among(project, texts)
    return {text: text in kept for text in texts}
