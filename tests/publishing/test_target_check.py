"""The test of a publish target: what is stored of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from flask import Flask

from app.infra.db import db
from app.publishing import service
from app.publishing.model import PublishTarget
from app.publishing.target_check import check_target
from app.publishing.targets.base import Access, CheckStep
from app.publishing.targets.registry import KINDS
from tests.support.publishing import alice_project
from tests.support.target_kinds import PASSWORD, Diary

SETTINGS = {"url": "https://diary.example/", "owner": "Alice"}


@pytest.fixture
def target(db_app: Flask, diary: Diary) -> Iterator[PublishTarget]:
    yield service.add_target(alice_project(), "diary", "Diary", SETTINGS, PASSWORD)[0]
    db.session.remove()


def stored(target_id: int) -> object:
    """The result of the last test, as the database has it."""
    db.session.rollback()
    return db.session.get_one(PublishTarget, target_id, populate_existing=True).last_check


def test_the_result_is_stored_and_the_target_is_not_changed(target: PublishTarget) -> None:
    target_id, updated_at = target.id, target.updated_at
    result = check_target(target)
    assert stored(target_id) == result
    assert db.session.get_one(PublishTarget, target_id).updated_at == updated_at


def test_a_connection_that_changed_during_its_test_stays_untested(
    target: PublishTarget, diary: Diary, monkeypatch: pytest.MonkeyPatch
) -> None:
    target_id = target.id

    def check(access: Access) -> Iterator[CheckStep]:
        """Let the owner change the connection after the first step."""
        first, *others = diary.check(access)
        yield first
        service.edit_target(db.session.get_one(PublishTarget, target_id), settings={"owner": "Bob"})
        db.session.remove()
        yield from others

    monkeypatch.setitem(KINDS, "diary", replace(diary.kind, check=check))
    assert check_target(target)["passed"] is True
    assert stored(target_id) is None


def test_a_secret_that_cannot_be_read_fails_the_test(target: PublishTarget) -> None:
    target.secret = "made with a key that is gone"
    db.session.commit()
    (step,) = check_target(target)["steps"]
    assert (step["name"], step["failure"]["code"]) == ("signed_in", "TARGET_AUTH")
