"""The publish targets of a project: signed webhooks, whose secrets are shown once."""

from __future__ import annotations

from typing import Final

from flask import flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import StringField
from wtforms.validators import InputRequired

from app.dashboard.forms.base import AddressField, PageForm, form_page, submitted
from app.dashboard.projects import own_project
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.projects.model import Project
from app.publishing import service
from app.publishing.model import PublishTarget

blueprint = dashboard_blueprint("targets", "/projects/<row:project_id>/settings/targets")

MOST_POSTS: Final = 20


class WebhookForm(PageForm):
    """A new webhook."""

    name = StringField(
        "Name", [InputRequired("Give the target a name.")], description="Such as “Company blog”."
    )
    url = AddressField(
        "Webhook address",
        [InputRequired("Enter the address that takes the posts.")],
        description="Gets a signed POST (Standard Webhooks) and answers with the post's id and url.",
        render_kw={"placeholder": "https://example.com/hooks/posts"},
    )


@blueprint.route("", methods=["GET", "POST"])
def index(project_id: int) -> ResponseReturnValue:
    """List the targets, and add a webhook. Its secret is shown in this response only."""
    project = own_project(project_id)
    form = WebhookForm(request.form)
    made = submitted(
        form,
        lambda: service.add_target(project, "webhook", form.name.data or "", {"url": form.url.data or ""}),
    )
    if made is not None:
        return _shown_once(project, *made, "settings/target_made.html")
    targets = service.list_targets(project)
    return form_page("settings/targets.html", form, project=project, targets=targets)


@blueprint.route("/<row:target_id>/remove", methods=["GET", "POST"])
def remove(project_id: int, target_id: int) -> ResponseReturnValue:
    """Ask for confirmation, then remove a target. This fails while posts are, or may be, live there."""
    project = own_project(project_id)
    target = service.get_target(project, target_id)
    form, name = PageForm(request.form), target.name
    if submitted(form, lambda: _removed(target)) is not None:
        flash(f"The target “{name}” is removed.")
        return redirect(url_for("targets.index", project_id=project.id))
    page = render_template(
        "settings/target_remove.html",
        project=project,
        target=target,
        form=form,
        posts=service.posts_at(target, MOST_POSTS),
    )
    return page, 409 if form.failure else 200


@blueprint.route("/<row:target_id>/secret", methods=["GET", "POST"])
def new_secret(project_id: int, target_id: int) -> ResponseReturnValue:
    """Ask for confirmation, then give a target a new signing secret, shown in this response only."""
    project = own_project(project_id)
    target = service.get_target(project, target_id)
    form = PageForm(request.form)
    secret = submitted(form, lambda: service.rotate_secret(target))
    if secret is None:
        return form_page("settings/target_secret.html", form, project=project, target=target)
    return _shown_once(project, target, secret, "settings/target_secret_made.html")


def _removed(target: PublishTarget) -> bool:
    service.remove_target(target)
    return True


def _shown_once(
    project: Project, target: PublishTarget, secret: str | None, template: str
) -> ResponseReturnValue:
    answer = make_response(render_template(template, project=project, target=target, secret=secret), 201)
    answer.headers["Cache-Control"] = "no-store"
    return answer
