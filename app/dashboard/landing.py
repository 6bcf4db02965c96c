"""The first page: what the service does, for visitors; the projects, for people who are signed in."""

from __future__ import annotations

from flask import redirect, render_template, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user

from app.dashboard.auth import SignUpForm
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.infra.settings import current_settings

blueprint = dashboard_blueprint("landing")


@blueprint.get("/")
def home() -> ResponseReturnValue:
    """Redirect signed-in people to their projects; show everybody else what the service does."""
    if current_user.is_authenticated:
        return redirect(url_for("projects.index"))
    return render_template(
        "landing/index.html", form=SignUpForm(), signup_open=current_settings().signup_open
    )
