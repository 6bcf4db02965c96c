"""Help: what each screen is for, in few words, and the keyboard shortcuts."""

from typing import Final

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.dashboard.auth import signed_in
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.query import query_id
from app.dashboard.ui.shortcuts import GROUPS
from app.projects.model import Project
from app.projects.service import get_project, list_projects

blueprint = dashboard_blueprint("help", "/help")

SCRIPT: Final = "fetch"
"""The X-Requested-With of static/shortcuts.js: without HTTPS, browsers send no Sec-Fetch-Dest."""


@blueprint.get("")
def index() -> ResponseReturnValue:
    """Explain the dashboard; the screens are links into the site of the query, or the only one."""
    return render_template("help/index.html", project=_site(), groups=GROUPS)


@blueprint.get("/shortcuts")
def shortcuts() -> ResponseReturnValue:
    """Return the sheet of shortcuts as a part of any page, to its script; Help lists them for others."""
    if request.headers.get("X-Requested-With") != SCRIPT:
        return redirect(url_for("help.index", _anchor="shortcuts"))
    return render_template("help/_sheet.html", groups=GROUPS)


def _site() -> Project | None:
    project_id = query_id("project")
    if project_id is not None:
        return get_project(signed_in().id, project_id)
    projects, total = list_projects(signed_in().id, 1, 1)
    return projects[0] if total == 1 else None
