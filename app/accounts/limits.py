"""The limits of an account: its own, or those of the settings. None means unlimited."""

from app.accounts.model import Account
from app.infra.settings import current_settings


def project_limit(account: Account) -> int | None:
    return account.project_limit if account.project_limit is not None else current_settings().project_limit


def monthly_post_limit(account: Account) -> int | None:
    own = account.monthly_post_limit
    return own if own is not None else current_settings().monthly_post_limit
