"""Keywords: the list, adding them one per line, and whether they are in use."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from flask import flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from wtforms.validators import InputRequired

from app.content.posts import keyword_coverage
from app.dashboard.forms.base import LinesField, PageForm, form_page, submitted
from app.dashboard.projects import own_project
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.query import PAGE_SIZE, Pager, query_page, query_text
from app.failures import ServiceFailure
from app.keywords import service
from app.keywords.coverage import STATES
from app.keywords.model import Keyword
from app.pages import queries
from app.projects.model import Project

blueprint = dashboard_blueprint("keywords", "/projects/<row:project_id>/keywords")

MOST_LINES: Final = 200
MOST_REASONS: Final = 3
MOST_RIVALS: Final = 3


class KeywordsForm(PageForm):
    """Phrases, one per line."""

    lines = LinesField(
        "Phrases",
        [InputRequired("Enter at least one keyword.")],
        description="One per line, at most 200 at once. Those already in the list are left as they are.",
    )


@blueprint.route("", methods=["GET", "POST"])
def index(project_id: int) -> ResponseReturnValue:
    """List the keywords and add new ones."""
    project = own_project(project_id)
    form = KeywordsForm(request.form)
    added = submitted(form, lambda: _add(project, form))
    if added is not None:
        flash(added)
        return redirect(url_for("keywords.index", project_id=project.id))
    page, q, state = query_page(), query_text("q"), query_text("state")
    state = state if state in STATES else ""
    rows, total = service.list_keywords(project, page, PAGE_SIZE, q=q or None, state=state or None)
    return form_page(
        "keywords/index.html",
        form,
        project=project,
        keywords=rows,
        q=q,
        state=state,
        counts=service.states_of(project),
        rivals=_rivals(project.id, rows),
        pager=Pager(page, total),
    )


def _rivals(project_id: int, keywords: Sequence[Keyword]) -> dict[int, list[tuple[str, str]]]:
    """Return the names and addresses of a few pages and posts that compete for each contested keyword."""
    named = {
        keyword.id: (keyword.competing["page_ids"][:MOST_RIVALS], keyword.competing["post_ids"][:MOST_RIVALS])
        for keyword in keywords
        if keyword.coverage_state == "contested" and keyword.competing
    }
    pages = queries.names_of(project_id, {page_id for ids, _ in named.values() for page_id in ids})
    posts = keyword_coverage.names_of(project_id, {post_id for _, ids in named.values() for post_id in ids})
    page_url = partial(url_for, "pages.show", project_id=project_id)
    post_url = partial(url_for, "posts.show", project_id=project_id)
    return {
        keyword_id: [
            *((posts[post_id], post_url(post_id=post_id)) for post_id in post_ids if post_id in posts),
            *((pages[page_id], page_url(page_id=page_id)) for page_id in page_ids if page_id in pages),
        ]
        for keyword_id, (page_ids, post_ids) in named.items()
    }


@blueprint.post("/<row:keyword_id>")
def change(project_id: int, keyword_id: int) -> ResponseReturnValue:
    """Set whether posts may be generated for a keyword."""
    keyword = service.get_keyword(own_project(project_id), keyword_id)
    service.set_in_use(keyword, request.form.get("in_use") == "yes")
    return redirect(url_for("keywords.index", project_id=project_id))


def _add(project: Project, form: KeywordsForm) -> str:
    """Add the lines. Those that cannot be added stay in the form, with the first few reasons."""
    lines: list[str] = form.lines.data or []  # type: ignore[assignment]
    if len(lines) > MOST_LINES:
        raise _failure(f"These are {len(lines)} keywords; at most {MOST_LINES} can be added at once.")
    added, known, left, reasons = 0, 0, [], []
    for line in lines:
        try:
            created = service.add_keyword(project, {"keyword_text": line})[1]
        except ServiceFailure as error:
            left.append(line)
            reasons.append(f"“{line[:30]}{'…' * (len(line) > 30)}”: {_reason(error)}")
            continue
        added += created
        known += not created
    done = f"{added} added." if not known else f"{added} added, {known} already there."
    if left:
        form.lines.data = left  # type: ignore[assignment]
        flash(done)
        more = [f"And {len(left) - MOST_REASONS} more."] if len(left) > MOST_REASONS else []
        raise _failure("Not added:", *reasons[:MOST_REASONS], *more)
    return done


def _reason(error: ServiceFailure) -> str:
    return error.errors[0]["message"] if error.errors else error.failure.message


def _failure(*messages: str) -> ServiceFailure:
    errors = [{"location": "body", "field": "/lines", "message": message} for message in messages]
    return ServiceFailure("INVALID_REQUEST", errors=errors)
