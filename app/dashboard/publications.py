"""Unpublish a post at a target, or confirm by hand where it is: live there, not there, or unpublished."""

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue
from wtforms.validators import InputRequired

from app.content.model import BlogPost
from app.dashboard.forms.base import AddressField, PageForm, form_page, is_done, job_key, submitted
from app.dashboard.forms.submission import submit_job
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.toasts import say
from app.failures import ServiceFailure
from app.operations import unpublish_blog_post
from app.projects.model import Project
from app.publishing import reconcile
from app.publishing.lookup import publications_of, target_of
from app.publishing.model import MAYBE_LIVE, Publication, PublishTarget
from app.publishing.targets.registry import kind_of

blueprint = dashboard_blueprint(
    "publications", "/projects/<row:project_id>/posts/<row:post_id>/publications/<publication_id>"
)


class LiveForm(PageForm):
    """The address of a post whose outcome was unknown and that a person found at the target."""

    url = AddressField(
        "Address of the post",
        [InputRequired("Enter the address where the post can be read.")],
        description="Copy it from the browser while the post is open.",
    )


@blueprint.route("/confirm-live", methods=["GET", "POST"])
def confirm_live(project: Project, post: BlogPost, publication_id: str) -> ResponseReturnValue:
    """Record that a post of unknown outcome is live at its target, and its address there."""
    publication, target = _own_publication(project, post, publication_id)
    form = LiveForm(request.form, data={"url": publication.url or ""})
    confirmed = submitted(form, lambda: reconcile.confirm_live(project, publication_id, form.url.data or ""))
    if confirmed is not None:
        say(f"The post is now recorded as live at {target.name}.")
        return _to_publications(project, post)
    return form_page("publications/confirm_live.html", form, publication=publication, target=target)


@blueprint.route("/unpublish", methods=["GET", "POST"])
def unpublish(project: Project, post: BlogPost, publication_id: str) -> ResponseReturnValue:
    """Ask, then create the job that hides a post from the readers of its target."""
    publication, target = _own_publication(project, post, publication_id)
    form = PageForm(request.form)
    payload = {"blog_post_id": post.id, "target": target.id}
    job = submitted(form, lambda: submit_job(project, unpublish_blog_post.OPERATION, payload, job_key()))
    if job is not None:
        return redirect(url_for("executions.show", job_id=job.id))
    return form_page("publications/unpublish.html", form, publication=publication, target=target)


@blueprint.route("/confirm-gone", methods=["GET", "POST"])
def confirm_gone(project: Project, post: BlogPost, publication_id: str) -> ResponseReturnValue:
    """Ask, then record that a post is not, or no longer, at its target."""
    publication, target = _own_publication(project, post, publication_id)
    form = PageForm(request.form)
    if is_done(form, lambda: reconcile.confirm_gone(project, publication_id)):
        may_be_elsewhere = any(each.state in MAYBE_LIVE for each in publications_of([post.id])[post.id])
        rest = (
            "It may still be live elsewhere." if may_be_elsewhere else "It is a draft and can be rolled back."
        )
        say(f"The post is now recorded as not at {target.name}. {rest}")
        return _to_publications(project, post)
    return form_page(
        "publications/confirm_gone.html",
        form,
        kind=kind_of(target.kind),
        publication=publication,
        target=target,
    )


def _own_publication(
    project: Project, post: BlogPost, publication_id: str
) -> tuple[Publication, PublishTarget]:
    for publication in publications_of([post.id])[post.id]:
        if publication.publication_id == publication_id:
            return publication, target_of(publication)
    raise ServiceFailure("NOT_FOUND")


def _to_publications(project: Project, post: BlogPost) -> ResponseReturnValue:
    return redirect(url_for("posts.show", project_id=project.id, post_id=post.id, _anchor="publications"))
