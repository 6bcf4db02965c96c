"""A rollback that waits for the lock of a publish job, on PostgreSQL; SQLite lets only one of them begin."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import select

from app.content.model import BlogPost
from app.executions.queries import get_job
from app.executions.rollback import roll_back
from app.infra.db import db
from app.publishing.model import PublishTarget
from tests.executions.conftest import Garden
from tests.support.publishing import failure_while_a_publication_begins
from tests.support.working import run_job

pytestmark = [pytest.mark.postgresql, pytest.mark.parametrize("database_kind", ["postgresql"])]


def test_a_rollback_that_waits_for_the_begin_of_a_publish_deletes_nothing(app: Flask, garden: Garden) -> None:
    job_id = garden.queued()
    run_job(job_id)
    target = PublishTarget(
        project_id=garden.project_id, name="Blog", kind="webhook", settings={"url": "http://127.0.0.1:9/"}
    )
    db.session.add(target)
    db.session.commit()
    target_id = target.id
    post_id = db.session.scalar(select(BlogPost.id).where(BlogPost.job_id == job_id))
    db.session.rollback()
    assert post_id is not None
    code = failure_while_a_publication_begins(
        app, post_id, target_id, lambda: roll_back(get_job(garden.account_id, job_id))
    )
    assert code == "ROLLBACK_PUBLISH_IN_PROGRESS"
    assert db.session.scalar(select(BlogPost.id).where(BlogPost.job_id == job_id)) == post_id
