"""A canceled job stops spending: the stream of a language model that answers slowly is closed."""

from __future__ import annotations

import pytest

from app.executions import service
from app.executions.queries import get_job
from app.infra.db import db
from app.pages.service import add_page
from app.projects.model import Project
from tests.content.conftest import CARE, FAQ, HIVES
from tests.executions.conftest import GENERATE, check_history, history, job_of, posts
from tests.jobs.conftest import LiveService, StartService
from tests.support.beehives import markdown
from tests.support.model_server import KEY, ModelServer
from tests.support.waiting import PATIENCE


def writing(
    start_service: StartService, server: ModelServer, model: str, **settings: str
) -> tuple[LiveService, int]:
    """A service whose worker has asked the model for a post, and the job."""
    named = {"LLM_BASE_URL": server.url, "LLM_API_KEY": KEY, "LLM_MODEL": model}
    live = start_service("scheduler", **named, **settings)
    project = db.session.get_one(Project, live.garden.project_id)
    for name, parts in (("hives", HIVES), ("care", CARE), ("faq", FAQ)):
        add_page(project, {"url": f"{project.url}{name}", "title": name, "content": markdown(parts)})
    db.session.commit()
    live.service.start("worker")
    job_id = live.garden.queued(GENERATE, payload={"topic": "beehive"})
    assert server.asked.wait(PATIENCE), live.service.logs()
    return live, job_id


@pytest.mark.parametrize("worker_class", ["forking", "inline"])
@pytest.mark.parametrize("redis", ["there", "away"])
def test_the_stream_of_a_canceled_job_is_closed_within_5_seconds(
    start_service: StartService, model_server: ModelServer, worker_class: str, redis: str
) -> None:
    live, job_id = writing(start_service, model_server, "thinks", WORKER_CLASS=worker_class)
    if redis == "away":
        live.service.redis.kill()
    service.cancel(get_job(live.garden.account_id, job_id))
    db.session.rollback()
    assert model_server.hung_up.wait(5)
    assert len(model_server.bodies) == 1
    assert job_of(job_id).status == "canceled"
    check_history(job_id)


def test_a_job_that_waits_for_its_provider_is_canceled_within_5_seconds(
    start_service: StartService, model_server: ModelServer
) -> None:
    model_server.respond = lambda asked: asked.refuse(429, Retry_After="300")
    live, job_id = writing(start_service, model_server, "ok")
    live.eventually(lambda: any("RATE_LIMITED" in note for note in notes(job_id)), "the wait is recorded")
    service.cancel(get_job(live.garden.account_id, job_id))
    db.session.rollback()
    live.eventually(lambda: not live._busy(), "the work has stopped", seconds=5)
    assert (len(model_server.bodies), posts()) == (1, 0)


def notes(job_id: int) -> list[str]:
    """The messages in the history of a job; no transaction is left open."""
    messages = [(row.details or {}).get("message", "") for row in history(job_id)]
    db.session.rollback()
    return messages
