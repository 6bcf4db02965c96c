"""Publish targets of a project: a signed webhook, its secret shown once."""

from __future__ import annotations

from flask import flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import StringField, URLField
from wtforms.validators import InputRequired

from app.dashboard.forms import PageForm, submitted
from app.dashboard.projects import own_project
from app.dashboard.room import room
from app.publishing import service

blueprint = room("targets", "/projects/<row:project_id>/settings/targets")


class WebhookForm(PageForm):
    """A receiver of posts."""

    name = StringField(
        "Name", [InputRequired("Give the target a name.")], description="Such as “Company blog”."
    )
    url = URLField(
        "Webhook address", [InputRequired("Enter the address that takes the posts.")],
        description="Gets a signed POST (Standard Webhooks) and answers with the post's id and url.",
        render_kw={"placeholder": "https://example.com/hooks/posts"},
    )  # fmt: skip


@blueprint.route("", methods=["GET", "POST"])
def index(project_id: int) -> ResponseReturnValue:
    """List the targets, and add a webhook; its secret is in this one answer and nowhere else."""
    project = own_project(project_id)
    form = WebhookForm(request.form)
    made = submitted(
        form,
        lambda: service.add_target(project, "webhook", form.name.data or "", {"url": form.url.data or ""}),
    )
    if made is not None:
        page = render_template("settings/target_made.html", project=project, target=made[0], secret=made[1])
        answer = make_response(page, 201)
        answer.headers["Cache-Control"] = "no-store"
        return answer
    targets = service.list_targets(project)
    return render_template("settings/targets.html", project=project, form=form, targets=targets), form.status


@blueprint.route("/<row:target_id>/remove", methods=["GET", "POST"])
def remove(project_id: int, target_id: int) -> ResponseReturnValue:
    """Ask, then remove a target; what it received stays where it is."""
    project = own_project(project_id)
    target = service.get_target(project, target_id)
    if request.method == "GET":
        return render_template("settings/target_remove.html", project=project, target=target)
    service.remove_target(target)
    flash(f"The target “{target.name}” is removed.")
    return redirect(url_for("targets.index", project_id=project.id))
