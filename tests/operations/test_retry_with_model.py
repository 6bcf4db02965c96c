"""A retry of a job that a language model writes pays only for what was not answered before."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.content.writing.llm import calls
from app.executions import service
from app.executions.model import ExecutionJob
from app.executions.queries import get_job
from app.operations.generate_blog_post import OPERATION
from tests.executions.conftest import Garden, claim, job_of, perform_and_cancel_at
from tests.support.beehives import generated, post_of_job
from tests.support.model_exchange import Exchange
from tests.support.model_jobs import ASKED, messages
from tests.support.model_scenarios import SCENARIOS, altered, fabricated_ids, ok
from tests.support.model_server import ModelServer
from tests.support.refreshing import NEW, rewrite
from tests.support.working import run_job

pytestmark = pytest.mark.usefixtures("impatient", "one_by_one")


@pytest.fixture
def settings_overrides(model_settings: dict[str, str]) -> dict[str, str]:
    return model_settings


@pytest.fixture
def one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """One call at a time, so that it is known which were answered."""
    monkeypatch.setattr(calls, "AT_ONCE", 1)


def fails_from(number: int) -> Callable[[Exchange], None]:
    """Answer well until so many questions were asked."""
    return lambda asked: ok(asked) if asked.number < number else asked.refuse(500)


def retried(garden: Garden, job_id: int) -> ExecutionJob:
    new_id = service.retry(get_job(garden.account_id, job_id), f"again-{job_id}").job.id
    run_job(new_id)
    return job_of(new_id)


def again(server: ModelServer, garden: Garden, job_id: int) -> tuple[ExecutionJob, list[str]]:
    """Retry a job with a model that is well; returns the new job and what was asked for it."""
    server.respond = ok
    before = len(server.tasks)
    return retried(garden, job_id), server.tasks[before:]


def test_a_retry_asks_only_for_what_was_not_answered(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    whole = post_of_job(generated(garden, **ASKED)).content
    tasks = model_server.tasks
    model_server.respond = fails_from(len(tasks) + 4)
    failed = generated(garden, **ASKED)
    failed_id = failed.id
    assert failed.failure is not None
    assert failed.failure["code"] == "PROVIDER_FAILED"

    job, asked = again(model_server, garden, failed_id)

    assert job.status == "succeeded"
    assert asked == tasks[3:] == ["check sentences"], "plan, draft and editing were answered before"
    assert post_of_job(job).content == whole
    assert job.result is not None
    assert job.result["usage"]["calls"] == 1
    notices = [message for message in messages(job) if "used again" in message]
    assert notices == ["1 of 1 answers of an earlier attempt are used again."] * 3


def test_a_second_retry_still_has_what_the_first_attempt_was_answered(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    model_server.respond = fails_from(2)
    first_id = generated(garden, **ASKED).id
    second = retried(garden, first_id)
    second_id = second.id
    assert second.status == "failed"
    _job, asked = again(model_server, garden, second_id)
    assert "plan the article" not in asked


def test_a_retry_of_a_canceled_job_uses_its_answers_too(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    job_id = garden.queued(payload=ASKED)
    perform_and_cancel_at("check_claims", OPERATION, garden.account_id, claim(job_id))
    job, asked = again(model_server, garden, job_id)
    assert job.status == "succeeded"
    assert {"plan the article", "write the article"}.isdisjoint(asked)


def test_a_page_that_reads_differently_is_asked_about_again(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    model_server.respond = fails_from(2)
    failed_id = generated(garden, **ASKED).id
    rewrite(garden.project_id, "/hives", NEW)
    job, asked = again(model_server, garden, failed_id)
    assert job.status == "succeeded"
    assert asked[0] == "plan the article"
    assert "11 frames" in post_of_job(job).content


def test_answers_that_came_to_nothing_are_not_used_again(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    model_server.respond = altered(fabricated_ids)
    failed = generated(garden, **ASKED)
    failed_id = failed.id
    assert failed.failure is not None
    assert failed.failure["details"]["reason"] == "unsupported"
    job, asked = again(model_server, garden, failed_id)
    assert job.status == "succeeded"
    assert asked[0] == "plan the article"


@pytest.mark.parametrize("model_name", ["unstorable", "unstorable-escaped"], indirect=True)
def test_answers_with_characters_that_no_database_takes_are_kept_without_them(
    garden: Garden, page_ids: list[int], model_server: ModelServer, model_name: str
) -> None:
    answers = SCENARIOS[model_name]
    model_server.respond = lambda asked: answers(asked) if asked.number < 3 else asked.refuse(500)
    failed = generated(garden, **ASKED)
    failed_id = failed.id
    assert failed.failure is not None
    assert failed.failure["code"] == "PROVIDER_FAILED"
    model_server.respond = None
    job = retried(garden, failed_id)
    assert job.status == "succeeded"
    assert model_server.tasks.count("plan the article") == 1


def test_a_finished_job_keeps_no_answers(garden: Garden, page_ids: list[int]) -> None:
    job = generated(garden, **ASKED)
    assert job.artefacts is not None
    assert {"request", "brief", "outline"} <= set(job.artefacts) <= {"request", "brief", "outline", "plan"}
