"""A rollback that waits for the lock of a publish job, on PostgreSQL; SQLite lets only one of them begin."""

from __future__ import annotations

import threading

import pytest
from flask import Flask
from sqlalchemy import insert, select, update

from app.content.model import BlogPost
from app.executions.queries import get_job
from app.executions.rollback import roll_back
from app.failures import ServiceFailure
from app.infra.db import db
from app.publishing.model import Publication, PublishTarget
from tests.executions.conftest import Garden
from tests.support.locks import somebody_waits
from tests.support.waiting import PATIENCE, eventually
from tests.support.working import run_job

pytestmark = [pytest.mark.postgresql, pytest.mark.parametrize("database_kind", ["postgresql"])]


def test_a_rollback_that_waits_for_the_begin_of_a_publish_deletes_nothing(app: Flask, garden: Garden) -> None:
    job_id = garden.queued()
    run_job(job_id)
    target = PublishTarget(project_id=garden.project_id, name="Blog", kind="webhook", settings={})
    db.session.add(target)
    db.session.commit()
    target_id = target.id
    post_id = db.session.scalar(select(BlogPost.id).where(BlogPost.job_id == job_id))
    db.session.rollback()
    codes: list[str] = []

    def rolling_back() -> None:
        with app.app_context():
            try:
                roll_back(get_job(garden.account_id, job_id))
            except ServiceFailure as refused:
                codes.append(refused.failure.code)
            finally:
                db.session.remove()

    thread = threading.Thread(target=rolling_back)
    publication = {
        "blog_post_id": post_id,
        "target_id": target_id,
        "publication_id": "pub_1",
        "content_sha256": "",
    }
    with db.engine.begin() as publisher:
        publisher.execute(update(BlogPost).where(BlogPost.id == post_id).values(status="publishing"))
        publisher.execute(insert(Publication).values(**publication))
        thread.start()
        eventually(somebody_waits, "the rollback waits for the post's row")
    thread.join(PATIENCE)
    assert codes == ["ROLLBACK_PUBLISH_IN_PROGRESS"]
    assert db.session.scalar(select(BlogPost.id).where(BlogPost.job_id == job_id)) == post_id
