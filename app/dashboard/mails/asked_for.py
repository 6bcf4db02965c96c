"""Writes the letters that somebody asked for by typing an address.

Only here it is looked up whether the address has an account, so that asking takes the same time. The token
of a link is made with its letter: it is neither in the outbox nor anywhere else but in the mail.
"""

from collections.abc import Callable, Mapping
from typing import Final

from flask import url_for

from app.accounts import links
from app.accounts.service import find_account
from app.dashboard.mails.letter import Content, letter_of
from app.infra.clock import utc_now
from app.infra.mail import Letter
from app.infra.settings import current_settings
from app.notifications.kinds import PASSWORD_RESET, SIGN_UP
from app.notifications.model import Mail


def letter_asked_for(mail: Mail, address: str) -> Letter | None:
    """Return the letter, None if there is nothing to say to this address, or no longer."""
    return _WRITERS[mail.kind](mail, address)


def _password_reset(mail: Mail, address: str) -> Letter | None:
    account = find_account(address)
    until = mail.created_at + links.RESET_LASTS
    if account is None or not account.active or until <= utc_now():
        return None
    token = links.begin(account.email, until, account)
    link = url_for("auth.reset_password", token=token, _external=True)
    content = Content("Choose a new password", "password_reset", {"link_url": link}, at=until)
    footer = "You get this mail because somebody entered your address after “Forgot your password?”."
    return letter_of(account.email, content, footer, time_zone=account.time_zone)


def _sign_up(mail: Mail, address: str) -> Letter | None:
    footer = "You get this mail because somebody entered your address to create an account."
    if find_account(address) is not None:
        return letter_of(address, Content("You have an account already", "has_account"), footer)
    until = mail.created_at + links.SIGN_UP_LASTS
    if until <= utc_now() or current_settings().sign_up != "open":
        return None
    link = url_for("auth.accept", token=links.begin(address, until), _external=True)
    return letter_of(address, Content("Create your account", "sign_up", {"link_url": link}, at=until), footer)


_WRITERS: Final[Mapping[str, Callable[[Mail, str], Letter | None]]] = {
    PASSWORD_RESET: _password_reset,
    SIGN_UP: _sign_up,
}
