"""What a running job keeps for another attempt and for its retry, on both databases."""

from __future__ import annotations

import pytest

from app.executions import service
from app.executions.failing import requeue
from app.executions.queries import get_job
from app.failures import failure
from app.infra.db import db
from app.operations.base import EarlierJob, Stopped
from tests.executions.conftest import Garden, change, claim, fail, work_of
from tests.support.publishing import job_of as publish_job_of
from tests.support.publishing import project_of


def test_the_next_attempt_finds_what_the_one_before_kept(garden: Garden) -> None:
    job_id = garden.queued()
    first = claim(job_id)
    work_of(first).keep({"answers": {"a": "1"}})
    assert requeue(job_id, first.fence, failure("WORKER_LOST"), 0)
    db.session.commit()
    assert work_of(claim(job_id)).kept() == {"answers": {"a": "1"}}


def test_a_retry_finds_what_the_failed_job_kept_until_it_keeps_something_itself(garden: Garden) -> None:
    old = garden.queued()
    taken = claim(old)
    work_of(taken).keep({"answers": {"a": "1"}})
    fail(old)
    new = service.retry(get_job(garden.account_id, old), "again").job.id
    work = work_of(claim(new))
    assert work.kept() == {"answers": {"a": "1"}}
    work.keep({"answers": {"b": "2"}})
    assert work.kept() == {"answers": {"b": "2"}}


def test_a_job_that_retries_none_begins_with_nothing(garden: Garden) -> None:
    work_of(claim(garden.queued())).keep({"answers": {"a": "1"}})
    assert work_of(claim(garden.queued())).kept() == {}


def test_a_job_of_another_project_is_not_read(garden: Garden) -> None:
    theirs = publish_job_of(project_of("bob"))
    change(theirs, payload={"topic": "Bob's plans"}, artefacts={"answers": {"a": "1"}})
    assert work_of(claim(garden.queued())).earlier(theirs) == EarlierJob({}, {})


def test_an_earlier_job_of_the_project_is_read_with_what_it_was_asked(garden: Garden) -> None:
    earlier = garden.queued()
    change(earlier, payload={"topic": "Roses"}, artefacts={"answers": {"a": "1"}})
    read = work_of(claim(garden.queued())).earlier(earlier)
    assert read == EarlierJob({"topic": "Roses"}, {"answers": {"a": "1"}})


def test_a_canceled_job_keeps_nothing_more(garden: Garden) -> None:
    job_id = garden.queued()
    work = work_of(claim(job_id))
    service.cancel(get_job(garden.account_id, job_id))
    with pytest.raises(Stopped):
        work.keep({"answers": {"a": "1"}})
