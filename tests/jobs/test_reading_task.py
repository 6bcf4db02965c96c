"""A round of page reading as a task."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from app.infra import queue
from app.infra.db import db
from app.jobs import tasks
from tests.support.sites import project_at


@pytest.fixture
def database_kind() -> str:
    return "sqlite"


def test_a_round_that_fails_does_not_keep_the_next_one_waiting(db_app: Flask) -> None:
    project_id = project_at("https://bees.example").id
    assert queue.ring_pages(project_id)
    db.session.execute(text("ALTER TABLE pages RENAME TO mislaid"))
    db.session.commit()
    with pytest.raises(SQLAlchemyError):
        tasks.read_pages(project_id)
    assert not queue.redis_client().keys("page-round:*")
