"""The list of pages as a file that spreadsheet programs open."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from sqlalchemy import ColumnElement, select

from app.infra.clock import rfc3339
from app.infra.db import db
from app.pages.model import Page
from app.projects.model import Project
from app.spreadsheets.tables import csv_line

_HEADER: Final = ("Address", "Title", "State", "Words", "Language", "Always used", "First seen", "Read")
_AT_ONCE: Final = 1000


def export_lines(project: Project, conditions: Collection[ColumnElement[bool]]) -> Iterator[str]:
    """Yield the project's pages that meet the conditions as the lines of a CSV file, the newest last."""
    yield csv_line(_HEADER)
    last = 0
    while True:
        rows = db.session.scalars(
            select(Page)
            .where(Page.project_id == project.id, Page.id > last, *conditions)
            .order_by(Page.id)
            .limit(_AT_ONCE)
        ).all()
        yield from (csv_line(_cells(row)) for row in rows)
        if len(rows) < _AT_ONCE:
            return
        last = rows[-1].id


def _cells(page: Page) -> tuple[object, ...]:
    return (
        *(page.url, page.title, "stale" if page.is_stale else "fresh", page.word_count, page.language),
        *("yes" if page.always_use else "no", rfc3339(page.first_seen_at), rfc3339(page.fetched_at)),
    )
