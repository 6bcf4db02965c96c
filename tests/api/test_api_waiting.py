"""Requests that wait for a job leave threads for other requests."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from functools import partial
from threading import Thread
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select
from werkzeug.test import TestResponse

from app.api.http.parsing import preferred_wait
from app.api.jobs import MAX_WAITING, wait_for_job
from app.config import Settings
from app.executions.model import ExecutionJob
from app.executions.queries import get_job, reload
from app.executions.service import cancel
from app.executions.states import Status
from app.infra.db import db, release
from app.projects.model import Project
from app.publishing.service import add_target
from tests.api.conftest import Customer, member
from tests.support.waiting import eventually


@pytest.mark.parametrize(
    ("preference", "seconds"),
    [
        ("wait=5", 5),
        ("wait=25", 25),
        ("wait=26", 25),
        ("wait=999999999", 25),
        ("wait=-1", 0),
        ("wait=1e9", 0),
    ],
)
def test_no_request_waits_for_more_than_25_seconds(app: Flask, preference: str, seconds: int) -> None:
    with app.test_request_context(headers={"Prefer": preference}):
        assert preferred_wait() == seconds


def test_when_many_requests_wait_the_next_is_answered_at_once(app: Flask, alice: Customer) -> None:
    answer = alice.post(f"/projects/{alice.project()}/blog-posts/generate", {"topic": "Grinders"})
    job_id = member(answer, "job")["id"]
    ended: list[Any] = []

    def wait() -> None:
        with app.app_context():
            ended.append(wait_for_job(job_id, 60).status)

    waiting = [Thread(target=wait) for _ in range(MAX_WAITING)]
    for thread in waiting:
        thread.start()
    with app.app_context():
        eventually(lambda: is_answered_at_once(job_id), "all places are taken", seconds=30)
        assert ended == []
        cancel(get_job(alice.account_id, job_id))
    for thread in waiting:
        thread.join(30)
    assert ended == [Status.CANCELED] * MAX_WAITING


def test_a_publish_that_is_canceled_while_its_request_waits_answers_with_the_canceled_job(
    app: Flask, alice: Customer
) -> None:
    project_id = alice.project()
    path = (
        f"/projects/{project_id}/blog-posts/{alice.generated(project_id)['result']['blog_post_id']}/publish"
    )
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        add_target(project, "webhook", "Blog", {"url": "https://blog.example.com/hook"})
    override = {"override_quality_gate": True, "override_reason": "An outline will do."}
    answers: list[TestResponse] = []
    waiting = Thread(target=lambda: answers.append(alice.post(path, override)))
    waiting.start()
    with app.app_context():
        job_id = eventually(partial(queued, "PUBLISH_BLOG_POST"), "the job is queued", seconds=30)
        assert job_id is not None
        cancel(get_job(alice.account_id, job_id))
    waiting.join(30)
    job = member(answers[0], "job")
    assert (answers[0].status_code, job["id"], job["status"]) == (202, job_id, "canceled")
    assert job["error_code"] == "CANCELED"


@pytest.mark.parametrize("database_kind", ["sqlite"])
def test_after_a_wait_transactions_take_the_write_lock_at_their_start_again(
    app: Flask, alice: Customer, settings: Settings
) -> None:
    answer = alice.post(f"/projects/{alice.project()}/blog-posts/generate", {"topic": "Grinders"})
    job_id = member(answer, "job")["id"]
    other = sqlite3.connect(settings.database_url.removeprefix("sqlite:///"), timeout=0)
    with app.app_context(), closing(other):
        wait_for_job(job_id, 0)
        release()
        reload(job_id)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")


def queued(operation: str) -> int | None:
    try:
        return db.session.scalar(select(ExecutionJob.id).where(ExecutionJob.operation == operation))
    finally:
        release()  # on SQLite even who reads holds the write lock


def is_answered_at_once(job_id: int) -> bool:
    before = time.monotonic()
    assert wait_for_job(job_id, 2).status == Status.QUEUED
    return time.monotonic() - before < 1
