"""Removes a site with its posts: says what becomes of everything, and asks for the site's name."""

from __future__ import annotations

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import StringField, ValidationError

from app.dashboard.auth import signed_in
from app.dashboard.forms.base import PageForm, is_done
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.toasts import say
from app.overview.project_removal import losses_of, reason_to_wait, remove_project
from app.projects.model import Project

blueprint = dashboard_blueprint("project_removal", "/projects/<row:project_id>/delete")


class RemovalForm(PageForm):
    """The name of the site, typed by somebody who has read what is lost."""

    name = StringField("Name of the site", render_kw={"autocomplete": "off"})

    def __init__(self, project: Project) -> None:
        super().__init__(request.form)
        self._expected = project.name

    def validate_name(self, field: StringField) -> None:
        """Refuse any other name. Raises ValidationError."""
        if (field.data or "").strip().casefold() != self._expected.strip().casefold():
            raise ValidationError(f"Type the name as it is here: {self._expected}")


@blueprint.route("", methods=["GET", "POST"])
def confirm(project: Project) -> ResponseReturnValue:
    """Say what is lost with a site, and remove it once its name is typed."""
    form, name = RemovalForm(project), project.name
    reason = reason_to_wait(project, signed_in())
    if reason is None and is_done(form, lambda: remove_project(project)):
        say(f"“{name}” is removed.")
        return redirect(url_for("projects.index"))
    page = render_template("projects/remove.html", form=form, reason=reason, losses=losses_of(project))
    return page, 409 if reason and request.method == "POST" else form.status
