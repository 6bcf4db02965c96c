"""How the staged sitemap differs from a project's pages: counted in one pass, and as conditions."""

from __future__ import annotations

from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, and_, func, or_, outerjoin, select

from app.infra.db import db
from app.pages.model import Page
from app.pages.sync.staging import STAGE, staged
from app.pages.sync.stale import known

NEWER: Final = and_(STAGE.c.lastmod.is_not(None), or_(Page.lastmod.is_(None), Page.lastmod < STAGE.c.lastmod))
"""The sitemap tells a later change of a page than was known."""


class Difference(NamedTuple):
    """Counts of staged URLs and pages. ``changed``: listed pages of which the sitemap says something new."""

    found: int
    known: int
    missing: int
    new: int
    returned: int
    changed: int


def missing_pages(project_id: int) -> ColumnElement[bool]:
    """Return the condition that the sitemap lists a page no longer."""
    return and_(known(project_id), ~staged())


def compare(project_id: int, found: int) -> Difference:
    """Count, in one pass over both, how the pages differ from the ``found`` URLs of the stage."""
    is_listed, is_known = STAGE.c.url_key.is_not(None), known(project_id)
    counts = select(
        func.count().filter(is_known),
        func.count().filter(is_known, ~is_listed),
        func.count(STAGE.c.url_key),
        func.count().filter(is_listed, Page.is_stale),
        func.count().filter(is_listed, or_(NEWER, and_(~Page.in_sitemap, ~Page.is_stale))),
    ).select_from(outerjoin(Page, STAGE, STAGE.c.url_key == Page.url_key))
    known_pages, missing, listed, returned, changed = db.session.execute(
        counts.where(Page.project_id == project_id)
    ).one()
    return Difference(found, known_pages, missing, found - listed, returned, changed)
