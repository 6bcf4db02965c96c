"""The filters of lists that a person has saved under names.

A list that shows all projects together has no project.
"""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import ColumnElement, delete, func, select

from app.accounts.model import Account
from app.failures import ServiceFailure, invalid_field
from app.infra.checks import clean_line
from app.infra.db import changed_rows, db, insert_new
from app.projects.model import Project, SavedFilter

MOST: Final = 20
MOST_CHARACTERS: Final = 40
MOST_QUERY: Final = 500


def saved_filters(account: Account, project: Project | None, list_name: str) -> Sequence[SavedFilter]:
    return db.session.scalars(
        select(SavedFilter).where(*_own(account, project, list_name)).order_by(SavedFilter.name)
    ).all()


def save_filter(account: Account, project: Project | None, list_name: str, name: str, query: str) -> None:
    """Save a query string under a name, in place of an earlier one of that name; commits.

    Raises INVALID_REQUEST for a name that is missing or too long, and for more than MOST in one list.
    """
    name = clean_line("name", name, MOST_CHARACTERS) or ""
    if not name:
        raise invalid_field("/name", "Give the filter a name.")
    if not query or len(query) > MOST_QUERY:
        raise invalid_field("/query", "Choose a filter first, or a shorter one.")
    own = _own(account, project, list_name)
    db.session.execute(delete(SavedFilter).where(*own, SavedFilter.name == name))
    if (db.session.scalar(select(func.count()).select_from(SavedFilter).where(*own)) or 0) >= MOST:
        db.session.rollback()
        raise invalid_field("/name", f"{MOST} filters are saved already. Remove one of them first.")
    values = {"account_id": account.id, "project_id": project.id if project else None}
    insert_new(SavedFilter, **values, list_name=list_name, name=name, query=query)
    db.session.commit()


def remove_filter(account: Account, project: Project | None, filter_id: int) -> None:
    """Remove a saved filter; commits. Raises NOT_FOUND."""
    own = _in(account, project)
    if not changed_rows(delete(SavedFilter).where(SavedFilter.id == filter_id, *own)):
        raise ServiceFailure("NOT_FOUND")
    db.session.commit()


def _own(account: Account, project: Project | None, list_name: str) -> tuple[ColumnElement[bool], ...]:
    return (*_in(account, project), SavedFilter.list_name == list_name)


def _in(account: Account, project: Project | None) -> tuple[ColumnElement[bool], ...]:
    within = SavedFilter.project_id == project.id if project else SavedFilter.project_id.is_(None)
    return SavedFilter.account_id == account.id, within
