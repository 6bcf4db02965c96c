"""The log of calls to targets: bounded, and never in the way of publishing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from flask import Flask
from sqlalchemy import insert, select

from app.infra.clock import utc_now
from app.infra.db import db
from app.projects.model import Project
from app.publishing import calls, service
from app.publishing.calls import CallLog
from app.publishing.model import PublishCall, PublishTarget
from app.publishing.targets.base import Reference
from tests.support.publishing import alice_project
from tests.support.target_kinds import PASSWORD, Diary


@pytest.fixture
def target_id(db_app: Flask, diary: Diary) -> int:
    settings = {"url": "https://diary.example/", "owner": "Alice"}
    target, _ = service.add_target(alice_project(), "diary", "Diary", settings, PASSWORD)
    return target.id


def test_calls_are_kept_for_thirty_days(target_id: int) -> None:
    row = {
        "target_id": target_id,
        "publication_id": "pub_1",
        "action": "find",
        "outcome": "live",
        "milliseconds": 3,
    }
    ages = [0, 29, 31, 400]
    db.session.execute(insert(PublishCall), [{**row, "at": utc_now() - timedelta(days=age)} for age in ages])
    db.session.commit()
    assert calls.prune_calls() == 2
    assert len(db.session.scalars(select(PublishCall.id)).all()) == 2


def test_the_log_of_a_target_has_its_own_calls_only(target_id: int) -> None:
    project = db.session.get_one(PublishTarget, target_id).project_id
    other, _ = service.add_target(
        db.session.get_one(Project, project), "webhook", "Hook", {"url": "https://hooks.example.com/posts"}
    )
    row = {"action": "find", "outcome": "live", "milliseconds": 3}
    for target, publication_id in ((target_id, "pub_1"), (other.id, "pub_2"), (target_id, "pub_3")):
        db.session.add(PublishCall(target_id=target, publication_id=publication_id, **row))
    db.session.commit()
    listed, total = calls.list_calls(db.session.get_one(PublishTarget, target_id), 1, 10)
    assert ([each.publication_id for each in listed], total) == (["pub_3", "pub_1"], 2)


def test_a_call_is_answered_although_its_line_cannot_be_written(
    target_id: int, diary: Diary, caplog: pytest.LogCaptureFixture
) -> None:
    log = CallLog(target_id + 1, "pub_1")
    access = service.access_to(service.get_target(1, target_id), None)  # type: ignore[arg-type]
    assert log.logged(diary.kind).find(Reference("pub_1"), access) is None
    assert "is not in the log" in caplog.text
