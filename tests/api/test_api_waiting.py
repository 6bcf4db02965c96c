"""Requests that wait for a job hold a part of the process only."""

from __future__ import annotations

import time
from threading import Thread
from typing import Any

from flask import Flask

from app.api.waiting import PLACES, waited
from app.executions.queries import get_job
from app.executions.service import cancel
from app.executions.states import Status
from tests.api.conftest import Customer, member
from tests.support.waiting import eventually


def test_when_many_requests_wait_the_next_is_answered_at_once(app: Flask, alice: Customer) -> None:
    answer = alice.post(f"/projects/{alice.project()}/blog-posts/generate", {"topic": "Grinders"})
    job_id = member(answer, "job")["id"]
    ended: list[Any] = []

    def wait() -> None:
        with app.app_context():
            ended.append(waited(job_id, 60).status)

    waiting = [Thread(target=wait) for _ in range(PLACES)]
    for thread in waiting:
        thread.start()
    with app.app_context():
        eventually(lambda: is_answered_at_once(job_id), "all places are taken", seconds=30)
        assert ended == []
        cancel(get_job(alice.account_id, job_id))
    for thread in waiting:
        thread.join(30)
    assert ended == [Status.CANCELED] * PLACES


def is_answered_at_once(job_id: int) -> bool:
    before = time.monotonic()
    assert waited(job_id, 2).status == Status.QUEUED
    return time.monotonic() - before < 1
