"""Queries for pages: one, a list of them, or how many there are."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Final

from sqlalchemy import ColumnElement, ScalarSelect, Select, bindparam, func, select

from app.infra.db import db, row_of_project
from app.pages.lookup import containing
from app.pages.model import Page
from app.pages.usable import unreadable, unused
from app.projects.model import Project

UNUSED: Final = {"any": unused, "unreadable": unreadable}
"""Which of the fresh pages that posts do not use to list; each condition has an index of its own."""

ORDERS: Final = {
    "newest": (Page.created_at.desc(), Page.id.desc()),
    "oldest": (Page.created_at, Page.id),
}
"""The orders of a list of pages; the same indexes have both."""

_MAX_QUERY: Final = 200


@dataclass(frozen=True)
class PageFilter:
    """A filter for lists of pages; a member that is None filters nothing.

    ``unused`` is one of UNUSED, ``source`` SITEMAP or MANUAL; ``q`` is in the URL or title, in any case.
    """

    stale: bool | None = None
    unused: str | None = None
    source: str | None = None
    q: str | None = None

    @property
    def has_stored_total(self) -> bool:
        return self.unused is None and self.source is None and not self.is_searched

    @property
    def is_searched(self) -> bool:
        return bool((self.q or "").strip())

    def conditions(self) -> list[ColumnElement[bool]]:
        found: list[ColumnElement[bool]] = []
        if self.stale is not None:
            found.append(Page.is_stale == self.stale)
        if self.unused is not None:
            found.append(UNUSED[self.unused]())
        if self.source is not None:
            found.append(Page.source == self.source)
        if self.q and self.q.strip():
            found.append(containing(self.q.strip()[:_MAX_QUERY]))
        return found


def last_seen(project: Project, page: Page) -> datetime | None:
    """Return when the page was last seen in the sitemap.

    A sync does not write the rows of unchanged pages. So a page in the sitemap was seen by the last complete
    sync, whenever its own row was written.
    """
    if not page.in_sitemap or project.last_synced_at is None:
        return page.last_seen_at
    return max(project.last_synced_at, page.last_seen_at or project.last_synced_at)


def get_page(project: Project, page_id: int) -> Page:
    """Return a page of the project. Raises PAGE_NOT_FOUND."""
    return row_of_project(Page, page_id, project.id, "PAGE_NOT_FOUND")


def names_of(project_id: int, page_ids: Collection[int]) -> dict[int, str]:
    """Return the titles of these pages of a project, or the addresses of those without a title."""
    if not page_ids:
        return {}
    rows = db.session.execute(
        select(Page.id, Page.title, Page.url).where(Page.project_id == project_id, Page.id.in_(page_ids))
    )
    return {row.id: row.title or row.url for row in rows}


def counts_of_unused(project_id: int) -> list[ScalarSelect[int]]:
    """Select how many of a project's pages there are of each of UNUSED."""
    pages = select(func.count()).select_from(Page).where(Page.project_id == project_id)
    return [pages.where(condition()).scalar_subquery() for condition in UNUSED.values()]


def list_pages(
    project: Project, where: PageFilter, page: int, page_size: int, order: str = "newest"
) -> tuple[Sequence[Page], int]:
    """Return one page of the project's pages in one of ORDERS, and how many there are in all.

    A running sync may have written a million newer index entries that are not committed. The list starts
    below them, and stops at the number of pages that there are.
    """
    newest = project.newest_page_at
    if newest is None:
        return [], 0
    number, rows = (
        _make_listing(where, order) if where.is_searched else _listing(replace(where, q=None), order)
    )
    values = {"project_id": project.id, "newest": newest}
    if where.has_stored_total:
        pages, stale = project.page_count, project.stale_page_count
        total: int = {None: pages, True: stale, False: pages - stale}[where.stale]
    else:
        total = db.session.scalar(number, values) or 0
    offset = (page - 1) * page_size
    if offset >= total:
        return [], total
    values |= {"offset": offset, "page_size": min(page_size, total - offset)}
    return db.session.scalars(rows, values).all(), total


def _make_listing(where: PageFilter, order: str) -> tuple[Select[int], Select[Page]]:
    conditions = [
        Page.project_id == bindparam("project_id"),
        Page.created_at <= bindparam("newest"),
        *where.conditions(),
    ]
    some = select(Page).where(*conditions).order_by(*ORDERS[order])
    return (
        select(func.count()).select_from(Page).where(*conditions),
        some.offset(bindparam("offset")).limit(bindparam("page_size")),
    )


_listing: Final = cache(_make_listing)  # making them takes as long as executing them
