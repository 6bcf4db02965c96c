"""What is done with the list of pages: writing from ticked ones, preferring them, and the list as a file."""

from __future__ import annotations

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.content.posts import page_uses
from app.dashboard.pages import filter_of
from app.dashboard.projects import own_project
from app.dashboard.ui.blueprint import dashboard_blueprint, local_path
from app.dashboard.ui.files import send_csv
from app.dashboard.ui.presentation import counted
from app.dashboard.ui.query import query_text, row_ids
from app.dashboard.ui.toasts import say
from app.pages.files import export_lines
from app.pages.service import set_always_used

blueprint = dashboard_blueprint("page_list", "/projects/<row:project_id>/pages")


@blueprint.post("/ticked")
def ticked(project_id: int) -> ResponseReturnValue:
    """Lead to the form of a post from the ticked pages, or set whether these are always used."""
    project = own_project(project_id)
    page_ids = row_ids(request.form.getlist("page_ids"))
    do = request.form.get("do")
    if do not in ("use", "leave"):
        return redirect(url_for("posts.generate", project_id=project_id, page_ids=page_ids))
    changed = set_always_used(project, page_ids, do == "use")
    what = "always used" if do == "use" else "no longer preferred"
    if changed:
        say(f"{_pages(len(changed))} now {what}.", _undo_url(project_id, changed, do))
    else:
        say("Nothing was changed." if page_ids else "Nothing was changed: tick the pages first.")
    back = local_path(request.form.get("back"))
    return redirect(back or url_for("pages.index", project_id=project_id))


@blueprint.post("/ticked/undo")
def undo(project_id: int) -> ResponseReturnValue:
    """Set back what was changed for several pages."""
    page_ids = row_ids(request.args.getlist("page_ids"))
    changed = set_always_used(own_project(project_id), page_ids, request.args.get("do") == "use")
    say(f"{_pages(len(changed))} set back.")
    return redirect(url_for("pages.index", project_id=project_id))


@blueprint.get("/export.csv")
def export(project_id: int) -> ResponseReturnValue:
    """Send the pages that the filter leaves as a CSV file."""
    project, state = own_project(project_id), request.args.get("state", "")
    conditions = filter_of(state, query_text("q")).conditions()
    if state == "unlinked":
        conditions += page_uses.is_unlinked()
    return send_csv(export_lines(project, conditions), f"pages-{project.id}")


def _undo_url(project_id: int, page_ids: list[int], done: str) -> str:
    do = "leave" if done == "use" else "use"
    return url_for("page_list.undo", project_id=project_id, page_ids=page_ids, do=do)


def _pages(number: int) -> str:
    return f"{counted(number, 'page')} {'is' if number == 1 else 'are'}"
