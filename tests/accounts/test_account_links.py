"""Links to choose a password with: each is for one purpose, good once, and for a while."""

from __future__ import annotations

from datetime import timedelta
from threading import Barrier

import pytest
from flask import Flask

from app.accounts import links, passwords, service
from app.accounts.model import Account
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from tests.support.together import together
from tests.support.waiting import PATIENCE

pytestmark = pytest.mark.usefixtures("db_app")

PASSWORD = "correct horse battery"
NEW = "dora@example.com"


@pytest.fixture
def alice(db_app: Flask) -> Account:
    return service.sign_up("alice@example.com", PASSWORD)


def token(email: str = NEW, account: Account | None = None, minutes: float = 60) -> str:
    return links.begin(email, utc_now() + timedelta(minutes=minutes), account)


def test_a_link_is_for_one_purpose_only(alice: Account) -> None:
    reset, sign_up = token(alice.email, alice), token()
    assert (links.find_reset(reset) is not None, links.find_sign_up(reset)) == (True, None)
    assert (links.find_sign_up(sign_up) is not None, links.find_reset(sign_up)) == (True, None)


def test_a_link_is_used_once_even_by_somebody_who_found_it_before(alice: Account) -> None:
    text = token()
    link = links.find_sign_up(text)
    assert link is not None
    db.session.expunge(link)
    assert [links.use(link), links.use(link)] == [True, False]


def test_a_link_that_is_over_does_not_work(alice: Account) -> None:
    assert links.find_sign_up(token(minutes=-1)) is None
    assert links.find_reset(token(alice.email, alice, minutes=-1)) is None


def test_links_that_are_over_are_pruned_and_others_stay() -> None:
    over, good = token(minutes=-1), token()
    assert links.prune() == 1
    assert links.find_sign_up(good) is not None
    assert links.find_sign_up(over) is None


def test_an_invitation_is_good_for_seven_days() -> None:
    text = service.invite(NEW)
    link = links.find_sign_up(text)
    assert link is not None
    assert timedelta(days=6.9) < link.expires_at - utc_now() <= timedelta(days=7)


class TestAtOnce:
    @pytest.fixture
    def database_kind(self) -> str:
        return "postgresql"

    @pytest.fixture(autouse=True)
    def _both_found_the_link(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Let the password of each of two requests be judged once both have found the link."""
        both, judge = Barrier(2), passwords.password_problem

        def judged(password: str, email: str) -> str | None:
            both.wait(PATIENCE)
            return judge(password, email)

        monkeypatch.setattr(passwords, "password_problem", judged)

    def test_of_two_who_open_one_link_one_gets_the_account(self, db_app: Flask) -> None:
        text = token()

        def accept() -> str:
            try:
                return service.sign_up_by_link(text, PASSWORD).email
            except ServiceFailure as refused:
                return refused.failure.code

        assert sorted(together(db_app, accept, 2)) == ["NOT_FOUND", NEW]

    def test_of_two_who_set_a_password_by_one_link_one_does(self, db_app: Flask) -> None:
        db.session.add(Account(email="alice@example.com", name="", password_hash="-"))
        db.session.commit()
        text = token("alice@example.com", service.find_account("alice@example.com"))
        chosen = iter(["the good password of Dora", "the good password of Emil"])

        def reset() -> str:
            password = next(chosen)
            try:
                service.reset_password(text, password)
            except ServiceFailure as refused:
                return refused.failure.code
            return password

        refused, password = sorted(together(db_app, reset, 2))
        assert refused == "NOT_FOUND"
        assert service.authenticate("alice@example.com", password) is not None


class TestClosed:
    @pytest.fixture
    def settings_overrides(self) -> dict[str, str]:
        return {"SIGN_UP": "closed"}

    def test_a_link_from_before_makes_no_account_once_sign_up_is_closed(self) -> None:
        with pytest.raises(ServiceFailure, match="NOT_FOUND"):
            service.sign_up_by_link(token(), PASSWORD)
        assert service.find_account(NEW) is None
