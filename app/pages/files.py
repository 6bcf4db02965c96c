"""The list of pages as a file that spreadsheet programs open."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final

from sqlalchemy import ColumnElement, select

from app.infra.clock import rfc3339
from app.infra.db import in_order, release
from app.pages.model import Page
from app.projects.model import Project
from app.spreadsheets.tables import csv_line

_HEADER: Final = ("Address", "Title", "State", "Words", "Language", "Always used", "First seen", "Read")


def export_lines(project: Project, conditions: Collection[ColumnElement[bool]]) -> Iterator[str]:
    """Yield the project's pages that meet the conditions as the lines of a CSV file, the newest last."""
    yield csv_line(_HEADER)
    chosen = select(Page).where(Page.project_id == project.id, *conditions)
    for rows in in_order(chosen, Page.id):
        lines = [csv_line(_cells(page)) for page, _ in rows]
        release()
        yield from lines


def _cells(page: Page) -> tuple[object, ...]:
    return (
        *(page.url, page.title, "stale" if page.is_stale else "fresh", page.word_count, page.language),
        *("yes" if page.always_use else "no", rfc3339(page.first_seen_at), rfc3339(page.fetched_at)),
    )
