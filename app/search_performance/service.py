"""A project's search results: the periods, their queries and pages, and the whole site week by week."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, TypeVar

from sqlalchemy import ScalarSelect, Select, select
from sqlalchemy.orm import InstrumentedAttribute

from app.failures import existing
from app.infra.db import db, page_of, row_of_project
from app.projects.model import Project
from app.search_performance.model import SHOWN, SearchDay, SearchImport, SearchPage, SearchQuery

Row = TypeVar("Row", SearchQuery, SearchPage)

ORDERS: Final = ("impressions", "clicks", "position")


@dataclass
class Week:
    """What Google counted for a whole site in seven days from ``first_day`` on."""

    first_day: date
    clicks: int = 0
    impressions: int = 0


def list_imports(project: Project, page: int, page_size: int) -> tuple[Sequence[SearchImport], int]:
    """Return one page of the project's imports, the latest period first, and how many there are in all."""
    return page_of(_latest_first(project), page, page_size)


def latest_imports(project: Project) -> tuple[SearchImport | None, SearchImport | None]:
    """Return the import of the latest period and the one that it is compared with.

    That is the one that ends on the day before it begins, else the latest one that ends earlier.
    """
    latest = db.session.scalar(_latest_first(project).limit(1))
    if latest is None:
        return None, None
    earlier = _latest_first(project).where(SearchImport.last_day < latest.last_day).limit(1)
    adjacent = earlier.where(SearchImport.last_day == latest.first_day - timedelta(days=1))
    return latest, db.session.scalar(adjacent) or db.session.scalar(earlier)


def latest_clicks(project: Project) -> ScalarSelect[int]:
    """Return a subquery for the clicks of the project's latest period, NULL without one."""
    return _latest_first(project).with_only_columns(SearchImport.clicks).limit(1).scalar_subquery()


def get_import(project: Project, import_id: int) -> SearchImport:
    """Return an import of the project. Raises SEARCH_IMPORT_NOT_FOUND."""
    found = row_of_project(SearchImport, import_id, project.id, "SEARCH_IMPORT_NOT_FOUND")
    return existing(found if found.origin in SHOWN else None, "SEARCH_IMPORT_NOT_FOUND")


def delete_import(found: SearchImport) -> None:
    """Delete an import with its rows; commits."""
    db.session.delete(found)
    db.session.commit()


def list_queries(
    found: SearchImport, page: int, page_size: int, q: str | None = None, order: str = "impressions"
) -> tuple[Sequence[SearchQuery], int]:
    """Return a page of an import's queries that contain ``q``, in one of ORDERS, and how many there are."""
    words = " ".join((q or "").split()).lower()
    return page_of(_listing(SearchQuery, found, SearchQuery.query, words, order), page, page_size)


def list_pages(
    found: SearchImport, page: int, page_size: int, q: str | None = None, order: str = "impressions"
) -> tuple[Sequence[SearchPage], int]:
    """Return one page of an import's pages, and how many there are. ``q`` keeps the URLs that contain it."""
    return page_of(_listing(SearchPage, found, SearchPage.url, (q or "").strip(), order), page, page_size)


def _latest_first(project: Project) -> Select[SearchImport]:
    own = select(SearchImport).where(SearchImport.project_id == project.id, SearchImport.origin.in_(SHOWN))
    return own.order_by(SearchImport.last_day.desc(), SearchImport.id.desc())


def _listing(
    model: type[Row], found: SearchImport, column: InstrumentedAttribute[str], words: str, order: str
) -> Select[Row]:
    statement = select(model).where(model.import_id == found.id)
    if words:
        statement = statement.where(column.contains(words, autoescape=True))
    if order == "position":
        return statement.order_by(model.position.is_(None), model.position, model.id)
    return statement.order_by(getattr(model, order).desc(), model.id.desc())


def texts_of_queries(project: Project, query_ids: Sequence[int]) -> list[str]:
    """Return the texts of the project's queries among these, in the order of their impressions."""
    statement = (
        select(SearchQuery.query)
        .join(SearchImport, SearchImport.id == SearchQuery.import_id)
        .where(SearchImport.project_id == project.id, SearchQuery.id.in_(query_ids))
        .order_by(SearchQuery.impressions.desc(), SearchQuery.id)
    )
    return list(db.session.scalars(statement))


def weeks_until(project_id: int, last_day: date, most: int) -> list[Week]:
    """Return up to ``most`` weeks that end on ``last_day``, oldest first; as far as days were counted."""
    begin = last_day - timedelta(days=7 * most - 1)
    rows = db.session.execute(
        select(SearchDay.day, SearchDay.clicks, SearchDay.impressions)
        .where(SearchDay.project_id == project_id, SearchDay.day.between(begin, last_day))
        .order_by(SearchDay.day)
    ).all()
    weeks = [Week(begin + timedelta(days=7 * number)) for number in range(most)]
    for day, clicks, impressions in rows:
        week = weeks[(day - begin).days // 7]
        week.clicks += clicks
        week.impressions += impressions
    first = (rows[0].day - begin).days // 7 if rows else most
    return weeks[first:]
