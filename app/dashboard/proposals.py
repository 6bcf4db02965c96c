"""Proposals: refresh a post, compare the new text with the current one, use or dismiss it."""

from collections.abc import Mapping
from typing import ClassVar

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import HiddenField

from app.content.model import BlogPost
from app.content.posts.comparing import compare_markdown
from app.content.posts.proposals import dismiss_proposal, open_proposal, use_proposal
from app.content.posts.source_pages import have_changed
from app.dashboard.forms.base import PageForm, form_page, job_key, submitted
from app.dashboard.forms.submission import submit_job
from app.dashboard.forms.writing import RewriteForm, writer
from app.dashboard.outlines import pages_to_choose
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.query import query_text, row_id, row_ids
from app.dashboard.ui.texts import differing_lines
from app.dashboard.ui.toasts import refusals_said, say
from app.dashboard.ui.verdicts import stored_verdict
from app.executions.model import ExecutionJob
from app.executions.queries import latest_jobs
from app.executions.states import ACTIVE
from app.operations import refresh_blog_post, rewrite_blog_post
from app.projects.model import Project

blueprint = dashboard_blueprint("proposals", "/projects/<row:project_id>/posts/<row:post_id>/proposal")

LATEST = 20
"""How many of the newest refreshes of a project are searched for an active one."""


class DecisionForm(PageForm):
    """The proposal and the version of the post that the page showed."""

    places: ClassVar[Mapping[str, str]] = {"proposal_id": "proposal"}

    proposal = HiddenField()
    version = HiddenField()


@blueprint.post("/refresh")
def refresh(project: Project, post: BlogPost) -> ResponseReturnValue:
    job = submit_job(project, refresh_blog_post.OPERATION, {"blog_post_id": post.id}, job_key())
    return redirect(url_for("executions.show", job_id=job.id))


@blueprint.post("/from-pages")
def from_pages(project: Project, post: BlogPost) -> ResponseReturnValue:
    """Create the job that proposes a text from the pages that a person ticked."""
    offered = {page.id for page in pages_to_choose(post)}
    ticked = [each for each in row_ids(request.form.getlist("page_ids")) if each in offered]
    if not ticked:
        say("Tick the page that answers the topic first.")
        return _back(project.id, post.id)
    payload = {"blog_post_id": post.id, "page_ids": ticked}
    job = submit_job(project, refresh_blog_post.OPERATION, payload, job_key())
    return redirect(url_for("executions.show", job_id=job.id))


@blueprint.route("/rewrite", methods=["GET", "POST"])
def rewrite(project: Project, post: BlogPost) -> ResponseReturnValue:
    """Show the form for rewriting one part of a post, and create the job that proposes a new text."""
    form = RewriteForm(request.form, data={name: query_text(name) for name in ("heading", "sentence")})
    form.offer(post)
    job = submitted(
        form, lambda: submit_job(project, rewrite_blog_post.OPERATION, form.payload(post), job_key())
    )
    if job is not None:
        return redirect(url_for("executions.show", job_id=job.id))
    possible = rewrite_blog_post.is_rewritable(post)
    return form_page("posts/rewrite.html", form, possible=possible)


@blueprint.get("")
def show(project: Project, post: BlogPost) -> ResponseReturnValue:
    return _comparison(project, post, DecisionForm())


@blueprint.post("")
def use(project: Project, post: BlogPost) -> ResponseReturnValue:
    """Make the proposal the post's text, unless the post or the proposal has changed since."""
    form = DecisionForm(request.form)
    used = submitted(
        form,
        lambda: use_proposal(
            post, row_id(form.proposal.data) or 0, row_id(form.version.data) or 0, by=writer()
        ),
    )
    if used is None:
        return _comparison(project, post, form)
    say("The new text is in use. Read it once more before it is published.")
    return _back(project.id, post.id)


@blueprint.post("/dismiss")
def dismiss(project: Project, post: BlogPost) -> ResponseReturnValue:
    with refusals_said():
        dismiss_proposal(post, row_id(request.form.get("proposal")) or 0)
        say("Dismissed: the post stays as it is.")
    return _back(project.id, post.id)


def active_refresh(project: Project, post: BlogPost) -> ExecutionJob | None:
    jobs = latest_jobs(project.id, LATEST, refresh_blog_post.OPERATION.name)
    return next((job for job in jobs if job.status in ACTIVE and job.post_id == post.id), None)


def _comparison(project: Project, post: BlogPost, form: DecisionForm) -> ResponseReturnValue:
    proposal = open_proposal(post.id)
    if proposal is None:
        say("There is no new text to decide on.")
        return _back(project.id, post.id)
    return form_page(
        "posts/proposal.html",
        form,
        proposal=proposal,
        lines=differing_lines(post, proposal),
        text=compare_markdown(post.content, proposal.content),
        verdict=stored_verdict(proposal.quality),
        outdated=have_changed(proposal),
        refreshing=active_refresh(project, post),
    )


def _back(project_id: int, post_id: int) -> ResponseReturnValue:
    return redirect(url_for("posts.show", project_id=project_id, post_id=post_id))
