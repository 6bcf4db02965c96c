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
from tests.jobs.conftest import House, OpenHouse
from tests.support.beehives import markdown
from tests.support.model_server import KEY, ModelServer
from tests.support.waiting import PATIENCE


def writing(open_house: OpenHouse, server: ModelServer, model: str, **settings: str) -> tuple[House, int]:
    """A service whose worker has asked the model for a post, and the job."""
    named = {"LLM_BASE_URL": server.url, "LLM_API_KEY": KEY, "LLM_MODEL": model}
    house = open_house("scheduler", **named, **settings)
    project = db.session.get_one(Project, house.garden.project_id)
    for name, parts in (("hives", HIVES), ("care", CARE), ("faq", FAQ)):
        add_page(project, {"url": f"{project.url}{name}", "title": name, "content": markdown(parts)})
    db.session.commit()
    house.service.start("worker")
    job_id = house.garden.queued(GENERATE, payload={"topic": "beehive"})
    assert server.asked.wait(PATIENCE), house.service.logs()
    return house, job_id


@pytest.mark.parametrize("worker_class", ["forking", "inline"])
@pytest.mark.parametrize("redis", ["there", "away"])
def test_the_stream_of_a_canceled_job_is_closed_within_5_seconds(
    open_house: OpenHouse, model_server: ModelServer, worker_class: str, redis: str
) -> None:
    house, job_id = writing(open_house, model_server, "thinks", WORKER_CLASS=worker_class)
    if redis == "away":
        house.service.redis.kill()
    service.cancel(get_job(house.garden.account_id, job_id))
    db.session.rollback()
    assert model_server.hung_up.wait(5)
    assert len(model_server.bodies) == 1
    assert job_of(job_id).status == "canceled"
    check_history(job_id)


def test_a_job_that_waits_for_its_provider_is_canceled_within_5_seconds(
    open_house: OpenHouse, model_server: ModelServer
) -> None:
    model_server.respond = lambda asked: asked.refuse(429, Retry_After="300")
    house, job_id = writing(open_house, model_server, "ok")
    house.eventually(lambda: any("RATE_LIMITED" in note for note in notes(job_id)), "the wait is told")
    service.cancel(get_job(house.garden.account_id, job_id))
    db.session.rollback()
    house.eventually(lambda: not house._busy(), "the work has stopped", seconds=5)
    assert (len(model_server.bodies), posts()) == (1, 0)


def notes(job_id: int) -> list[str]:
    """What the history of a job has told; no transaction is left open."""
    told = [(row.details or {}).get("message", "") for row in history(job_id)]
    db.session.rollback()
    return told
