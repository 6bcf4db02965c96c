"""Deletes accounts with everything in them: in short transactions, a periodic task at a time."""

import logging
import time
from dataclasses import asdict, fields, replace
from datetime import timedelta
from typing import Final

from sqlalchemy import delete, func, select, tuple_

from app.accounts.model import Account, ApiKey
from app.infra.clock import utc_now
from app.infra.db import changed_rows, db, release
from app.offboarding.blocking import block, cancel_jobs
from app.offboarding.ownership import Rows, project_ids, rows_of_account, rows_of_project
from app.overview.project_removal import Losses, losses_of
from app.projects.model import Project
from app.search_performance.google.connection import forget, revoke

AT_ONCE: Final = 1_000

PAUSE: Final = timedelta(minutes=1)
"""Canceled jobs need so long to stop at most: a post that a target takes meanwhile is still recorded."""

_SECONDS: Final = 60.0

_log = logging.getLogger(__name__)


def losses_of_account(account: Account) -> Losses:
    projects = db.session.scalars(select(Project).where(Project.account_id == account.id)).all()
    found = [asdict(losses_of(project)) for project in projects]
    keys = select(func.count(ApiKey.id)).where(ApiKey.account_id == account.id, ApiKey.revoked_at.is_(None))
    sums = {each.name: sum(losses[each.name] for losses in found) for each in fields(Losses)}
    return replace(Losses(**sums), api_keys=db.session.scalar(keys) or 0)


def ask_for_deletion(account: Account) -> None:
    """Block an account, and have everything of it deleted a minute later; commits. May be repeated."""
    if account.deletion_asked_at is None:
        account.deletion_asked_at = utc_now()
    block(account)


def delete_due_accounts(seconds: float = _SECONDS) -> int:
    """Delete the accounts that are due for that, for so many seconds; return how many are gone.

    What is left at the end of the time is deleted by the next call. Two calls may run at once.
    """
    deadline = time.monotonic() + seconds
    due = select(Account.id).where(Account.deletion_asked_at <= utc_now() - PAUSE)
    found = db.session.scalars(due.order_by(Account.deletion_asked_at).limit(100)).all()
    release()
    return sum(_delete_account(account_id, deadline) for account_id in found)


def _delete_account(account_id: int, deadline: float) -> bool:
    cancel_jobs(account_id)
    for project_id in project_ids(account_id):
        _revoke_google(project_id)
        if not all(_delete(rows, deadline) for rows in rows_of_project(project_id)):
            return False
    account = db.session.get(Account, account_id)
    if account is None or not all(_delete(rows, deadline) for rows in list(rows_of_account(account))):
        return False
    _log.info("account %s is deleted", account_id)
    return True


def _delete(rows: Rows, deadline: float) -> bool:
    key = tuple_(*rows.table.primary_key)
    some = select(*rows.table.primary_key).where(rows.condition).limit(AT_ONCE)
    while time.monotonic() < deadline:
        deleted = changed_rows(delete(rows.table).where(key.in_(some)))
        db.session.commit()
        if deleted < AT_ONCE:
            return True
    return False


def _revoke_google(project_id: int) -> None:
    project = db.session.get(Project, project_id)
    access = forget(project) if project else None
    db.session.commit()
    if access is not None:
        revoke(access)
