"""Search performance: import the file of a search export, or only check it."""

from datetime import date
from typing import Any, Final

from flask import request
from flask.typing import ResponseReturnValue
from marshmallow import fields

from app.api.http.contract import TakesFile, success
from app.api.http.fields import Out, QueryBoolean
from app.api.http.schemas import success_schema
from app.api.search import SearchImportOut, blueprint
from app.failures import ServiceFailure, invalid_field
from app.infra.inputs import Choice, Input, Text, shared
from app.projects.model import Project
from app.search_performance.importing import (
    check_period,
    check_tables,
    guessed_choices,
    guessed_period,
    import_tables,
)
from app.search_performance.reading import KINDS, Rows
from app.spreadsheets.service import read
from app.spreadsheets.tables import MOST_BYTES

MEDIA_TYPES: Final = ("text/csv", "application/zip", "text/tab-separated-values", "application/octet-stream")


class ProblemOut(Out):
    row = fields.Integer(metadata={"description": "Its number from 1, below the headings."})
    text = fields.String()
    reason = fields.String()


class CheckedOut(Out):
    kind = Choice(KINDS)
    new = fields.Integer(metadata={"description": "Rows that the period does not have yet."})
    replaced = fields.Integer(metadata={"description": "Rows whose figures are replaced."})
    left_out = fields.Integer()
    problems = fields.List(fields.Nested(ProblemOut), metadata={"description": "The first rows left out."})


class ImportQuery(Input):
    dry_run = QueryBoolean(
        load_default=False, metadata={"description": "true: only check the file, and store nothing."}
    )
    first_day = fields.Date(
        load_default=None, metadata={"description": "Of the period; defaults to that of the file."}
    )
    last_day = fields.Date(load_default=None, metadata={"description": "The last day of the period."})
    file_name = Text(
        0, 200, load_default="", allow_none=False, metadata={"description": "Shown as the source."}
    )


SearchImported = success_schema(
    "SearchImported",
    dry_run=fields.Boolean(),
    first_day=fields.Date(),
    last_day=fields.Date(),
    checked=fields.List(fields.Nested(CheckedOut)),
    search_import=fields.Nested(
        SearchImportOut, allow_none=True, metadata={"description": "null in a dry run."}
    ),
)


@blueprint.operation(
    "POST",
    "/search-imports",
    takes=TakesFile(MEDIA_TYPES, MOST_BYTES),
    query=ImportQuery,
    gives={201: SearchImported, 200: SearchImported},
)
def import_search_file(project: Project, body: bytes, query: dict[str, Any]) -> ResponseReturnValue:
    """Import the CSV file or the zip of a search export, or only check it.

    Columns and the period are recognised. Rows of the same period with the same query or page are replaced,
    so that repeating an import changes nothing.
    """
    if request.mimetype not in MEDIA_TYPES:
        raise ServiceFailure("UNSUPPORTED_MEDIA_TYPE")
    name = query["file_name"] or "the API"
    tables = read(name, body)
    days = _days(query, guessed_period(tables))
    checked = check_tables(project, tables, guessed_choices(tables), *days)
    members = {
        "dry_run": query["dry_run"],
        "first_day": days[0].isoformat(),
        "last_day": days[1].isoformat(),
        "checked": [_present(kind, part) for kind, part in checked.items()],
    }
    if query["dry_run"]:
        return success({**members, "search_import": None})
    found = import_tables(project, checked, *days, name)
    location = f"/public-api/projects/{found.project_id}/search-imports/{found.id}"
    return success(
        {**members, "search_import": shared(SearchImportOut).dump(found)}, 201, {"Location": location}
    )


def _days(query: dict[str, Any], guessed: tuple[date, date]) -> tuple[date, date]:
    days = query["first_day"] or guessed[0], query["last_day"] or guessed[1]
    try:
        check_period(*days)
    except ServiceFailure as refused:
        error = refused.errors[0]
        raise invalid_field(error["field"], error["message"], "query") from None
    return days


def _present(kind: str, part: Rows) -> dict[str, Any]:
    members = {
        "kind": kind,
        "new": len(part.found) - part.known,
        "replaced": part.known,
        "left_out": sum(part.reasons.values()),
        "problems": [problem._asdict() for problem in part.problems],
    }
    shown: dict[str, Any] = shared(CheckedOut).dump(members)
    return shown
