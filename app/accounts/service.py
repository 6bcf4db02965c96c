"""Accounts: sign-up, sign-in, passwords and profiles."""

import re
from typing import Final

from sqlalchemy import select

from app.accounts import links, passwords, security_log, sessions
from app.accounts.model import Account
from app.failures import ServiceFailure, invalid_field
from app.infra.checks import clean_line
from app.infra.clock import utc_now
from app.infra.db import db, insert_new
from app.infra.local_time import zone_named
from app.infra.settings import current_settings

_EMAIL: Final = re.compile(r"[^\s@\x00-\x1f\ud800-\udfff]{1,64}@(?:[\w-]{1,63}\.)+[\w-]{2,63}")

NO_EMAIL: Final = "This is not an e-mail address."
TAKEN: Final = "An account with this e-mail exists already."
BAD_LINK: Final = "This link does not work, or no longer."


def sign_up(email: str, password: str, name: str = "") -> Account:
    """Create an account. The e-mail is stored in lower case.

    Raises INVALID_REQUEST that names every wrong field, also for an e-mail that is taken.
    """
    email = email.strip().lower()
    errors = []
    if not is_email(email):
        errors.append(_error("/email", NO_EMAIL))
    if problem := passwords.password_problem(password, email):
        errors.append(_error("/password", problem))
    if errors:
        raise ServiceFailure("INVALID_REQUEST", errors=errors)
    return _new_account(email, password, name)


def invite(email: str) -> str:
    """Return the token of a link with which an account for this e-mail can be created, once.

    Raises INVALID_REQUEST, also if there is such an account or if sign-up is closed.
    """
    email = email.strip().lower()
    if current_settings().sign_up == "closed":
        raise invalid_field("/email", "SIGN_UP is closed: create the account yourself, or change it.")
    if not is_email(email):
        raise invalid_field("/email", NO_EMAIL)
    if find_account(email) is not None:
        raise invalid_field("/email", TAKEN)
    return links.begin(email, utc_now() + links.INVITATION_LASTS)


def sign_up_by_link(token: str, password: str) -> Account:
    """Create the account that a link is for. Its address is confirmed, because the link was sent there.

    Raises INVALID_REQUEST for the password, after which the link still works, and NOT_FOUND for a link that
    is unknown, over or used, or if sign-up is closed.
    """
    link = links.find_sign_up(token) if current_settings().sign_up != "closed" else None
    if link is None:
        raise ServiceFailure("NOT_FOUND", BAD_LINK)
    email = link.email
    _refuse_weak(password, email, "/password")
    if not links.use(link):
        raise ServiceFailure("NOT_FOUND", BAD_LINK)
    return _new_account(email, password)


def is_email(text: str) -> bool:
    """Return whether a text, in lower case, can be the e-mail of an account (pure)."""
    return len(text) <= 254 and _EMAIL.fullmatch(text) is not None


def authenticate(email: str, password: str) -> Account | None:
    """Return the active account with this e-mail and password, else None. Both take the same time."""
    account = find_account(email)
    if account is None:
        passwords.verify_nobody(password)
    if account is None or not passwords.verify_password(account.password_hash, password):
        security_log.record_failed_sign_in(account)
        return None
    if not account.active:
        return None
    if passwords.needs_rehash(account.password_hash):
        account.password_hash = passwords.hash_password(password)
        db.session.commit()
    return account


def require_password(account: Account, password: str, field: str = "/password") -> None:
    """Raise INVALID_REQUEST for ``field`` unless this is the account's password."""
    if not passwords.verify_password(account.password_hash, password):
        raise invalid_field(field, "This is not your current password.")


def change_password(account: Account, old: str, new: str, session_id: int | None = None) -> None:
    """Set a new password for someone who knows the old one, and end every session but ``session_id``.

    Raises INVALID_REQUEST for either field.
    """
    require_password(account, old, "/old_password")
    _refuse_weak(new, account.email, "/new_password")
    _store_password(account, new, session_id)


def set_password(account: Account, new: str) -> None:
    """Set a new password without the old one and end every session. Raises INVALID_REQUEST."""
    _refuse_weak(new, account.email, "/password")
    _store_password(account, new)


def reset_password(token: str, new: str) -> None:
    """Set a new password with the token of a link that was mailed, and end every session.

    Raises INVALID_REQUEST for the password, after which the link still works, and NOT_FOUND for a link that
    is unknown, over or used.
    """
    link = links.find_reset(token)
    account = db.session.get(Account, link.account_id) if link else None
    if link is None or account is None or not account.active:
        raise ServiceFailure("NOT_FOUND", BAD_LINK)
    _refuse_weak(new, account.email, "/password")
    if not links.use(link):
        raise ServiceFailure("NOT_FOUND", BAD_LINK)
    _store_password(account, new)


def update_profile(account: Account, name: str, time_zone: str | None) -> None:
    """Change the account's name and time zone; None shows times in the browser's. Raises INVALID_REQUEST."""
    if time_zone is not None and zone_named(time_zone) is None:
        raise invalid_field("/time_zone", "Choose a time zone of the list.")
    account.name = _name(name)
    account.time_zone = time_zone
    db.session.commit()


def find_account(email: str) -> Account | None:
    """Return the account with this e-mail in any case, None if there is none."""
    email = email.strip().lower()
    if not is_email(email):
        return None
    return db.session.scalar(select(Account).where(Account.email == email))


def get_account(account_id: int) -> Account:
    """Return an account by its id. Raises sqlalchemy.exc.NoResultFound."""
    return db.session.get_one(Account, account_id)


def _new_account(email: str, password: str, name: str = "") -> Account:
    account_id = insert_new(
        Account, email=email, name=_name(name), password_hash=passwords.hash_password(password)
    )
    if account_id is None:
        db.session.rollback()
        raise invalid_field("/email", TAKEN)
    security_log.record(account_id, "account_created")
    db.session.commit()
    return db.session.get_one(Account, account_id)


def _store_password(account: Account, new: str, session_id: int | None = None) -> None:
    account.password_hash = passwords.hash_password(new)
    # The account's row is locked from here on, so that a second change ends the session of the first.
    db.session.flush()
    sessions.end_all(account, but=session_id)
    security_log.record(account.id, "password_changed")
    db.session.commit()


def _refuse_weak(new: str, email: str, field: str) -> None:
    if problem := passwords.password_problem(new, email):
        raise invalid_field(field, problem)


def _name(name: str) -> str:
    return clean_line("name", name, 120) or ""


def _error(field: str, message: str) -> dict[str, str]:
    return {"location": "body", "field": field, "message": message}
