"""Which kinds of mails an account gets, and the signed tokens by which a mail turns off its own kind."""

from collections.abc import Collection
from typing import Final, NamedTuple

from flask import current_app
from itsdangerous import BadSignature, URLSafeSerializer
from sqlalchemy import delete, select

from app.accounts.model import Account
from app.infra.db import changed_rows, db, insert_all_new
from app.notifications.kinds import KINDS
from app.notifications.model import UnwantedMail

_SALT: Final = "mail-choice"


class Choice(NamedTuple):
    """Whose mails, and of which kind."""

    account_id: int
    kind: str


def wanted_kinds(account_id: int) -> set[str]:
    unwanted = db.session.scalars(select(UnwantedMail.kind).where(UnwantedMail.account_id == account_id))
    return set(KINDS) - set(unwanted)


def set_wanted(account_id: int, wanted: Collection[str]) -> None:
    """Set which kinds of mails an account gets; all others are turned off. Commits."""
    unwanted = [kind for kind in KINDS if kind not in wanted]
    own = UnwantedMail.account_id == account_id
    changed_rows(delete(UnwantedMail).where(own, UnwantedMail.kind.not_in(unwanted)))
    insert_all_new(UnwantedMail, [{"account_id": account_id, "kind": kind} for kind in unwanted])
    db.session.commit()


def turn(choice: Choice, *, on: bool) -> None:
    """Turn one kind of mails on or off for an account. Commits."""
    wanted = wanted_kinds(choice.account_id)
    set_wanted(choice.account_id, wanted | {choice.kind} if on else wanted - {choice.kind})


def token_of(choice: Choice) -> str:
    """Return a token that lets its bearer turn this kind of mails off and on, and do nothing else.

    It is valid until SECRET_KEY changes: people keep mails for years.
    """
    return _serializer().dumps(list(choice))


def choice_of(token: str) -> Choice | None:
    """Return what a token is about, None if it is not one of ours or its account is gone."""
    try:
        account_id, kind = _serializer().loads(token)
    except (BadSignature, ValueError, TypeError):
        return None
    if kind not in KINDS or db.session.get(Account, account_id) is None:
        return None
    return Choice(account_id, kind)


def _serializer() -> URLSafeSerializer:
    return URLSafeSerializer(str(current_app.secret_key), salt=_SALT)
