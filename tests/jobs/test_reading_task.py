"""A round of page reading as a task."""

from __future__ import annotations

from dataclasses import replace

import pytest
from flask import Flask
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from app.config import Settings
from app.infra import queue
from app.infra.db import db
from app.jobs import tasks
from tests.support.sites import project_at


@pytest.fixture
def database_kind() -> str:
    return "sqlite"


def test_a_round_that_fails_does_not_delay_the_next_one(db_app: Flask) -> None:
    project_id = project_at("https://bees.example").id
    assert queue.enqueue_page_reading(project_id)
    db.session.execute(text("ALTER TABLE pages RENAME TO mislaid"))
    db.session.commit()
    with pytest.raises(SQLAlchemyError):
        tasks.read_pages(project_id)
    assert not queue.redis_client().keys("page-round:*")


def test_a_round_that_could_not_be_enqueued_does_not_delay_the_next_one(db_app: Flask) -> None:
    connection = queue.redis_client()
    connection.set("rq:queue:pages", "what is no queue is refused by Redis")
    assert not queue.enqueue_page_reading(7)
    assert not connection.keys("page-round:*")


def test_a_round_ends_without_redis_and_as_soon_as_it_is_back(db_app: Flask, settings: Settings) -> None:
    connection = queue.redis_client()
    assert queue.enqueue_page_reading(7)
    db_app.extensions["redis"] = queue.connect(replace(settings, redis_url="unix:///nowhere.sock"))
    queue.end_round(7)
    assert not queue.enqueue_page_reading(7)
    db_app.extensions["redis"] = connection
    queue.end_round(7)
    assert not connection.keys("page-round:*")
