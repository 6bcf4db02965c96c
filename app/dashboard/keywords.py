"""Keywords: the list, adding them one per line, and whether they are in use."""

from __future__ import annotations

from typing import Final

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import TextAreaField
from wtforms.validators import InputRequired

from app.dashboard.forms import PageForm, submitted
from app.dashboard.pager import PAGE_SIZE, Pager, asked_page
from app.dashboard.projects import own_project
from app.dashboard.query import asked_text
from app.dashboard.room import room
from app.failures import ServiceFailure
from app.keywords import service
from app.projects.model import Project

blueprint = room("keywords", "/projects/<row:project_id>/keywords")

MOST_LINES: Final = 200
MOST_REASONS: Final = 3


class KeywordsForm(PageForm):
    """Phrases, one per line."""

    lines = TextAreaField(
        "Phrases", [InputRequired("Enter at least one keyword.")],
        description="One per line, at most 200 at once. Those already in the list are left as they are.",
    )  # fmt: skip


@blueprint.route("", methods=["GET", "POST"])
def index(project_id: int) -> ResponseReturnValue:
    """List the keywords and take new ones."""
    project = own_project(project_id)
    form = KeywordsForm(request.form)
    added = submitted(form, lambda: _add(project, form))
    if added is not None:
        flash(added)
        return redirect(url_for("keywords.index", project_id=project.id))
    page, wanted = asked_page(), asked_text("q")
    rows, total = service.list_keywords(project, page, PAGE_SIZE, q=wanted or None)
    shown = render_template(
        "keywords/index.html", project=project, form=form, keywords=rows, q=wanted, pager=Pager(page, total)
    )
    return shown, form.status


@blueprint.post("/<row:keyword_id>")
def change(project_id: int, keyword_id: int) -> ResponseReturnValue:
    """Take a keyword into use, or out of it."""
    keyword = service.get_keyword(own_project(project_id), keyword_id)
    service.set_in_use(keyword, request.form.get("in_use") == "yes")
    return redirect(url_for("keywords.index", project_id=project_id))


def _add(project: Project, form: KeywordsForm) -> str:
    """Add the lines; those that cannot be added stay in the form, with the reasons of the first few."""
    lines = [line.strip() for line in (form.lines.data or "").splitlines() if line.strip()]
    if len(lines) > MOST_LINES:
        raise _refused(f"These are {len(lines)} keywords; at most {MOST_LINES} can be added at once.")
    added, known, left, reasons = 0, 0, [], []
    for line in lines:
        try:
            created = service.add_keyword(project, {"keyword_text": line})[1]
        except ServiceFailure as refused:
            left.append(line)
            reasons.append(f"“{line[:30]}{'…' * (len(line) > 30)}”: {_reason(refused)}")
            continue
        added += created
        known += not created
    done = f"{added} added." if not known else f"{added} added, {known} already there."
    if left:
        form.lines.data = "\n".join(left)
        more = [f"And {len(left) - MOST_REASONS} more."] if len(left) > MOST_REASONS else []
        raise _refused(f"{done} Not added:", *reasons[:MOST_REASONS], *more)
    return done


def _reason(refused: ServiceFailure) -> str:
    return refused.errors[0]["message"] if refused.errors else refused.failure.message


def _refused(*messages: str) -> ServiceFailure:
    errors = [{"location": "body", "field": "/lines", "message": message} for message in messages]
    return ServiceFailure("INVALID_REQUEST", errors=errors)
