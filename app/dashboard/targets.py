"""A project's publish targets: add and remove them, and renew their secrets."""

from __future__ import annotations

from typing import Final

from flask import flash, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import Field, StringField
from wtforms.validators import InputRequired

from app.dashboard.forms.base import AddressField, PageForm, form_page, submitted
from app.dashboard.projects import own_project
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.failures import ServiceFailure
from app.projects.model import Project
from app.publishing import service
from app.publishing.model import PublishTarget
from app.publishing.targets.base import Setting, TargetKind
from app.publishing.targets.registry import KINDS

blueprint = dashboard_blueprint("targets", "/projects/<row:project_id>/settings/targets")

MOST_POSTS: Final = 20


def form_of(kind: TargetKind) -> PageForm:
    """Return the submitted form that adds a target of a kind: its name and a field for each setting."""
    name = StringField(
        "Name", [InputRequired("Give the target a name.")], description="Such as “Company blog”."
    )
    fields = {"name": name, **{setting.name: _field_of(setting) for setting in kind.settings}}
    form: PageForm = type("TargetForm", (PageForm,), fields)(request.form)
    return form


@blueprint.route("", methods=["GET", "POST"])
def index(project_id: int) -> ResponseReturnValue:
    """List the targets, and add one of the kind in the query. Its secret is shown in this response only."""
    project = own_project(project_id)
    kind = KINDS.get(request.args.get("kind", next(iter(KINDS))))
    if kind is None:
        raise ServiceFailure("NOT_FOUND")
    form = form_of(kind)
    added = submitted(form, lambda: _add(project, kind, form))
    if added is not None:
        return _with_secret(project, *added, "settings/target_made.html")
    return form_page(
        "settings/targets.html",
        form,
        project=project,
        kind=kind,
        kinds=KINDS,
        targets=service.list_targets(project),
    )


@blueprint.route("/<row:target_id>/remove", methods=["GET", "POST"])
def remove(project_id: int, target_id: int) -> ResponseReturnValue:
    """Ask for confirmation, then remove a target. This fails while posts are, or may be, live there."""
    project = own_project(project_id)
    target = service.get_target(project.id, target_id)
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
    """Ask for confirmation, then give a target a new secret, shown in this response only."""
    project = own_project(project_id)
    target = service.get_target(project.id, target_id)
    form = PageForm(request.form)
    secret = submitted(form, lambda: service.rotate_secret(target))
    if secret is None:
        return form_page(
            "settings/target_secret.html", form, project=project, target=target, kind=KINDS[target.kind]
        )
    return _with_secret(project, target, secret, "settings/target_secret_made.html")


def _field_of(setting: Setting) -> Field:
    field_class = AddressField if setting.is_address else StringField
    return field_class(
        setting.label,
        [InputRequired("This is required.")],
        description=setting.hint,
        render_kw={"placeholder": setting.placeholder},
    )


def _add(project: Project, kind: TargetKind, form: PageForm) -> tuple[PublishTarget, str | None]:
    values = {field.name: field.data or "" for field in form}
    return service.add_target(project, kind.name, values.pop("name"), values)


def _removed(target: PublishTarget) -> bool:
    service.remove_target(target)
    return True


def _with_secret(
    project: Project, target: PublishTarget, secret: str | None, template: str
) -> ResponseReturnValue:
    page = render_template(template, project=project, target=target, kind=KINDS[target.kind], secret=secret)
    response = make_response(page, 201)
    response.headers["Cache-Control"] = "no-store"
    return response
