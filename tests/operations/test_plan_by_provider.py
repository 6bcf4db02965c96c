"""PLAN_BLOG_POST with a language model, on both databases, and articles written from its plans."""

from __future__ import annotations

import json
from typing import Any

import pytest

from app.content import pipeline
from app.content.retrieval import page_choice
from app.executions.model import ExecutionJob
from app.operations.plan_blog_post import OPERATION
from tests.executions.conftest import Garden, job_of
from tests.support.beehives import generated, post_of_job
from tests.support.model_answers import plan
from tests.support.model_exchange import Exchange
from tests.support.model_jobs import ASKED, assert_silent, count_posts, messages
from tests.support.model_scenarios import ok
from tests.support.model_server import ModelServer
from tests.support.working import run_job

PLANNING = "plan the article"

pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
def settings_overrides(model_settings: dict[str, str]) -> dict[str, str]:
    return model_settings


def planned(garden: Garden, **payload: Any) -> ExecutionJob:
    job_id = garden.queued(OPERATION.name, payload={**ASKED, **payload})
    run_job(job_id)
    return job_of(job_id)


def result_of(job: ExecutionJob) -> dict[str, Any]:
    assert (job.status, job.failure) == ("succeeded", None)
    assert job.result is not None
    return job.result


def says_not_covered(asked: Exchange) -> None:
    """Answer that the pages do not cover the topic."""
    answer = plan(asked.body["messages"][-1]["content"])
    asked.say(json.dumps({**answer, "not_covered": True, "missing": ["what a course costs"]}))


def test_a_plan_takes_one_call_and_shows_what_it_rests_on(
    garden: Garden, page_ids: list[int], model_server: ModelServer, log: pytest.LogCaptureFixture
) -> None:
    job = planned(garden)
    result = result_of(job)
    assert model_server.tasks == [PLANNING]
    assert (result["engine"], result["model"], result["usage"]["calls"]) == ("llm", "tiny-1", 1)
    assert result["usage"]["prompt_tokens"] == 700
    made = result["plan"]
    assert made["angle"] == "what the pages say, in one place"
    shown = {each["id"]: each for each in result["evidence"]}
    assert all(each in shown for section in made["sections"] for each in section["evidence_ids"])
    assert {each["page_id"] for each in shown.values()} <= set(page_ids)
    assert count_posts() == 0
    assert_silent(job, model_server, log)


def test_an_article_from_a_complete_plan_is_written_without_another_plan(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    made = result_of(planned(garden))["plan"]
    first, second, *_ = made["sections"]
    changed = {**made, "title": "Our own title of it", "sections": [{**second, "heading": "Ours"}, first]}
    before = len(model_server.tasks)
    post = post_of_job(generated(garden, **ASKED, outline=changed))
    assert PLANNING not in model_server.tasks[before:]
    assert (post.engine, post.draft_kind, post.title) == ("llm", "full", "Our own title of it")
    assert [each["heading"] for each in post.outline][:2] == ["Ours", first["heading"]]


def test_what_a_person_changed_stays_where_a_section_was_added(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    made = result_of(planned(garden))["plan"]
    first = {**made["sections"][0], "purpose": "say it in our words", "words": 77}
    changed = {**made, "sections": [first, {"heading": "Honey"}], "closing": {"heading": "Ours"}}
    again = result_of(planned(garden, outline=changed))["plan"]
    assert model_server.tasks == [PLANNING, PLANNING]
    assert again["sections"][0] == first
    assert again["sections"][1]["heading"] == "Honey"
    assert again["sections"][1]["evidence_ids"]
    assert again["closing"]["heading"] == "Ours"


def test_a_topic_that_the_model_finds_uncovered_has_no_plan(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    model_server.respond = says_not_covered
    result = result_of(planned(garden))
    assert (result["plan"], result["not_covered"]) == (None, True)
    assert result["missing"] == ["what a course costs"]
    assert result["usage"]["calls"] == 1


def test_a_topic_that_no_page_is_about_asks_no_model(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    result = result_of(planned(garden, topic="Submarine engines"))
    assert (result["not_covered"], model_server.tasks) == (True, [])


def test_a_provider_that_refuses_the_key_fails_the_plan_as_it_fails_a_post(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    model_server.respond = lambda asked: asked.refuse(401)
    job = planned(garden)
    assert (job.status, (job.failure or {})["code"]) == ("failed", "PROVIDER_AUTH")


def test_the_built_in_writer_plans_where_that_was_asked_for(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    model_server.respond = lambda asked: asked.refuse(401)
    job = planned(garden, on_llm_failure="extractive")
    result = result_of(job)
    assert (result["engine"], result["model"]) == ("extractive", "extractive")
    assert result["usage"]["calls"] == 1
    assert "so the built-in writer made this plan" in result["warnings"][0]
    assert any("made this plan" in message for message in messages(job))
    assert result["plan"]["sections"]


def test_a_plan_longer_than_an_outline_takes_is_cut(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    def says_much(asked: Exchange) -> None:
        answer = plan(asked.body["messages"][-1]["content"])
        asked.say(json.dumps({**answer, "angle": "what the pages say " * 60}))

    model_server.respond = says_much
    made = result_of(planned(garden))["plan"]
    assert len(made["angle"]) <= 300
    model_server.respond = ok
    assert generated(garden, **ASKED, outline=made).status == "succeeded"


def test_a_model_that_finds_gaps_is_shown_further_pages_of_the_site(
    garden: Garden, page_ids: list[int], model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_choice, "TAKEN", 1)
    monkeypatch.setattr(pipeline, "TAKEN", 1)

    def asks_for_scales(asked: Exchange) -> None:
        prompt = asked.body["messages"][-1]["content"]
        lacks = {"not_covered": "scale read" not in prompt, "missing": ["reading a scale"]}
        asked.say(json.dumps({**plan(prompt), **lacks}))

    model_server.respond = asks_for_scales
    result = result_of(planned(garden))
    assert model_server.tasks == [PLANNING, PLANNING]
    first, second = (body["messages"][-1]["content"] for body in model_server.bodies)
    assert ("scale read" in first, "scale read" in second) == (False, True)
    assert result["not_covered"] is False
    assert page_ids[1] in {each["page_id"] for each in result["evidence"]}
