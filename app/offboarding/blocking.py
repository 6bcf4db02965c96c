"""Blocks accounts: nobody signs in, no key works, nothing runs; and what is there stays."""

from sqlalchemy import select

from app.accounts import security_log, sessions
from app.accounts.model import Account
from app.executions.model import ExecutionJob
from app.executions.queries import get_job
from app.executions.service import cancel
from app.executions.states import ACTIVE
from app.failures import ServiceFailure
from app.infra.db import db


def block(account: Account) -> int:
    """Block an account, end its sessions and cancel its jobs; return how many jobs. Commits.

    Publications that are scheduled are refused while it lasts. Posts that are live stay live.
    """
    if account.active:
        security_log.record(account.id, "account_blocked")
    account.active = False
    sessions.end_all(account)
    db.session.commit()
    return cancel_jobs(account.id)


def unblock(account: Account) -> None:
    """Let a blocked account in again; commits. Raises ACCOUNT_INACTIVE if it is being deleted."""
    if account.deletion_asked_at is not None:
        raise ServiceFailure("ACCOUNT_INACTIVE", "This account is being deleted.")
    if not account.active:
        security_log.record(account.id, "account_unblocked")
    account.active = True
    db.session.commit()


def cancel_jobs(account_id: int) -> int:
    """Cancel the account's jobs that wait or run; return how many. Commits."""
    active = select(ExecutionJob.id).where(
        ExecutionJob.account_id == account_id, ExecutionJob.status.in_(ACTIVE)
    )
    return sum(_cancel(account_id, job_id) for job_id in db.session.scalars(active).all())


def _cancel(account_id: int, job_id: int) -> bool:
    try:
        cancel(get_job(account_id, job_id))
    except ServiceFailure:
        # It has ended meanwhile.
        return False
    return True
