"""Keywords: the list, adding them one per line or from a file, removing and exporting them."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response
from wtforms.validators import InputRequired

from app.content.posts.service import titles_of
from app.dashboard.forms.base import LinesField, PageForm, lines, submitted
from app.dashboard.forms.upload import allow_files, choice_of_file, chosen_columns, pickers
from app.dashboard.ui.addresses import back_or
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.presentation import counted
from app.dashboard.ui.query import (
    PAGE_SIZE,
    Pager,
    chosen_order,
    page_that_is_there,
    query_page,
    query_text,
    row_ids,
)
from app.dashboard.ui.responses import send_csv
from app.dashboard.ui.toasts import say, say_brought_back
from app.failures import ServiceFailure, invalid_field
from app.keywords import files, service
from app.keywords.bulk import add_keywords, check_keywords
from app.keywords.coverage import STATES
from app.keywords.files import PURPOSE, ROLES
from app.keywords.model import Keyword
from app.keywords.removal import remove_keywords, undo_removal
from app.pages import queries
from app.projects.model import Project
from app.spreadsheets.model import UploadedFile
from app.spreadsheets.service import get_upload, read
from app.spreadsheets.tables import MOST_BYTES, Table

blueprint = dashboard_blueprint("keywords", "/projects/<row:project_id>/keywords")
blueprint.url_value_preprocessor(allow_files(MOST_BYTES, "keywords.choose_file"))

MOST_LINES: Final = 1000
MOST_REASONS: Final = 3
MOST_RIVALS: Final = 3
ORDERS: Final = {
    "newest": "Newest first",
    "text": "A to Z",
    "volume": "Most searched first",
    "easiest": "Easiest first",
}


class KeywordsForm(PageForm):
    lines = LinesField(
        "Phrases",
        [InputRequired("Enter at least one keyword.")],
        description=f"One per line, at most {MOST_LINES:,} at once. Those already there stay as they are.",
        render_kw={"rows": 6},
    )


@blueprint.route("", methods=["GET", "POST"])
def index(project: Project) -> ResponseReturnValue:
    """List the keywords, count what adding the typed ones would do, or add them."""
    form = KeywordsForm(request.form)
    if "check" in request.form:
        return _page(project, form, _count(project, form.lines.data or ()))
    added = submitted(form, lambda: _add(project, form))
    if added is not None:
        return redirect(url_for("keywords.index", project_id=project.id))
    shown = _page(project, form)
    return (shown, form.status) if isinstance(shown, str) else shown


@blueprint.post("/count")
def count(project: Project) -> ResponseReturnValue:
    """Return what adding the typed lines would do, in words."""
    return _count(project, lines(request.form.get("lines"))), {"Content-Type": "text/plain; charset=utf-8"}


@blueprint.post("/<row:keyword_id>")
def change(project: Project, keyword_id: int) -> ResponseReturnValue:
    keyword = service.get_keyword(project, keyword_id)
    service.set_in_use(keyword, request.form.get("in_use") == "yes")
    return _back(project.id)


@blueprint.post("/remove")
def remove(project: Project) -> ResponseReturnValue:
    removal = remove_keywords(project, row_ids(request.form.getlist("keyword_ids")))
    if removal is None:
        say("Nothing was removed: tick the keywords first.")
    else:
        back = request.form.get("back")
        undo = url_for("keywords.undo", project_id=project.id, removal_id=removal.id, back=back)
        say(f"{counted(len(removal.keywords), 'keyword')} removed.", undo)
    return _back(project.id)


@blueprint.post("/removals/<row:removal_id>/undo")
def undo(project: Project, removal_id: int) -> ResponseReturnValue:
    say_brought_back(lambda: undo_removal(project, removal_id), "keyword")
    return _back(project.id)


@blueprint.route("/import", methods=["GET", "POST"])
def choose_file(project: Project) -> ResponseReturnValue:
    return choice_of_file(project, PURPOSE, "keywords/choose.html", "keywords.preview")


@blueprint.get("/import/<row:upload_id>")
def preview(project: Project, upload_id: int) -> ResponseReturnValue:
    """Show what importing the file would do, with the columns as chosen."""
    uploaded = get_upload(project, PURPOSE, upload_id)
    table, columns = _chosen(uploaded)
    checked = files.check_table(project, table, columns, uploaded.name) if "keyword" in columns else None
    return render_template(
        "keywords/import.html",
        uploaded=uploaded,
        table=table,
        pickers=pickers(ROLES, columns, "keyword"),
        checked=checked,
    )


@blueprint.post("/import/<row:upload_id>")
def commit(project: Project, upload_id: int) -> ResponseReturnValue:
    uploaded = get_upload(project, PURPOSE, upload_id)
    table, columns = _chosen(uploaded)
    if "keyword" not in columns:
        raise invalid_field("/keyword", "Choose the column with the keywords.")
    added = files.import_table(project, table, columns, uploaded)
    say(f"{counted(added, 'keyword')} imported.")
    return redirect(url_for("keywords.index", project_id=project.id))


@blueprint.get("/export.csv")
def export(project: Project) -> ResponseReturnValue:
    return send_csv(files.export_lines(project), f"keywords-{project.id}")


def _back(project_id: int) -> ResponseReturnValue:
    return redirect(back_or(url_for("keywords.index", project_id=project_id)))


def _page(project: Project, form: KeywordsForm, summary: str | None = None) -> str | Response:
    page, q, state = query_page(), query_text("q"), query_text("state")
    state = state if state in STATES else ""
    order = chosen_order(ORDERS)
    rows, total = service.list_keywords(
        project, page, PAGE_SIZE, q=q or None, state=state or None, order=order
    )
    pager = Pager(page, total)
    if there := page_that_is_there(pager):
        return redirect(there)
    return render_template(
        "keywords/index.html",
        form=form,
        keywords=rows,
        q=q,
        state=state,
        order=order,
        orders=ORDERS,
        summary=summary,
        counts=service.states_of(project),
        rivals=_rivals(project.id, rows),
        pager=pager,
    )


def _rivals(project_id: int, keywords: Sequence[Keyword]) -> dict[int, list[tuple[str, str]]]:
    named = {
        keyword.id: (keyword.competing["page_ids"][:MOST_RIVALS], keyword.competing["post_ids"][:MOST_RIVALS])
        for keyword in keywords
        if keyword.coverage_state == "contested" and keyword.competing
    }
    pages = queries.names_of(project_id, {page_id for ids, _ in named.values() for page_id in ids})
    posts = titles_of({project_id}, {post_id for _, ids in named.values() for post_id in ids})
    page_url = partial(url_for, "pages.show", project_id=project_id)
    post_url = partial(url_for, "posts.show", project_id=project_id)
    return {
        keyword_id: [
            *((posts[post_id], post_url(post_id=post_id)) for post_id in post_ids if post_id in posts),
            *((pages[page_id], page_url(page_id=page_id)) for page_id in page_ids if page_id in pages),
        ]
        for keyword_id, (page_ids, post_ids) in named.items()
    }


def _count(project: Project, texts: Sequence[str]) -> str:
    if not texts:
        return "Nothing typed yet"
    if len(texts) > MOST_LINES:
        return f"{len(texts):,} lines: at most {MOST_LINES:,} can be added at once"
    return check_keywords(project, _rows(texts)).summary


def _add(project: Project, form: KeywordsForm) -> int:
    texts: list[str] = form.lines.data or []  # type: ignore[assignment]
    if len(texts) > MOST_LINES:
        raise _failure(f"These are {len(texts):,} keywords; at most {MOST_LINES:,} can be added at once.")
    checked = check_keywords(project, _rows(texts))
    added = add_keywords(project, checked)
    if added or not checked.invalid:
        say(f"{added:,} added, {checked.known:,} already there." if checked.known else f"{added:,} added.")
    if checked.invalid:
        form.lines.data = [texts[row - 1] for row in checked.invalid_rows]  # type: ignore[assignment]
        reasons = [
            f"“{problem.text[:30]}{'…' * (len(problem.text) > 30)}” is {problem.reason}."
            for problem in checked.problems[:MOST_REASONS]
        ]
        more = [f"And {checked.invalid - MOST_REASONS} more."] if checked.invalid > MOST_REASONS else []
        raise _failure("Not added:", *reasons, *more)
    return added


def _rows(texts: Sequence[str]) -> list[Mapping[str, Any]]:
    return [{"keyword_text": text} for text in texts]


def _failure(*messages: str) -> ServiceFailure:
    errors = [{"location": "body", "field": "/lines", "message": message} for message in messages]
    return ServiceFailure("INVALID_REQUEST", errors=errors)


def _chosen(uploaded: UploadedFile) -> tuple[Table, dict[str, int]]:
    table = read(uploaded.name, uploaded.data)[0]
    return table, chosen_columns(request.values, ROLES, len(table.header), files.guessed(table))
