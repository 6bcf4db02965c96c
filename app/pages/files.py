"""The list of pages as a file that spreadsheet programs open."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, select

from app.infra.clock import rfc3339
from app.infra.db import in_order
from app.pages.model import Page
from app.projects.model import Project
from app.spreadsheets.export import csv_lines

_HEADER: Final = ("Address", "Title", "State", "Words", "Language", "Always used", "First seen", "Read")


def export_lines(project: Project, conditions: Collection[ColumnElement[bool]]) -> Iterator[str]:
    """Return the project's pages that meet the conditions as the lines of a CSV file, the newest last."""
    chosen = select(Page).where(Page.project_id == project.id, *conditions)
    return csv_lines(_HEADER, in_order(chosen, Page.id), _cells)


def _cells(row: Sequence[Any]) -> tuple[object, ...]:
    page: Page = row[0]
    return (
        *(page.url, page.title, "stale" if page.is_stale else "fresh", page.word_count, page.language),
        *("yes" if page.always_use else "no", rfc3339(page.first_seen_at), rfc3339(page.fetched_at)),
    )
