"""The documents of a project's sitemap: what each lists, when it was last read, and why it was not."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import delete, func, insert, select

from app.infra.db import batches, changed_rows, db, page_of
from app.pages.model import SitemapFile
from app.pages.sitemaps.report import FileReport, Report
from app.projects.model import Project

_ROWS: Final = 500


def store(project_id: int, report: Report, at: datetime) -> None:
    """Store the documents of a reading in place of those of the one before; the caller commits.

    One that was not read as a whole keeps the time when it last was.
    """
    if not report.files:
        return
    theirs = SitemapFile.project_id == project_id
    failed = [url for url, file in report.files.items() if file.error is not None]
    last_read = _last_read(project_id, failed)
    changed_rows(delete(SitemapFile).where(theirs))
    for batch in batches(report.files.items(), _ROWS):
        rows = [_row(project_id, url, file, last_read.get(url) if file.error else at) for url, file in batch]
        db.session.execute(insert(SitemapFile), rows)


def list_files(
    project: Project, page: int, page_size: int, *, failed: bool | None = None
) -> tuple[Sequence[SitemapFile], int]:
    """Return one page of the documents in the order of reading, and how many there are in all.

    ``failed``: only those that were not read as a whole the last time, or only the others.
    """
    statement = select(SitemapFile).where(SitemapFile.project_id == project.id)
    if failed is not None:
        statement = statement.where(SitemapFile.error.is_not(None) if failed else SitemapFile.error.is_(None))
    return page_of(statement.order_by(SitemapFile.id), page, page_size)


def count_files(project: Project) -> tuple[int, int]:
    """Return how many documents the sitemap has, and how many of them were not read as a whole."""
    count = select(func.count(), func.count(SitemapFile.error)).where(SitemapFile.project_id == project.id)
    total, failed = db.session.execute(count).one()
    return total, failed


def _last_read(project_id: int, urls: Iterable[str]) -> dict[str, datetime | None]:
    found: dict[str, datetime | None] = {}
    for batch in batches(urls, _ROWS):
        theirs = SitemapFile.project_id == project_id, SitemapFile.url.in_(batch)
        rows = db.session.execute(select(SitemapFile.url, SitemapFile.read_at).where(*theirs))
        found.update((row.url, row.read_at) for row in rows)
    return found


def _row(project_id: int, url: str, file: FileReport, read_at: datetime | None) -> dict[str, Any]:
    error = file.error
    return {
        "project_id": project_id,
        "url": url,
        "urls": file.urls,
        "sitemaps": file.sitemaps,
        "invalid": file.invalid,
        "error": {"code": error.code, "message": error.message} if error else None,
        "read_at": read_at,
    }
