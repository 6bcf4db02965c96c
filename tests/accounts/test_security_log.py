"""The security log: what is written, where it came from, and what bounds it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any, get_args

import pytest
from flask import Flask

from app.accounts import keys, security_log, service, sessions
from app.accounts.model import Account, SecurityEvent
from app.dashboard.security_log import WORDS
from app.infra import rate_limit
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.origin import set_origin
from app.keywords.removal import remove_keywords
from app.keywords.service import add_keyword
from app.overview.project_removal import remove_project
from app.projects.service import create_project
from app.publishing import service as targets
from app.publishing.removal import remove_drafts
from tests.support.publishing import post_of

pytestmark = pytest.mark.usefixtures("db_app")

PASSWORD = "correct horse battery"
HOOK = {"url": "https://hooks.example.com/posts"}


@pytest.fixture
def alice(db_app: Flask) -> Account:
    return service.sign_up("alice@example.com", PASSWORD)


def events(account: Account) -> list[tuple[str, str]]:
    """The events of an account with their subjects, oldest first."""
    return [(each.kind, each.subject) for each in reversed(security_log.list_events(account, 1, 100)[0])]


def test_sign_ins_failures_and_passwords_are_written(alice: Account) -> None:
    service.authenticate("alice@example.com", "another password")
    token = sessions.begin(alice, stays=False, user_agent="Firefox")
    sessions.revoke(alice, 999)
    sessions.end_others(alice, 999)
    sessions.end(token)
    sessions.end(sessions.begin(alice, stays=True))
    service.set_password(alice, "correct donkey battery")
    assert events(alice) == [
        ("account_created", ""), ("sign_in_failed", ""), ("signed_in", "Firefox"), ("session_revoked", ""),
        ("other_sessions_revoked", ""), ("signed_in", ""), ("signed_out", ""), ("password_changed", ""),
    ]  # fmt: skip


def test_keys_connections_and_deletions_are_written_with_their_names(alice: Account) -> None:
    key, _ = keys.create_key(alice, "ci")
    keys.roll_key(alice, key.id, timedelta(hours=1))
    keys.revoke_key(alice, key.id)
    keys.revoke_key(alice, key.id)
    project = create_project(alice, {"url": "https://alice.example.com/", "name": "Shop"})
    target, _ = targets.add_target(project, "webhook", "Blog", HOOK)
    targets.edit_target(target, name="News")
    targets.rotate_secret(target)
    targets.remove_target(target)
    keyword, _ = add_keyword(project, {"keyword_text": "mill"})
    remove_keywords(project, [keyword.id])
    remove_drafts(project, [post_of(project).id])
    remove_project(project)
    assert events(alice)[1:] == [
        ("key_created", "ci"), ("key_rolled", "ci"), ("key_revoked", "ci"),
        ("target_added", "Blog"), ("target_changed", "News"), ("target_secret_renewed", "News"),
        ("target_removed", "News"), ("keywords_removed", "1 of Shop"), ("posts_removed", "1 of Shop"),
        ("project_removed", "Shop"),
    ]  # fmt: skip


@pytest.mark.parametrize("end", ["rollback", "remove", "close"])
def test_an_event_whose_transaction_was_not_committed_is_neither_stored_nor_logged(
    alice: Account, caplog: pytest.LogCaptureFixture, end: str
) -> None:
    caplog.set_level("INFO")
    security_log.record(alice.id, "key_created", "ci")
    getattr(db.session, end)()
    db.session.commit()
    assert "key_created" not in caplog.text
    account = service.find_account("alice@example.com")
    assert account is not None
    assert events(account) == [("account_created", "")]


def test_the_line_of_the_log_is_written_after_the_commit_and_once(
    alice: Account, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    security_log.record(alice.id, "key_created", "ci")
    with db.session.begin_nested():
        db.session.flush()
    assert "key_created" not in caplog.text
    db.session.commit()
    db.session.commit()
    assert caplog.text.count("key_created") == 1


def test_failures_are_stored_alike_with_and_without_an_account(
    alice: Account, caplog: pytest.LogCaptureFixture
) -> None:
    """Otherwise the time of an answer would say which addresses have an account."""
    statements: dict[str, list[str]] = {}
    for email in ("alice@example.com", "nobody@example.com"):
        statements[email] = written(lambda email=email: service.authenticate(email, "another password"))
    assert statements["alice@example.com"] == statements["nobody@example.com"] != []
    stored = security_log.latest_events(None, 2)
    assert [(each.account_id, each.kind) for each in stored] == [
        (None, "sign_in_failed"), (alice.id, "sign_in_failed"),
    ]  # fmt: skip
    assert "nobody" not in caplog.text


def written(action: Callable[[], Any]) -> list[str]:
    """The statements by which an action changes the database."""
    found: list[str] = []
    listener = lambda _c, _cursor, statement, *_: found.append(statement)  # noqa: E731
    db.event.listen(db.engine, "before_cursor_execute", listener)
    action()
    db.event.remove(db.engine, "before_cursor_execute", listener)
    return [each for each in found if not each.startswith(("SELECT", "BEGIN"))]


def test_guesses_from_one_network_do_not_fill_the_log(
    alice: Account, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    set_origin("the dashboard", "192.0.2.7")
    for _ in range(25):
        security_log.record_failed_sign_in(alice)
    assert events(alice)[1:] == [("sign_in_failed", "")] * 20
    assert caplog.text.count("sign_in_failed") == 25
    set_origin("the dashboard", "192.0.2.8")
    security_log.record_failed_sign_in(alice)
    assert len(events(alice)) == 22


def test_each_event_is_a_line_of_the_log_with_its_origin(
    alice: Account, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    set_origin("the dashboard", "192.0.2.7")
    keys.create_key(alice, "ci")
    line = f"key_created account={alice.id} via='the dashboard' address=192.0.2.7 subject='ci'"
    assert line in caplog.text


def test_old_events_are_pruned(alice: Account) -> None:
    keys.create_key(alice, "ci")
    first = db.session.get_one(SecurityEvent, 1)
    first.at = utc_now() - timedelta(days=181)
    db.session.commit()
    assert security_log.prune() == 1
    assert events(alice) == [("key_created", "ci")]


def test_the_dashboard_has_words_for_each_kind() -> None:
    assert set(WORDS) == set(get_args(security_log.Kind))


def test_guesses_from_everywhere_do_not_fill_the_log_either(alice: Account) -> None:
    for _ in range(1000):
        rate_limit.hit("failed-sign-ins:from anywhere", 1000, 3600)
    set_origin("the dashboard", "192.0.2.9")
    security_log.record_failed_sign_in(alice)
    assert events(alice) == [("account_created", "")]


def test_each_account_has_its_own_events_only(alice: Account) -> None:
    bob = service.sign_up("bob@example.com", PASSWORD)
    keys.create_key(bob, "of Bob")
    assert events(alice) == [("account_created", "")]
    assert events(bob) == [("account_created", ""), ("key_created", "of Bob")]


def test_a_long_subject_is_cut(alice: Account) -> None:
    security_log.record(alice.id, "key_created", "x" * 300)
    db.session.commit()
    assert events(alice)[1:] == [("key_created", "x" * 200)]
