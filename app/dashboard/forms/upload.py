"""The form of a file to import, and the choice of what its columns mean."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import FileStorage
from wtforms import FileField

from app.dashboard.forms.base import PageForm, form_page, submitted
from app.failures import invalid_field
from app.projects.model import Project
from app.spreadsheets.model import UploadedFile
from app.spreadsheets.service import upload
from app.spreadsheets.tables import MOST_BYTES

_FORM_BYTES: Final = 1_000_000
"""Bytes for the form around the file, so that one slightly too large gets its error beside the field."""

ROLES: Final = {
    "keyword": "Keyword",
    "volume": "Searches a month",
    "difficulty": "Difficulty",
    "cpc_value": "Price of a click",
    "cpc_currency": "Currency",
    "country": "Country",
    "query": "Search",
    "page": "Address",
    "clicks": "Clicks",
    "impressions": "Times shown",
    "position": "Position",
}


class FileForm(PageForm):
    file = FileField("File", render_kw={"accept": ".csv,.tsv,.txt,.zip", "required": True})


@dataclass(frozen=True)
class ColumnPicker:
    """The choice of the column that has a role. ``chosen`` is the number of the column as text, or empty."""

    name: str
    label: str
    chosen: str
    required: bool


def allow_files(most: int, endpoint: str) -> Callable[[str | None, dict[str, Any] | None], None]:
    """Return the preprocessor that lets an endpoint receive a file of at most so many bytes."""

    def allow(requested: str | None, _values: dict[str, Any] | None) -> None:
        if requested == endpoint:
            request.max_content_length = most + _FORM_BYTES

    return allow


def choice_of_file(project: Project, purpose: str, template: str, preview: str) -> ResponseReturnValue:
    """Answer a request that chooses a file for an import: the form, or on to the dry run."""
    form = FileForm(request.form)
    uploaded = submitted(form, lambda: _received(project, purpose))
    if uploaded is not None:
        return redirect(url_for(preview, project_id=project.id, upload_id=uploaded.id))
    return form_page(template, form, project=project)


def _received(project: Project, purpose: str) -> UploadedFile:
    file: FileStorage | None = request.files.get("file")
    if file is None or not file.filename:
        raise invalid_field("/file", "Choose a file.")
    return upload(project, purpose, file.filename, file.stream.read(MOST_BYTES + 1))


def pickers(
    roles: Sequence[str], columns: Mapping[str, int], required: str, prefix: str = ""
) -> list[ColumnPicker]:
    """Return the choices to show for the roles; one of them must have a column."""
    return [
        ColumnPicker(f"{prefix}{role}", ROLES[role], str(columns.get(role, "")), role == required)
        for role in roles
    ]


def chosen_columns(
    values: Mapping[str, str], roles: Sequence[str], width: int, guessed: Mapping[str, int], prefix: str = ""
) -> dict[str, int]:
    """Return the columns that a query or form names for the roles; the guessed ones if it names none."""
    if not any(f"{prefix}{role}" in values for role in roles):
        return {role: index for role, index in guessed.items() if role in roles}
    named = {role: values.get(f"{prefix}{role}", "") for role in roles}
    return {
        role: int(text)
        for role, text in named.items()
        if text.isascii() and text.isdigit() and len(text) < 4 and int(text) < width
    }
