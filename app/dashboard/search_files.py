"""Imports of search results: choose a file, look at the dry run, import."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.dashboard.forms.upload import (
    ColumnPicker,
    allow_files,
    choice_of_file,
    chosen_columns,
    pickers,
)
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.toasts import say
from app.failures import ServiceFailure, invalid_field
from app.projects.model import Project
from app.search_performance.importing import (
    PURPOSE,
    check_tables,
    guessed_choices,
    guessed_period,
    import_tables,
)
from app.search_performance.reading import FIGURES, KINDS, SUBJECT, Choice
from app.spreadsheets.service import get_upload, read
from app.spreadsheets.tables import MOST_BYTES, Table

blueprint = dashboard_blueprint("search_files", "/projects/<row:project_id>/search/import")
blueprint.url_value_preprocessor(allow_files(MOST_BYTES, "search_files.choose"))

KIND_WORDS: Final = {"queries": "Searches", "pages": "Pages"}


@dataclass(frozen=True)
class Part:
    """One table of the file, how its columns are chosen, and what it is taken for."""

    number: int
    table: Table
    choice: Choice
    pickers: list[ColumnPicker]


@blueprint.route("", methods=["GET", "POST"])
def choose(project: Project) -> ResponseReturnValue:
    """Choose a file and keep it for its dry run."""
    return choice_of_file(project, PURPOSE, "search/choose.html", "search_files.preview")


@blueprint.get("/<row:upload_id>")
def preview(project: Project, upload_id: int) -> ResponseReturnValue:
    """Show what importing the file would do, with the columns and days as chosen."""
    uploaded = get_upload(project, PURPOSE, upload_id)
    parts = _parts(read(uploaded.name, uploaded.data))
    days = _days([part.table for part in parts])
    checked, wrong = {}, None
    try:
        checked = check_tables(project, [p.table for p in parts], [p.choice for p in parts], *days)
    except ServiceFailure as error:
        wrong = error.first_message
    return render_template(
        "search/import.html",
        uploaded=uploaded,
        parts=parts,
        kinds=KIND_WORDS,
        days=days,
        checked=checked,
        wrong=wrong,
        rows=sum(len(part.found) for part in checked.values()),
    )


@blueprint.post("/<row:upload_id>")
def commit(project: Project, upload_id: int) -> ResponseReturnValue:
    """Import the file."""
    uploaded = get_upload(project, PURPOSE, upload_id)
    parts = _parts(read(uploaded.name, uploaded.data))
    days = _days([part.table for part in parts])
    checked = check_tables(project, [p.table for p in parts], [p.choice for p in parts], *days)
    found = import_tables(project, checked, *days, uploaded.name, uploaded)
    say(f"Imported: the period has {found.queries:,} searches and {found.pages:,} pages now.")
    return redirect(url_for("search.index", project_id=project.id))


def _parts(tables: list[Table]) -> list[Part]:
    parts = []
    for number, (table, guessed) in enumerate(zip(tables, guessed_choices(tables), strict=True)):
        named = request.values.get(f"{number}-kind", guessed.kind or "")
        kind = next((kind for kind in KINDS if kind == named), None)
        roles = (SUBJECT[kind] if kind else "query", *FIGURES)
        columns = chosen_columns(
            request.values, roles, len(table.header), {roles[0]: 0, **guessed.columns}, f"{number}-"
        )
        shown = pickers(roles, columns, roles[0], f"{number}-")
        parts.append(Part(number, table, Choice(kind, columns), shown))
    return parts


def _days(tables: list[Table]) -> tuple[date, date]:
    """Return the typed days, else those of the file. Raises INVALID_REQUEST."""
    first, last = guessed_period(tables)
    return _typed("first_day", first), _typed("last_day", last)


def _typed(name: str, otherwise: date) -> date:
    text = request.values.get(name, "")
    try:
        return date.fromisoformat(text) if text else otherwise
    except ValueError:
        raise invalid_field(f"/{name}", "Give a day, such as 2026-05-31.") from None
