"""API keys: their format, their accounts, and their expiry."""

from dataclasses import replace
from datetime import timedelta

import pytest
from flask import Flask

from app.accounts import keys, service
from app.accounts.model import Account, ApiKey
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from tests.support.plans import listening

pytestmark = pytest.mark.usefixtures("db_app")


@pytest.fixture
def alice(db_app: Flask) -> Account:
    return service.sign_up("alice@example.com", "correct horse battery")


@pytest.fixture
def bob(db_app: Flask) -> Account:
    return service.sign_up("bob@example.com", "correct horse battery")


def refusal(text: str | None) -> str:
    with pytest.raises(ServiceFailure) as caught:
        keys.authenticate_key(text)
    assert not text or text not in str(caught.value)
    return caught.value.failure.code


def test_a_key_authenticates_its_account(alice: Account, bob: Account) -> None:
    key, text = keys.create_key(alice, " ci ", can_write=False)
    keys.create_key(bob, "bob's")
    found = keys.authenticate_key(text)
    assert (found.account_id, found.id, found.name, found.can_write) == (alice.id, key.id, "ci", False)


def test_a_key_is_58_characters_and_only_its_beginning_is_kept(alice: Account) -> None:
    key, text = keys.create_key(alice, "ci")
    assert len(text) == 58
    assert text.startswith("seo_live_")
    assert key.prefix == text[:16]
    kept = [getattr(key, column.key) for column in ApiKey.__table__.columns]
    assert not any(text[16:] in str(value) for value in kept)


def test_no_key_and_a_wrong_key_give_different_failures(alice: Account) -> None:
    _key, text = keys.create_key(alice, "ci")
    assert refusal(None) == refusal("") == "MISSING_API_KEY"
    other = "seo_live_" + "0" * 43
    assert refusal(other + keys._checksum(other)) == "INVALID_API_KEY"
    assert refusal(text.swapcase()) == "INVALID_API_KEY"


def test_a_mistyped_key_is_rejected_without_a_query(alice: Account) -> None:
    _key, text = keys.create_key(alice, "ci")
    swapped = text[:20] + text[21] + text[20] + text[22:]
    if swapped == text:
        swapped = text[:20] + ("0" if text[20] != "0" else "1") + text[21:]
    with listening(db.engine) as heard:
        for wrong in (
            swapped,
            text[:-1],
            text + "0",
            text + "\n",
            "é" * 58,
            "seo_live_",
            "\ud800",
            "x" * 100_000,
        ):
            assert refusal(wrong) == "INVALID_API_KEY"
    assert heard == []


def test_a_revoked_and_an_expired_key_are_rejected_like_an_unknown_one(alice: Account) -> None:
    key, text = keys.create_key(alice, "ci")
    keys.revoke_key(alice, key.id)
    assert refusal(text) == "INVALID_API_KEY"
    key, text = keys.create_key(alice, "short-lived", expires_at=utc_now() + timedelta(hours=1))
    keys.authenticate_key(text)
    key.expires_at = utc_now() - timedelta(seconds=1)
    db.session.commit()
    assert refusal(text) == "INVALID_API_KEY"


def test_the_key_of_an_inactive_account_is_rejected_as_such(alice: Account) -> None:
    _key, text = keys.create_key(alice, "ci")
    alice.active = False
    db.session.commit()
    assert refusal(text) == "ACCOUNT_INACTIVE"


def test_the_last_use_is_written_at_most_once_a_minute(alice: Account) -> None:
    key, text = keys.create_key(alice, "ci")
    assert key.last_used_at is None
    keys.authenticate_key(text)
    first = key.last_used_at
    assert first is not None
    keys.authenticate_key(text)
    assert key.last_used_at == first
    key.last_used_at = earlier = first - timedelta(minutes=2)
    db.session.commit()
    keys.authenticate_key(text)
    assert key.last_used_at > earlier


def test_revoking_twice_is_one_revocation_and_only_the_owner_may(alice: Account, bob: Account) -> None:
    key, text = keys.create_key(alice, "ci")
    with pytest.raises(ServiceFailure, match="NOT_FOUND"):
        keys.revoke_key(bob, key.id)
    keys.authenticate_key(text)
    at = keys.revoke_key(alice, key.id).revoked_at
    assert keys.revoke_key(alice, key.id).revoked_at == at


def test_revoking_one_key_leaves_the_others_of_the_account(alice: Account) -> None:
    first, _ = keys.create_key(alice, "first")
    second, _ = keys.create_key(alice, "second")
    assert keys.revoke_key(alice, second.id) is second
    assert second.revoked_at is not None
    assert first.revoked_at is None


def test_using_one_key_leaves_the_last_use_of_the_others(alice: Account) -> None:
    used, text = keys.create_key(alice, "used")
    other, _ = keys.create_key(alice, "other")
    keys.authenticate_key(text)
    db.session.expire_all()
    assert used.last_used_at is not None
    assert other.last_used_at is None


def test_a_use_within_the_minute_writes_nothing(alice: Account) -> None:
    _, text = keys.create_key(alice, "key")
    keys.authenticate_key(text)
    with listening(db.engine) as heard:
        keys.authenticate_key(text)
    assert heard
    assert not [statement for statement, _ in heard if statement.startswith("UPDATE")]


def test_of_two_uses_at_once_one_is_recorded(alice: Account) -> None:
    key, _ = keys.create_key(alice, "key")
    first = utc_now()
    for later, recorded in ((0, 0), (59, 0), (60, 60)):
        keys._touch(key.id, first + timedelta(seconds=later))
        db.session.refresh(key)
        assert key.last_used_at == first + timedelta(seconds=recorded)


def test_a_key_is_active_until_the_moment_it_expires_or_is_revoked(alice: Account) -> None:
    now = utc_now()
    key, _ = keys.create_key(alice, "key")
    assert keys.state_of(key, now) == "active"
    key.expires_at = now + timedelta(seconds=1)
    assert keys.state_of(key, now) == "active"
    key.expires_at = now
    assert keys.state_of(key, now) == "expired"
    key.revoked_at = now
    assert keys.state_of(key, now) == "revoked"


def test_the_moment_that_has_come_is_over(alice: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    key, text = keys.create_key(alice, "key")
    now = utc_now()
    monkeypatch.setattr(keys, "utc_now", lambda: now)
    with pytest.raises(ServiceFailure, match="INVALID_REQUEST"):
        keys.create_key(alice, "late", expires_at=now)
    key.last_used_at = now - timedelta(minutes=1)
    db.session.commit()
    keys.authenticate_key(text)
    db.session.refresh(key)
    assert key.last_used_at == now


def test_the_keys_of_an_account_are_listed_newest_first(alice: Account, bob: Account) -> None:
    made = [keys.create_key(alice, name)[0] for name in ("one", "two")]
    keys.create_key(bob, "bob's")
    assert list(keys.list_keys(alice)) == made[::-1]


@pytest.mark.parametrize("name", ["", "  ", "x" * 81, "a\0b"])
def test_a_key_needs_a_storable_name(alice: Account, name: str) -> None:
    with pytest.raises(ServiceFailure, match="INVALID_REQUEST"):
        keys.create_key(alice, name)


def test_a_key_that_has_expired_already_is_not_made(alice: Account) -> None:
    with pytest.raises(ServiceFailure, match="INVALID_REQUEST"):
        keys.create_key(alice, "ci", expires_at=utc_now())


def test_a_stored_digest_is_useless_with_another_pepper(
    alice: Account, db_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    _key, text = keys.create_key(alice, "ci")
    other = replace(db_app.extensions["settings"], api_key_pepper="another pepper, long enough as well")
    monkeypatch.setitem(db_app.extensions, "settings", other)
    assert refusal(text) == "INVALID_API_KEY"
