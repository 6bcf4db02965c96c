"""The second factor: codes that are right, once; recovery codes; turning it on and off."""

from __future__ import annotations

from datetime import datetime, timedelta

import pyotp
import pytest
from flask import Flask
from sqlalchemy import select, update

from app.accounts import passwords, second_factor, security_log, service
from app.accounts.model import Account, RecoveryCode, SecondFactor
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from tests.support.together import together

pytestmark = pytest.mark.usefixtures("db_app")

PASSWORD = "correct horse battery"


@pytest.fixture
def alice(db_app: Flask) -> Account:
    return service.sign_up("alice@example.com", PASSWORD)


def begun(account: Account) -> pyotp.TOTP:
    """A program with the new secret of an account."""
    second_factor.begin(account)
    setup = second_factor.setup_of(account)
    assert setup is not None
    program = pyotp.parse_uri(setup.uri)
    assert isinstance(program, pyotp.TOTP)
    assert (program.secret, program.name) == (setup.secret, account.email)
    return program


def turned_on(account: Account) -> tuple[pyotp.TOTP, list[str]]:
    """The program, and the recovery codes. The code of the step before the present one is used."""
    program = begun(account)
    return program, second_factor.confirm(account, code_at(program, -1))


def code_at(program: pyotp.TOTP, steps: int, now: datetime | None = None) -> str:
    return program.at((now or utc_now()) + timedelta(seconds=steps * second_factor.STEP))


def test_it_counts_once_a_first_code_is_right(alice: Account) -> None:
    program = begun(alice)
    assert not second_factor.is_on(alice.id)
    with pytest.raises(ServiceFailure, match="INVALID_REQUEST"):
        second_factor.confirm(alice, "000000" if code_at(program, 0) != "000000" else "111111")
    assert not second_factor.is_on(alice.id)
    assert not second_factor.use_code(alice, code_at(program, 0))
    codes = second_factor.confirm(alice, code_at(program, 0))
    assert second_factor.is_on(alice.id)
    assert (len(set(codes)), second_factor.codes_left(alice)) == (10, 10)
    assert second_factor.setup_of(alice) is None


def test_a_code_is_good_once_and_no_older_one_after_it(alice: Account) -> None:
    program, _ = turned_on(alice)
    now = utc_now()
    right = code_at(program, 0, now)
    assert second_factor.use_code(alice, f"{right[:3]} {right[3:]}")
    assert not second_factor.use_code(alice, right)
    assert not second_factor.use_code(alice, code_at(program, -1, now))
    assert second_factor.use_code(alice, code_at(program, 1, now))


@pytest.mark.parametrize(("steps", "is_right"), [(-2, False), (-1, True), (0, True), (1, True), (2, False)])
def test_the_code_before_and_after_the_present_one_is_right_and_no_other(
    alice: Account, monkeypatch: pytest.MonkeyPatch, steps: int, is_right: bool
) -> None:
    program, _ = turned_on(alice)
    later = utc_now() + timedelta(minutes=5)
    monkeypatch.setattr(second_factor, "utc_now", lambda: later)
    assert second_factor.use_code(alice, code_at(program, steps, later)) is is_right


@pytest.mark.parametrize("code", ["", "12345", "１２３４５６", "x" * 2000, "aaaaaa-aaaaaa"])
def test_what_is_no_code_is_wrong(alice: Account, code: str) -> None:
    turned_on(alice)
    assert not second_factor.use_code(alice, code)


def test_of_two_requests_with_one_code_one_is_right(db_app: Flask, alice: Account) -> None:
    program, _ = turned_on(alice)
    right, account_id = code_at(program, 0), alice.id

    def use() -> bool:
        return second_factor.use_code(service.get_account(account_id), right)

    assert sorted(together(db_app, use, 2)) == [False, True]


def test_each_recovery_code_is_good_once_and_new_ones_replace_the_former(alice: Account) -> None:
    _, codes = turned_on(alice)
    assert second_factor.use_code(alice, f" {codes[3].upper()} ")
    assert not second_factor.use_code(alice, codes[3])
    assert second_factor.codes_left(alice) == 9
    renewed = second_factor.new_recovery_codes(alice)
    assert not second_factor.use_code(alice, codes[0])
    assert second_factor.use_code(alice, renewed[0])


def test_neither_the_secret_nor_a_recovery_code_is_stored_as_it_is(alice: Account) -> None:
    program, codes = turned_on(alice)
    factor = db.session.scalars(select(SecondFactor)).one()
    assert program.secret not in factor.secret
    hashes = "".join(db.session.scalars(select(RecoveryCode.code_hash)))
    assert hashes.count("$argon2id$") == 10
    assert not any(code in hashes for code in codes)


def test_a_second_factor_that_is_on_is_not_replaced_unnoticed(alice: Account) -> None:
    program, _ = turned_on(alice)
    second_factor.begin(alice)
    assert second_factor.use_code(alice, code_at(program, 0))


def test_when_no_key_reads_the_secret_recovery_codes_still_sign_in(alice: Account) -> None:
    program, codes = turned_on(alice)
    db.session.execute(update(SecondFactor).values(secret="gAAAAABnothing"))
    db.session.commit()
    assert not second_factor.use_code(alice, code_at(program, 0))
    assert second_factor.use_code(alice, codes[0])


def test_turning_it_off_forgets_everything(alice: Account) -> None:
    program, codes = turned_on(alice)
    second_factor.turn_off(alice)
    assert not second_factor.is_on(alice.id)
    assert not second_factor.use_code(alice, code_at(program, 0))
    assert not second_factor.use_code(alice, codes[0])
    assert second_factor.codes_left(alice) == 0


def test_turning_it_on_and_off_is_in_the_security_log(alice: Account) -> None:
    turned_on(alice)
    second_factor.turn_off(alice)
    second_factor.turn_off(alice)
    kinds = [event.kind for event in reversed(security_log.list_events(alice, 1, 10)[0])]
    assert kinds[1:] == ["second_factor_on", "recovery_codes_made", "second_factor_off"]


def test_what_alice_does_with_hers_leaves_bobs_as_it_is(alice: Account) -> None:
    bob = service.sign_up("bob@example.com", PASSWORD)
    program, codes = turned_on(bob)
    turned_on(alice)
    second_factor.new_recovery_codes(alice)
    assert (second_factor.codes_left(alice), second_factor.codes_left(bob)) == (10, 10)
    second_factor.turn_off(alice)
    assert second_factor.use_code(bob, codes[0])
    assert second_factor.use_code(bob, code_at(program, 0))


def test_a_wrong_code_of_the_program_costs_no_hash(alice: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ten for each wrong code would keep a process busy for whoever knows the password."""
    turned_on(alice)
    hashed: list[str] = []
    monkeypatch.setattr(passwords, "verify_password", lambda stored, _: hashed.append(stored))
    assert not second_factor.use_code(alice, "12345")
    assert not second_factor.use_code(alice, "12345678")
    assert hashed == []


def test_the_codes_of_one_account_are_wrong_at_another(alice: Account) -> None:
    bob = service.sign_up("bob@example.com", PASSWORD)
    program, codes = turned_on(alice)
    turned_on(bob)
    assert not second_factor.use_code(bob, code_at(program, 0))
    assert not second_factor.use_code(bob, codes[0])


def test_once_it_is_on_a_code_makes_no_new_recovery_codes(alice: Account) -> None:
    program, codes = turned_on(alice)
    with pytest.raises(ServiceFailure, match="INVALID_REQUEST"):
        second_factor.confirm(alice, code_at(program, 0))
    assert second_factor.use_code(alice, codes[0])
