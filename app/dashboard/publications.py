"""Publications of a post, as a person settles them: it is there, it is not there, I unpublished it there."""

from __future__ import annotations

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms.validators import InputRequired

from app.content.model import BlogPost
from app.content.posts.service import get_post
from app.dashboard.forms.base import AddressField, PageForm, submitted
from app.dashboard.projects import own_project
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.failures import ServiceFailure
from app.projects.model import Project
from app.publishing import settle
from app.publishing.model import MAYBE_LIVE, Publication, PublishTarget
from app.publishing.service import get_target, publications_of

blueprint = dashboard_blueprint(
    "publications", "/projects/<row:project_id>/posts/<row:post_id>/publications/<row:publication_id>"
)


class ThereForm(PageForm):
    """Where a post of unknown outcome was found."""

    url = AddressField(
        "Address of the post", [InputRequired("Enter the address where the post can be read.")],
        description="As it stands in the browser when you open the post.",
    )  # fmt: skip


class GoneForm(PageForm):
    """Nothing to fill in: a person's word."""


@blueprint.route("/there", methods=["GET", "POST"])
def there(project_id: int, post_id: int, publication_id: int) -> ResponseReturnValue:
    """Take a person's word that a post of unknown outcome is live at its target, and where."""
    project, post, publication, target = _own_publication(project_id, post_id, publication_id)
    form = ThereForm(request.form, data={"url": publication.url or ""})
    if submitted(form, lambda: settle.confirm_live(project, publication.id, form.url.data or "")) is not None:
        flash(f"Noted: the post is live at {target.name}.")
        return _back(project, post)
    page = render_template(
        "publications/there.html", project=project, post=post, publication=publication, target=target,
        form=form,
    )  # fmt: skip
    return page, form.status


@blueprint.route("/gone", methods=["GET", "POST"])
def gone(project_id: int, post_id: int, publication_id: int) -> ResponseReturnValue:
    """Ask, naming target and URL; then take a person's word that the post is not, or no longer, there."""
    project, post, publication, target = _own_publication(project_id, post_id, publication_id)
    form = GoneForm(request.form)
    if submitted(form, lambda: settle.confirm_gone(project, publication.id)) is not None:
        flash(_noted(post.id, target))
        return _back(project, post)
    page = render_template(
        "publications/gone.html", project=project, post=post, publication=publication, target=target,
        form=form,
    )  # fmt: skip
    return page, form.status


def _noted(post_id: int, target: PublishTarget) -> str:
    elsewhere = any(each.state in MAYBE_LIVE for each in publications_of([post_id])[post_id])
    outcome = "It may still be live elsewhere." if elsewhere else "It is a draft and can be rolled back."
    return f"Noted: the post is not at {target.name}. {outcome}"


def _own_publication(
    project_id: int, post_id: int, publication_id: int
) -> tuple[Project, BlogPost, Publication, PublishTarget]:
    project = own_project(project_id)
    post = get_post(project, post_id)
    found = [each for each in publications_of([post.id])[post.id] if each.id == publication_id]
    if not found:
        raise ServiceFailure("NOT_FOUND")
    return project, post, found[0], get_target(project, found[0].target_id)


def _back(project: Project, post: BlogPost) -> ResponseReturnValue:
    return redirect(url_for("posts.show", project_id=project.id, post_id=post.id, _anchor="publications"))
