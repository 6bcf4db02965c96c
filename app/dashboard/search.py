"""Search performance: what to do next, the searches, pages and periods that it is seen from, and imports."""

from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.dashboard.forms.upload import (
    ColumnPicker,
    allow_files,
    choice_of_file,
    chosen_columns,
    pickers,
)
from app.dashboard.ui import charts
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.figures import day
from app.dashboard.ui.query import PAGE_SIZE, Pager, chosen_order, query_page, query_text, row_ids
from app.dashboard.ui.toasts import say
from app.failures import ServiceFailure, invalid_field
from app.keywords.bulk import add_keywords, check_keywords
from app.pages.lookup import page_ids_at
from app.pages.sample_site import is_sample
from app.projects.model import Project
from app.search_performance import service
from app.search_performance.google import connection
from app.search_performance.importing import (
    PURPOSE,
    check_tables,
    guessed_choices,
    guessed_period,
    import_tables,
)
from app.search_performance.model import SearchImport
from app.search_performance.opportunities import WHYS, opportunities
from app.search_performance.reading import FIGURES, KINDS, SUBJECT, Choice
from app.spreadsheets.service import get_upload, read
from app.spreadsheets.tables import MOST_BYTES, Table

blueprint = dashboard_blueprint("search", "/projects/<row:project_id>/search")

blueprint.url_value_preprocessor(allow_files(MOST_BYTES, "search.choose_file"))

WEEKS: Final = 13
KIND_WORDS: Final = {"queries": "Searches", "pages": "Pages"}

ORDERS: Final = {
    "impressions": "Most shown first",
    "clicks": "Most clicks first",
    "position": "Best position first",
}


@dataclass(frozen=True)
class Part:
    """One table of the file, how its columns are chosen, and what it is taken for."""

    number: int
    table: Table
    choice: Choice
    pickers: list[ColumnPicker]


@blueprint.get("")
def index(project: Project) -> ResponseReturnValue:
    latest, before = service.latest_imports(project)
    if latest is None:
        return render_template("search/none.html", google=_google(project))
    found = opportunities(project, latest, before)
    groups = {why: [each for each in found if each.why == why] for why in WHYS}
    frame = _frame(project, latest, before)
    return render_template("search/index.html", **frame, groups=groups, weekly=_weekly(project))


@blueprint.get("/queries")
def queries(project: Project) -> ResponseReturnValue:
    return _list(project, "queries")


@blueprint.get("/pages")
def pages(project: Project) -> ResponseReturnValue:
    return _list(project, "pages")


@blueprint.get("/imports")
def imports(project: Project) -> ResponseReturnValue:
    latest, before = service.latest_imports(project)
    if latest is None:
        return redirect(url_for("search.index", project_id=project.id))
    rows, _ = service.list_imports(project, 1, PAGE_SIZE)
    return render_template("search/imports.html", **_frame(project, latest, before), imports=rows)


@blueprint.post("/imports/<row:import_id>/delete")
def delete(project: Project, import_id: int) -> ResponseReturnValue:
    found = service.get_import(project, import_id)
    was_fetched = found.origin == "fetched"
    service.delete_import(found)
    way_back = "It comes back when Google is read." if was_fetched else "Its file can be imported again."
    say(f"The period was removed. {way_back}")
    return redirect(url_for("search.imports", project_id=project.id))


@blueprint.post("/keywords")
def add_to_keywords(project: Project) -> ResponseReturnValue:
    chosen = service.texts_of_queries(project, row_ids(request.form.getlist("query_ids")))
    checked = check_keywords(project, [{"keyword_text": text} for text in chosen])
    say(f"Keywords: {checked.summary}." if chosen else "Nothing was added: tick the searches first.")
    add_keywords(project, checked)
    return redirect(url_for("search.queries", project_id=project.id))


@blueprint.route("/import", methods=["GET", "POST"])
def choose_file(project: Project) -> ResponseReturnValue:
    return choice_of_file(project, PURPOSE, "search/choose.html", "search.preview")


@blueprint.get("/import/<row:upload_id>")
def preview(project: Project, upload_id: int) -> ResponseReturnValue:
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


@blueprint.post("/import/<row:upload_id>")
def commit(project: Project, upload_id: int) -> ResponseReturnValue:
    uploaded = get_upload(project, PURPOSE, upload_id)
    parts = _parts(read(uploaded.name, uploaded.data))
    days = _days([part.table for part in parts])
    checked = check_tables(project, [p.table for p in parts], [p.choice for p in parts], *days)
    found = import_tables(project, checked, *days, uploaded.name, uploaded)
    say(f"Imported: the period has {found.queries:,} searches and {found.pages:,} pages now.")
    return redirect(url_for("search.index", project_id=project.id))


def _list(project: Project, kind: str) -> ResponseReturnValue:
    latest, before = service.latest_imports(project)
    if latest is None:
        return redirect(url_for("search.index", project_id=project.id))
    page, q, order = query_page(), query_text("q"), chosen_order(ORDERS)
    listed: Any = service.list_queries if kind == "queries" else service.list_pages
    rows, total = listed(latest, page, PAGE_SIZE, q or None, order)
    known = page_ids_at(project, [row.url for row in rows]) if kind == "pages" else {}
    return render_template(
        f"search/{kind}.html",
        **_frame(project, latest, before),
        rows=rows,
        known=known,
        q=q,
        order=order,
        orders=ORDERS,
        pager=Pager(page, total),
    )


def _frame(project: Project, latest: SearchImport, before: SearchImport | None) -> dict[str, Any]:
    """Return what the tabs have in common. ``before`` counts only if it is of the same length."""
    comparable = before if before is not None and before.days == latest.days else None
    return {
        "latest": latest,
        "before": before,
        "comparable": comparable,
        "google": _google(project),
    }


def _weekly(project: Project) -> dict[str, Any] | None:
    found = connection.connection_of(project.id)
    weeks = service.weeks_until(project.id, found.last_day, WEEKS) if found and found.last_day else []
    if len(weeks) < 2:
        return None
    clicks = [week.clicks for week in weeks]
    top = charts.top_of(clicks)
    return {
        "rows": [(day(week.first_day), week.clicks, week.impressions) for week in weeks],
        "labels": [day(weeks[0].first_day), "latest week"],
        "top": top,
        "bars": charts.bars(clicks, top),
        "clicks": sum(clicks),
    }


def _google(project: Project) -> dict[str, Any]:
    """Return whether the project can be connected to Google Search Console, and its connection.

    ``waits`` says that nothing is read until a person connects again.
    """
    found = connection.connection_of(project.id)
    return {
        "is_offered": connection.is_offered() and not is_sample(project),
        "connection": found,
        "waits": bool(found and found.failure and found.next_fetch_at is None),
    }


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
    first, last = guessed_period(tables)
    return _typed("first_day", first), _typed("last_day", last)


def _typed(name: str, otherwise: date) -> date:
    text = request.values.get(name, "")
    try:
        return date.fromisoformat(text) if text else otherwise
    except ValueError:
        raise invalid_field(f"/{name}", "Give a day, such as 2026-05-31.") from None
