"""Signing up, signing in, and changing passwords."""

import pytest
from flask import Flask

from app.accounts import passwords, service
from app.accounts.limits import monthly_post_limit, project_limit
from app.accounts.model import Account
from app.failures import ServiceFailure
from app.infra.db import db
from tests.support.together import together

PASSWORD = "correct horse battery"

pytestmark = pytest.mark.usefixtures("db_app")


@pytest.fixture
def alice(db_app: Flask) -> Account:
    return service.sign_up("Alice@Example.com", PASSWORD, " Alice ")


def fields_of(failure: ServiceFailure) -> set[str]:
    return {error["field"] for error in failure.errors}


def test_signing_up_keeps_the_email_in_lower_case_and_no_password(alice: Account) -> None:
    assert (alice.email, alice.name) == ("alice@example.com", "Alice")
    assert PASSWORD not in alice.password_hash


def test_every_wrong_field_of_a_sign_up_is_reported() -> None:
    with pytest.raises(ServiceFailure) as caught:
        service.sign_up("nobody", "short")
    assert caught.value.failure.code == "INVALID_REQUEST"
    assert fields_of(caught.value) == {"/email", "/password"}


@pytest.mark.parametrize(
    "email",
    [
        "a@b",
        "@example.com",
        "a b@example.com",
        "a@example.com\n.org",
        "a@@example.com",
        "a" * 250 + "@x.org",
        "a@" + "b" * 60 + ("." + "b" * 60) * 4 + ".example",
    ],
)
def test_an_invalid_email_is_rejected(email: str) -> None:
    with pytest.raises(ServiceFailure):
        service.sign_up(email, PASSWORD)


def test_an_email_signs_up_once_whatever_its_case(alice: Account) -> None:
    with pytest.raises(ServiceFailure) as caught:
        service.sign_up("ALICE@example.com", PASSWORD)
    assert fields_of(caught.value) == {"/email"}


def test_signing_up_at_the_same_moment_makes_one_account(db_app: Flask) -> None:
    def sign_up() -> str:
        try:
            return str(service.sign_up("bob@example.com", PASSWORD).id)
        except ServiceFailure as refused:
            return refused.failure.code

    answers = together(db_app, sign_up, 8)
    assert sorted(answers)[1:] == ["INVALID_REQUEST"] * 7


def test_alice_signs_in_with_her_password_alone(alice: Account) -> None:
    assert service.authenticate(" ALICE@example.com", PASSWORD) is alice
    assert service.authenticate("alice@example.com", PASSWORD + "!") is None
    assert service.authenticate("bob@example.com", PASSWORD) is None


@pytest.mark.parametrize("email", ["alice\x00@example.com", "\ud800@example.com", "alice", ""])
def test_nobody_has_an_account_with_what_is_no_e_mail(alice: Account, email: str) -> None:
    assert service.find_account(email) is None
    assert service.authenticate(email, PASSWORD) is None


def test_an_inactive_account_does_not_sign_in(alice: Account) -> None:
    alice.active = False
    db.session.commit()
    assert service.authenticate("alice@example.com", PASSWORD) is None


def test_signing_in_renews_a_hash_of_an_older_setting(alice: Account) -> None:
    weak = passwords.PasswordHasher(time_cost=1, memory_cost=8, parallelism=1).hash(PASSWORD)
    alice.password_hash = weak
    db.session.commit()
    assert service.authenticate("alice@example.com", PASSWORD) is alice
    assert alice.password_hash != weak
    assert service.authenticate("alice@example.com", PASSWORD) is alice


def test_a_changed_password_is_the_only_one_that_signs_in(alice: Account) -> None:
    service.change_password(alice, PASSWORD, "another good password")
    assert service.authenticate("alice@example.com", "another good password") is alice
    assert service.authenticate("alice@example.com", PASSWORD) is None


def test_a_password_change_needs_the_old_password_and_a_good_new_one(alice: Account) -> None:
    with pytest.raises(ServiceFailure) as caught:
        service.change_password(alice, "not my password", "another good password")
    assert fields_of(caught.value) == {"/old_password"}
    with pytest.raises(ServiceFailure) as caught:
        service.change_password(alice, PASSWORD, "short")
    assert fields_of(caught.value) == {"/new_password"}
    assert service.authenticate("alice@example.com", PASSWORD) is alice


def test_the_name_is_changed_within_its_length(alice: Account) -> None:
    service.update_profile(alice, "  Alice A. ", None)
    assert alice.name == "Alice A."
    with pytest.raises(ServiceFailure):
        service.update_profile(alice, "x" * 121, None)


def test_the_time_zone_is_one_that_exists(alice: Account) -> None:
    service.update_profile(alice, "", "Asia/Kathmandu")
    assert alice.time_zone == "Asia/Kathmandu"
    with pytest.raises(ServiceFailure) as caught:
        service.update_profile(alice, "Alice", "Mars/Crater")
    assert fields_of(caught.value) == {"/time_zone"}
    assert (alice.name, alice.time_zone) == ("", "Asia/Kathmandu")


class TestLimits:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, str]:
        return {"PROJECT_LIMIT": "3", "MONTHLY_POST_LIMIT": "30"}

    def test_an_accounts_own_limits_come_before_those_of_the_settings(self, alice: Account) -> None:
        assert (project_limit(alice), monthly_post_limit(alice)) == (3, 30)
        alice.project_limit, alice.monthly_post_limit = 0, 100
        assert (project_limit(alice), monthly_post_limit(alice)) == (0, 100)
        alice.project_limit, alice.monthly_post_limit = 100, 0
        assert (project_limit(alice), monthly_post_limit(alice)) == (100, 0)


def test_without_any_setting_nothing_is_limited(alice: Account) -> None:
    assert (project_limit(alice), monthly_post_limit(alice)) == (None, None)


def test_a_sign_in_checks_one_hash_of_the_same_cost_without_an_account_too(
    alice: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise the time of the answer would say which addresses have an account."""
    checked: list[str] = []
    verify = passwords.verify_password

    def recording(stored: str, password: str) -> bool:
        checked.append(stored.rsplit("$", 2)[0])
        return verify(stored, password)

    monkeypatch.setattr(passwords, "verify_password", recording)
    for email in (alice.email, "nobody@example.com"):
        assert service.authenticate(email, "another password") is None
    assert len(checked) == 2
    assert len(set(checked)) == 1
