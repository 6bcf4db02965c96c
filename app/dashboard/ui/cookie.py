"""The session cookie: who is signed in. It holds the token of the session, never the account.

The token of a link from a mail is kept in it while its form is open, so that no page has it in its address.

Flask signs the cookie. Messages and the secret of the form tokens are in it, too, so that a form token is
good for one session only.
"""

import time
from typing import Final

from flask import Flask, Request, g, request, session
from flask.sessions import SecureCookieSession, SecureCookieSessionInterface
from flask_login import LoginManager

from app.accounts import sessions
from app.accounts.model import Account
from app.infra.db import db

login_manager: Final = LoginManager()
# A session is bound to its token, not to addresses and browsers, which change.
login_manager.session_protection = None

_TOKEN: Final = "token"  # noqa: S105 (the name of the member)
_LINK: Final = "link"
_SITE: Final = "site"
_HALF: Final = "half"
HALF_SECONDS: Final = 600
"""So long after the password a code of the second factor is asked for."""


class Sessions(SecureCookieSessionInterface):
    """Flask's sessions, without preparing the check of a signature for requests that have no cookie."""

    def open_session(self, app: Flask, request: Request) -> SecureCookieSession | None:
        """Return the session of a request, an empty one without a cookie."""
        return super().open_session(app, request) if request.cookies else self.session_class()


def begin_session(account: Account, *, stays: bool = False) -> None:
    """Sign in: begin a session, and end the one that this browser had. Nothing of it is kept."""
    end_session()
    session[_TOKEN] = sessions.begin(account, stays=stays, user_agent=request.user_agent.string)
    session.permanent = stays


def end_session() -> None:
    """Sign out: end the session of this browser, and forget all that its cookie holds."""
    token = session.get(_TOKEN)
    session.clear()
    if isinstance(token, str):
        sessions.end(token)


def session_id() -> int:
    """Return the id of this browser's session. Only for views that require a signed-in account."""
    found: int = g.session_id
    return found


def keep_link(token: str) -> None:
    session[_LINK] = token


def kept_link() -> str:
    """Return the token of the link that was opened last; empty without one."""
    return str(session.get(_LINK, ""))


def forget_link() -> None:
    session.pop(_LINK, None)


def keep_site(site: str | None) -> None:
    """Keep the website that a visitor came to add until the account exists."""
    session[_SITE] = site


def kept_site() -> str | None:
    """Return the website that the visitor came to add, None without one."""
    site = session.get(_SITE)
    return site if isinstance(site, str) else None


def keep_half(account: Account, *, stays: bool) -> None:
    """Remember for ten minutes that somebody knew the password of an account, and nothing more."""
    session[_HALF] = [account.id, int(time.time()), stays]


def half_signed_in() -> tuple[Account, bool] | None:
    """Return whose password was entered, and whether the session is to stay; None if it is too long ago."""
    match session.get(_HALF):
        case [int(account_id), int(since), bool(stays)] if time.time() - since < HALF_SECONDS:
            account = db.session.get(Account, account_id)
            return (account, stays) if account is not None and account.active else None
    return None


def _signed_in(_request: Request) -> Account | None:
    token = session.get(_TOKEN)
    found = sessions.load(token) if isinstance(token, str) else None
    if found is None:
        return None
    g.session_id = found.session_id
    return found.account


login_manager.request_loader(_signed_in)
