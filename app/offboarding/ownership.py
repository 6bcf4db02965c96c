"""Which rows of every table belong to an account, by the foreign keys of the schema.

A new table needs no line here: its foreign keys say whose its rows are.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, ForeignKey, Table, select

from app.accounts.model import Account, AccountLink
from app.infra.db import Base, db
from app.notifications.model import Mail
from app.projects.model import Project

_ACCOUNTS: Final = Account.__tablename__
_PROJECTS: Final = Project.__tablename__
_ADDRESSES: Final = {AccountLink.__tablename__: "email", Mail.__tablename__: "recipient"}
"""Tables with addresses of people who may have no account yet."""


class Rows(NamedTuple):
    table: Table
    condition: ColumnElement[bool]


def rows_of_project(project_id: int) -> Iterator[Rows]:
    """Yield what belongs to a project, so that rows come before those that they refer to; itself last."""
    for table in reversed(Base.metadata.sorted_tables):
        condition = _within(table, _PROJECTS, project_id)
        if condition is not None:
            yield Rows(table, condition)


def rows_of_account(account: Account) -> Iterator[Rows]:
    """Yield what belongs to an account and to none of its projects, in the same order; itself last.

    Mails and links that were sent to its address before it existed belong to it, too.
    """
    for table in reversed(Base.metadata.sorted_tables):
        condition = _directly_of(table, _ACCOUNTS, account.id)
        if condition is None or table.name == _PROJECTS:
            continue
        project = next((key.parent for key in table.foreign_keys if _leads_to_projects(key)), None)
        if project is not None:
            condition = condition & project.is_(None)
        if table.name in _ADDRESSES:
            condition = condition | (table.c[_ADDRESSES[table.name]] == account.email)
        yield Rows(table, condition)


def project_ids(account_id: int) -> list[int]:
    return list(db.session.scalars(select(Project.id).where(Project.account_id == account_id)))


def _within(table: Table, root: str, row_id: int) -> ColumnElement[bool] | None:
    direct = _directly_of(table, root, row_id)
    if direct is not None:
        return direct
    for key in sorted(table.foreign_keys, key=lambda each: each.parent.name):
        inner = None if key.parent.nullable else _within(key.column.table, root, row_id)
        if inner is not None:
            return key.parent.in_(select(key.column).where(inner))
    return None


def _directly_of(table: Table, root: str, row_id: int) -> ColumnElement[bool] | None:
    if table.name == root:
        return table.c.id == row_id
    keys = (key for key in table.foreign_keys if key.column.table.name == root)
    return next((key.parent == row_id for key in keys), None)


def _leads_to_projects(key: ForeignKey) -> bool:
    if key.column.table.name == _PROJECTS:
        return True
    return not key.parent.nullable and _within(key.column.table, _PROJECTS, 0) is not None
