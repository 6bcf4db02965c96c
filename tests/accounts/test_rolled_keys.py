"""Keys that get a new text while the former one still works, and keys that are limited."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import select, update

from app.accounts import keys, service
from app.accounts.model import Account, ApiKey
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from app.projects.service import create_project
from tests.support.locks import somebody_waits
from tests.support.waiting import PATIENCE, eventually

pytestmark = pytest.mark.usefixtures("db_app")

DAY = timedelta(days=1)


@pytest.fixture
def alice(db_app: Flask) -> Account:
    return service.sign_up("alice@example.com", "correct horse battery")


def works(text: str) -> bool:
    try:
        keys.authenticate_key(text)
    except ServiceFailure:
        return False
    return True


def test_the_former_text_works_beside_the_new_one_until_its_time_is_over(alice: Account) -> None:
    key, former = keys.create_key(alice, "ci", can_write=False)
    same, text = keys.roll_key(alice, key.id, DAY)
    assert (same.id, same.prefix, same.can_write) == (key.id, text[:16], False)
    assert works(text)
    assert works(former)
    key.former_expires_at = utc_now()
    db.session.commit()
    assert works(text)
    assert not works(former)


def test_without_an_overlap_the_former_text_ends_at_once(alice: Account) -> None:
    key, former = keys.create_key(alice, "ci")
    _, text = keys.roll_key(alice, key.id, timedelta())
    assert (works(text), works(former)) == (True, False)
    assert (key.former_digest, key.former_expires_at) == (None, None)


def test_a_key_has_two_texts_at_most(alice: Account) -> None:
    key, first = keys.create_key(alice, "ci")
    _, second = keys.roll_key(alice, key.id, DAY)
    _, third = keys.roll_key(alice, key.id, DAY)
    assert [works(text) for text in (first, second, third)] == [False, True, True]


@pytest.mark.postgresql
@pytest.mark.parametrize("database_kind", ["postgresql"])
def test_a_roll_that_waits_for_another_one_keeps_the_text_of_that(app: Flask, alice: Account) -> None:
    key, _ = keys.create_key(alice, "ci")
    key_id, account_id, text_of_first = key.id, alice.id, b"1" * 32
    db.session.commit()

    def roll() -> None:
        with app.app_context():
            keys.roll_key(db.session.get_one(Account, account_id), key_id, DAY)

    second = threading.Thread(target=roll)
    with db.engine.begin() as first:
        first.execute(update(ApiKey).where(ApiKey.id == key_id).values(digest=text_of_first))
        second.start()
        eventually(somebody_waits, "the second roll waits for the first")
    second.join(PATIENCE)
    assert db.session.scalar(select(ApiKey.former_digest)) == text_of_first


def test_revoking_and_expiry_end_both_texts(alice: Account) -> None:
    for end in ("revoked_at", "expires_at"):
        key, former = keys.create_key(alice, "ci")
        _, text = keys.roll_key(alice, key.id, DAY)
        setattr(key, end, utc_now())
        db.session.commit()
        assert not works(text)
        assert not works(former)


def test_only_an_active_key_of_the_account_is_rolled(alice: Account) -> None:
    bob = service.sign_up("bob@example.com", "correct horse battery")
    key, text = keys.create_key(alice, "ci")
    with pytest.raises(ServiceFailure, match="NOT_FOUND"):
        keys.roll_key(bob, key.id, DAY)
    for overlap in (timedelta(days=31), timedelta(seconds=-1)):
        with pytest.raises(ServiceFailure, match="INVALID_REQUEST"):
            keys.roll_key(alice, key.id, overlap)
    assert works(text)
    keys.revoke_key(alice, key.id)
    with pytest.raises(ServiceFailure, match="INVALID_REQUEST") as refused:
        keys.roll_key(alice, key.id, DAY)
    assert "revoked" in refused.value.errors[0]["message"]


def test_scopes_are_kept_in_one_order_and_unknown_ones_refused(alice: Account) -> None:
    key, _ = keys.create_key(alice, "ci", scopes=["posts", "pages", "posts"])
    assert key.scopes == ["pages", "posts"]
    assert keys.create_key(alice, "ci", scopes=[])[0].scopes is None
    with pytest.raises(ServiceFailure, match="INVALID_REQUEST"):
        keys.create_key(alice, "ci", scopes=["posts", "money"])


def test_a_new_key_can_do_all_for_ever_unless_it_is_limited(alice: Account) -> None:
    key, _ = keys.create_key(alice, "ci")
    assert (key.can_write, key.scopes, key.project_id, key.expires_at) == (True, None, None, None)


def test_a_key_keeps_the_limits_that_it_is_made_with(alice: Account) -> None:
    project_id = create_project(alice, {"url": "https://alice.example.com/"}).id
    until = utc_now() + DAY
    made, text = keys.create_key(
        alice, " ci ", can_write=False, expires_at=until, scopes=["posts"], project_id=project_id
    )
    db.session.expire_all()
    key = keys.authenticate_key(text)
    assert (key.id, key.account_id, key.name) == (made.id, alice.id, "ci")
    assert (key.can_write, key.expires_at, key.scopes, key.project_id) == (
        False,
        until,
        ["posts"],
        project_id,
    )


def test_a_refusal_names_the_field_and_what_is_wrong_with_it(alice: Account) -> None:
    key, _ = keys.create_key(alice, "ci")
    past = utc_now() - DAY
    for call, field, message in (
        (lambda: keys.create_key(alice, ""), "/name", "This is required."),
        (lambda: keys.create_key(alice, "ci", expires_at=past), "/expires_at", "This time has passed."),
        (lambda: keys.create_key(alice, "ci", scopes=["moon"]), "/scopes", "There is no scope moon."),
        (
            lambda: keys.roll_key(alice, key.id, 31 * DAY),
            "/overlap",
            "The former key may work for 30 days at most.",
        ),
    ):
        with pytest.raises(ServiceFailure) as caught:
            call()
        (error,) = caught.value.errors
        assert (error["field"], error["message"]) == (field, message)


@pytest.mark.parametrize(("ended", "state"), [("revoked_at", "revoked"), ("expires_at", "expired")])
def test_a_key_that_has_ended_gets_no_new_text(alice: Account, ended: str, state: str) -> None:
    key, _ = keys.create_key(alice, "ci")
    setattr(key, ended, utc_now())
    db.session.commit()
    with pytest.raises(ServiceFailure) as caught:
        keys.roll_key(alice, key.id, DAY)
    (error,) = caught.value.errors
    assert (error["field"], error["message"]) == ("/overlap", f"This key is {state}. Create a new one.")


def test_the_longest_overlap_is_accepted(alice: Account) -> None:
    key, former = keys.create_key(alice, "ci")
    keys.roll_key(alice, key.id, keys.LONGEST_OVERLAP)
    assert works(former)
