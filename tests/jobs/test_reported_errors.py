"""Errors of workers in Sentry, although their child processes end at once."""

from __future__ import annotations

import pytest
from redis import Redis
from rq import Queue

from app.infra.queue import PERIODIC
from tests.support.processes import RunService
from tests.support.servers import Reply, SiteServer
from tests.support.waiting import eventually

PATH = "/api/7/envelope/"


@pytest.mark.thorough
@pytest.mark.parametrize("worker_class", ["forking", "inline"])
def test_the_error_of_a_task_is_reported(
    run_service: RunService, site: SiteServer, worker_class: str
) -> None:
    site.routes[PATH] = Reply(200, {"Content-Type": "application/json"}, b"{}")
    dsn = f"http://a-public-key@{site.address}/7"
    service = run_service("worker", SENTRY_DSN=dsn, WORKER_CLASS=worker_class)
    with Redis.from_url(service.redis.url) as connection:
        Queue(PERIODIC, connection=connection).enqueue("app.jobs.tasks.no_such_task")
    eventually(lambda: site.requests_for(PATH), "the error is reported")
    assert service.running("worker")
