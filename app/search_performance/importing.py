"""Imports search exports: what an import would do, and the import."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Final

from sqlalchemy import delete, select

from app.failures import invalid_field
from app.infra.clock import utc_now
from app.infra.db import changed_rows, db, insert_new
from app.projects.model import Project
from app.search_performance.model import SearchImport
from app.search_performance.reading import (
    SUBJECT,
    Choice,
    Kind,
    Rows,
    period_of,
    read_rows,
    recognise,
)
from app.search_performance.storing import count_known, count_rows, replace_rows
from app.spreadsheets.model import UploadedFile
from app.spreadsheets.service import discard
from app.spreadsheets.tables import Table, UnreadableFile

PURPOSE: Final = "search"
MOST_PERIODS: Final = 24
_USUAL_DAYS: Final = 90
_LONGEST_PERIOD: Final = 550


def guessed_period(tables: Iterable[Table]) -> tuple[date, date]:
    """Return the period that a file states, else the usual three months up to yesterday."""
    yesterday = utc_now().date() - timedelta(days=1)
    return period_of(tables) or (yesterday - timedelta(days=_USUAL_DAYS - 1), yesterday)


def guessed_choices(tables: Sequence[Table]) -> list[Choice]:
    """Return what each table seems to list; of two alike the first is imported."""
    choices: list[Choice] = []
    for table in tables:
        choice = recognise(table)
        taken = choice.kind in {other.kind for other in choices}
        choices.append(Choice(None, choice.columns) if taken else choice)
    return choices


def check_period(first_day: date, last_day: date) -> None:
    """Raise INVALID_REQUEST unless the days are a period that may be imported."""
    if last_day < first_day:
        raise invalid_field("/last_day", "The last day is before the first.")
    if last_day > utc_now().date():
        raise invalid_field("/last_day", "The last day is in the future.")
    if (last_day - first_day).days > _LONGEST_PERIOD:
        raise invalid_field("/first_day", "A period has at most a year and a half.")


def check_tables(
    project: Project, tables: Sequence[Table], choices: Sequence[Choice], first_day: date, last_day: date
) -> dict[Kind, Rows]:
    """Return what importing the tables would do, by kind. Nothing is changed. Raises INVALID_REQUEST."""
    check_period(first_day, last_day)
    existing = _import_of(project.id, first_day, last_day)
    try:
        read = _read(project, tables, choices)
    except UnreadableFile as error:
        raise invalid_field("/file", str(error)) from None
    for kind, rows in read.items():
        rows.known = count_known(existing.id, kind, rows.found) if existing else 0
    return read


def import_tables(
    project: Project,
    checked: Mapping[Kind, Rows],
    first_day: date,
    last_day: date,
    source: str,
    uploaded: UploadedFile | None = None,
) -> SearchImport:
    """Store the checked rows of a file as the project's search results of a period; commits.

    ``source`` is the file's name. ``uploaded`` is the file if it waited for its import: it is discarded.
    Rows of the same period with the same query or page are replaced. The oldest imported periods beyond
    MOST_PERIODS are deleted. Raises INVALID_REQUEST if there is no row.
    """
    if not any(part.found for part in checked.values()):
        raise invalid_field("/file", "There is no row to import.")
    project_id, source = project.id, source[:200]
    insert_new(SearchImport, project_id=project_id, first_day=first_day, last_day=last_day, source=source)
    found = _import_of(project_id, first_day, last_day)
    assert found is not None
    for kind, part in checked.items():
        replace_rows(found.id, kind, part.found)
    count_rows(found)
    found.source = source
    if uploaded is not None:
        discard(uploaded)
    _forget_oldest(project_id)
    db.session.commit()
    return found


def _read(project: Project, tables: Sequence[Table], choices: Sequence[Choice]) -> dict[Kind, Rows]:
    read: dict[Kind, Rows] = {}
    for table, choice in zip(tables, choices, strict=False):
        if choice.kind is not None and choice.kind not in read and SUBJECT[choice.kind] in choice.columns:
            read[choice.kind] = read_rows(table, choice, project.url)
    return read


def _import_of(project_id: int, first_day: date, last_day: date) -> SearchImport | None:
    return db.session.scalar(
        select(SearchImport).where(
            SearchImport.project_id == project_id,
            SearchImport.first_day == first_day,
            SearchImport.last_day == last_day,
            SearchImport.origin == "file",
        )
    )


def _forget_oldest(project_id: int) -> None:
    old = (
        select(SearchImport.id)
        .where(SearchImport.project_id == project_id, SearchImport.origin == "file")
        .order_by(SearchImport.last_day.desc(), SearchImport.id.desc())
        .offset(MOST_PERIODS)
    )
    ids = db.session.scalars(old).all()
    if ids:
        changed_rows(delete(SearchImport).where(SearchImport.id.in_(ids)))
