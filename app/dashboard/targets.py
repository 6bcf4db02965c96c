"""Publish targets of a project: adding one of each kind, trying it, its secret, removing it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from flask import flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import PasswordField, StringField
from wtforms.validators import InputRequired

from app.dashboard.forms import AddressField, PageForm, submitted
from app.dashboard.projects import own_project
from app.dashboard.room import room
from app.projects.model import Project
from app.publishing import service
from app.publishing.model import PublishTarget

blueprint = room("targets", "/projects/<row:project_id>/settings/targets")

MOST_POSTS: Final = 20


class WebhookForm(PageForm):
    """A receiver of posts."""

    name = StringField(
        "Name", [InputRequired("Give the target a name.")], description="Such as “Company blog”."
    )
    url = AddressField(
        "Webhook address", [InputRequired("Enter the address that takes the posts.")],
        description="Gets a signed POST (Standard Webhooks) and answers with the post's id and url.",
        render_kw={"placeholder": "https://example.com/hooks/posts"},
    )  # fmt: skip


class PasswordForm(PageForm):
    """An application password of WordPress."""

    secret = PasswordField(
        "Application password", [InputRequired("Enter the application password.")],
        description="Made in WordPress under Users, Profile, Application Passwords. It is stored encrypted "
        "and never shown again; the password that you sign in with does not work.",
        render_kw={"autocomplete": "off", "placeholder": "abcd efgh ijkl mnop qrst uvwx"},
    )  # fmt: skip


class WordPressForm(PasswordForm):
    """A WordPress site, and who publishes there."""

    name = StringField(
        "Name", [InputRequired("Give the target a name.")], description="Such as “Company blog”."
    )
    url = AddressField(
        "Address of the site", [InputRequired("Enter the address of the WordPress site.")],
        render_kw={"placeholder": "https://example.com/blog/"},
    )  # fmt: skip
    username = StringField(
        "User name", [InputRequired("Enter the user name.")],
        description="A user of WordPress with the role Author or Editor; posts appear under its name.",
        render_kw={"autocomplete": "off"},
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
        return _shown_once(project, *made, "settings/target_made.html")
    targets = service.list_targets(project)
    return render_template("settings/targets.html", project=project, form=form, targets=targets), form.status


@blueprint.route("/wordpress", methods=["GET", "POST"])
def add_wordpress(project_id: int) -> ResponseReturnValue:
    """Add a WordPress site, and lead on to its test."""
    project = own_project(project_id)
    form = WordPressForm(request.form)
    typed = form.typed()
    settings = {name: typed[name] for name in ("url", "username")}
    made = submitted(
        form,
        lambda: service.add_target(project, "wordpress", form.name.data or "", settings, form.secret.data),
    )
    if made is None:
        return render_template("settings/target_wordpress.html", project=project, form=form), form.status
    flash(f"The target “{made[0].name}” is added. Test it before you publish there.")
    return redirect(url_for("targets.test", project_id=project.id, target_id=made[0].id))


@blueprint.route("/<row:target_id>/test", methods=["GET", "POST"])
def test(project_id: int, target_id: int) -> ResponseReturnValue:
    """Try the way to a target; nothing is published or changed there."""
    project = own_project(project_id)
    target = service.get_target(project, target_id)
    form, name = PageForm(request.form), target.name
    checks = submitted(form, lambda: service.test_target(target))
    page = render_template(
        "settings/target_test.html", project=project, target=target, name=name, form=form, checks=checks
    )
    return page, form.status


@blueprint.route("/<row:target_id>/remove", methods=["GET", "POST"])
def remove(project_id: int, target_id: int) -> ResponseReturnValue:
    """Ask, then remove a target; refused while posts are, or may be, there."""
    project = own_project(project_id)
    target = service.get_target(project, target_id)
    form, name = PageForm(request.form), target.name
    if submitted(form, _done(lambda: service.remove_target(target))) is not None:
        flash(f"The target “{name}” is removed.")
        return redirect(url_for("targets.index", project_id=project.id))
    page = render_template(
        "settings/target_remove.html", project=project, target=target, form=form,
        posts=service.posts_at(target, MOST_POSTS),
    )  # fmt: skip
    return page, 409 if form.failure else 200


@blueprint.route("/<row:target_id>/secret", methods=["GET", "POST"])
def new_secret(project_id: int, target_id: int) -> ResponseReturnValue:
    """Ask, then give a target a new signing secret; it is in this one answer and nowhere else."""
    project = own_project(project_id)
    target = service.get_target(project, target_id)
    form = PageForm(request.form)
    secret = submitted(form, lambda: service.rotate_secret(target))
    if secret is None:
        page = render_template("settings/target_secret.html", project=project, target=target, form=form)
        return page, form.status
    return _shown_once(project, target, secret, "settings/target_secret_made.html")


@blueprint.route("/<row:target_id>/password", methods=["GET", "POST"])
def new_password(project_id: int, target_id: int) -> ResponseReturnValue:
    """Take a new application password for a WordPress site."""
    project = own_project(project_id)
    target = service.get_target(project, target_id)
    form, name = PasswordForm(request.form), target.name
    if submitted(form, _done(lambda: service.replace_secret(target, form.secret.data or ""))) is None:
        page = render_template("settings/target_password.html", project=project, target=target, form=form)
        return page, form.status
    flash(f"“{name}” has the new password.")
    return redirect(url_for("targets.test", project_id=project.id, target_id=target_id))


def _done(act: Callable[[], None]) -> Callable[[], bool]:
    """Return an act that answers True, as ``submitted`` tells what was done from what was not sent."""

    def acted() -> bool:
        act()
        return True

    return acted


def _shown_once(
    project: Project, target: PublishTarget, secret: str | None, template: str
) -> ResponseReturnValue:
    answer = make_response(render_template(template, project=project, target=target, secret=secret), 201)
    answer.headers["Cache-Control"] = "no-store"
    return answer
