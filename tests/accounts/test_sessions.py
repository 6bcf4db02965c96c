"""Sessions: who is signed in, until when, and what ends them."""

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import func, select, update

from app.accounts import service, sessions
from app.accounts.model import Account, AccountSession
from app.infra.clock import utc_now
from app.infra.db import db
from tests.support.plans import listening

PASSWORD = "correct horse battery"

pytestmark = pytest.mark.usefixtures("db_app")


@pytest.fixture
def settings_overrides() -> dict[str, str]:
    return {"SESSION_IDLE_SECONDS": "3600", "SESSION_MAX_SECONDS": "86400"}


@pytest.fixture
def alice(db_app: Flask) -> Account:
    return service.sign_up("alice@example.com", PASSWORD)


@pytest.fixture
def bob(db_app: Flask) -> Account:
    return service.sign_up("bob@example.com", PASSWORD)


def is_signed_in(token: str) -> bool:
    return sessions.load(token) is not None


def age(column: str, seconds: float) -> None:
    """Let a time of every session be so long ago."""
    db.session.execute(update(AccountSession).values({column: utc_now() - timedelta(seconds=seconds)}))
    db.session.commit()


def kinds_of_statements(token: str) -> list[str]:
    """What the database is asked when a token is used."""
    with listening(db.engine) as heard:
        assert is_signed_in(token)
    db.session.rollback()
    kinds = [text.split()[0] for text, _ in heard]
    return [kind for kind in kinds if kind in ("SELECT", "INSERT", "UPDATE", "DELETE")]


def count() -> int:
    return db.session.scalar(select(func.count()).select_from(AccountSession)) or 0


def test_a_token_signs_its_account_in_and_is_not_stored(alice: Account, bob: Account) -> None:
    token = sessions.begin(alice, stays=False, user_agent="Mozilla/5.0")
    found = sessions.load(token)
    assert found is not None
    assert found.account is alice
    row = db.session.get_one(AccountSession, found.session_id)
    assert not any(token[at : at + 8].encode() in row.digest for at in range(len(token) - 7))
    assert row.user_agent == "Mozilla/5.0"


@pytest.mark.parametrize("token", ["", "1:1", "x" * 43, "\ud800", "é"])
def test_a_made_up_token_signs_nobody_in(alice: Account, token: str) -> None:
    sessions.begin(alice, stays=False)
    assert not is_signed_in(token)


def test_each_account_sees_its_own_sessions_only_and_the_newest_of_many(alice: Account, bob: Account) -> None:
    sessions.begin(bob, stays=False, user_agent="Bob's")
    for each in range(sessions.MOST_LISTED + 1):
        sessions.begin(alice, stays=False, user_agent=f"{each:02}")
    listed = [each.user_agent for each in sessions.list_sessions(alice)]
    assert listed == [f"{each:02}" for each in range(sessions.MOST_LISTED, 0, -1)]
    assert [each.user_agent for each in sessions.list_sessions(bob)] == ["Bob's"]


def test_of_an_endless_name_of_a_browser_the_beginning_is_kept(alice: Account) -> None:
    sessions.begin(alice, stays=False, user_agent="x" * 5000)
    assert [each.user_agent for each in sessions.list_sessions(alice)] == ["x" * 200]


def test_signing_out_ends_this_session_only(alice: Account) -> None:
    first, second = (sessions.begin(alice, stays=False) for _ in range(2))
    sessions.end(first)
    sessions.end(first)
    assert not is_signed_in(first)
    assert is_signed_in(second)


def test_a_session_ends_when_it_is_not_used(alice: Account) -> None:
    token, staying = sessions.begin(alice, stays=False), sessions.begin(alice, stays=True)
    age("last_seen_at", 3700)
    assert not is_signed_in(token)
    assert [each.stays for each in sessions.list_sessions(alice)] == [True]
    assert is_signed_in(staying)


def test_every_session_ends_at_its_limit(alice: Account) -> None:
    tokens = [sessions.begin(alice, stays=stays) for stays in (False, True)]
    age("expires_at", 1)
    assert not any(map(is_signed_in, tokens))
    assert sessions.list_sessions(alice) == []
    assert sessions.prune() == 2


def test_a_session_that_has_not_ended_is_not_pruned(alice: Account) -> None:
    token = sessions.begin(alice, stays=False)
    assert sessions.prune() == 0
    assert is_signed_in(token)


def test_an_inactive_account_is_not_signed_in(alice: Account) -> None:
    token = sessions.begin(alice, stays=True)
    alice.active = False
    db.session.commit()
    assert not is_signed_in(token)


def test_a_use_is_written_once_a_minute_and_costs_one_statement_otherwise(alice: Account) -> None:
    token = sessions.begin(alice, stays=False)
    age("last_seen_at", 61)
    assert kinds_of_statements(token) == ["SELECT", "UPDATE"]
    assert kinds_of_statements(token) == ["SELECT"]


def test_a_changed_password_ends_the_other_sessions_of_the_account(alice: Account, bob: Account) -> None:
    this, other, bobs = (sessions.begin(who, stays=True) for who in (alice, alice, bob))
    found = sessions.load(this)
    assert found is not None
    service.change_password(alice, PASSWORD, "another good password", found.session_id)
    assert [is_signed_in(token) for token in (this, other, bobs)] == [True, False, True]
    service.set_password(alice, "a third good password")
    assert [is_signed_in(token) for token in (this, other, bobs)] == [False, False, True]


def test_a_session_is_revoked_by_its_own_account_only(alice: Account, bob: Account) -> None:
    token = sessions.begin(alice, stays=False)
    (row,) = sessions.list_sessions(alice)
    sessions.revoke(bob, row.id)
    assert is_signed_in(token)
    sessions.revoke(alice, row.id)
    assert not is_signed_in(token)
    assert count() == 0
