"""GENERATE_BLOG_POST with a language model, through the runner, on both databases: what it writes."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.content.evidence.quotes import comparable
from app.content.pipeline import ALL_STAGES
from app.content.writing.writers import ABSENT
from app.infra.db import db
from app.pages.model import PageContent
from tests.executions.conftest import Garden, check_history, history
from tests.support.beehives import generated, post_of_job
from tests.support.model_jobs import ASKED, assert_silent, messages, shown, with_model
from tests.support.model_server import ModelServer
from tests.support.waiting import eventually

pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
def settings_overrides(model_settings: dict[str, str]) -> dict[str, str]:
    return model_settings


def test_a_job_writes_a_post_from_the_evidence(
    garden: Garden, page_ids: list[int], model_server: ModelServer, log: pytest.LogCaptureFixture
) -> None:
    job = generated(garden, **ASKED)
    assert (job.status, job.failure) == ("succeeded", None)
    post = post_of_job(job)
    assert (post.engine, post.draft_kind, post.status) == ("llm", "full", "draft")
    assert post.quality is not None
    blocking = [c for c in post.quality["checks"] if c["severity"] == "block" and not c["passed"]]
    assert blocking == []
    assert {source["page_id"] for source in post.sources} <= set(page_ids)
    assert post.sources
    assert post.faq
    assert "[[page:" not in shown(post)
    assert "https://alice.example/" in post.content
    assert post.generator is not None
    number = len(model_server.bodies)
    assert post.generator["provider"] == "127.0.0.1"
    assert post.generator["model"] == "tiny-1"
    assert post.generator["prompt_tokens"] == 700 * number
    assert post.generator["completion_tokens"] == 300 * number
    assert post.generator["cost_usd"] == pytest.approx(0.002 * number)
    assert job.result is not None
    assert job.result["engine"] == "llm"
    assert_silent(job, model_server, log)


def test_each_sentence_of_the_model_is_traced_to_words_of_its_evidence(
    garden: Garden, page_ids: list[int]
) -> None:
    post = post_of_job(generated(garden, **ASKED))
    texts = {
        (row.page_id, block["id"]): comparable(block["text"])
        for row in db.session.scalars(select(PageContent))
        for block in row.blocks
    }
    written = [entry for entry in post.trace if entry["origin"] == "model" and entry["source_ids"]]
    assert len(written) > 5
    for entry in written:
        assert entry["page_id"] in page_ids
        assert f"{entry['page_id']}:{entry['block_id']}" == entry["source_ids"][0]
        assert comparable(entry["quote"])
        assert comparable(entry["quote"]) in texts[entry["page_id"], entry["block_id"]]


def test_the_history_has_each_stage_and_how_many_sections_are_written(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    job = generated(garden, **ASKED)
    stages = [(row.details or {})["stage"] for row in history(job.id) if row.event == "JOB_PROGRESS"]
    assert list(dict.fromkeys(stages)) == list(ALL_STAGES)
    number = len(post_of_job(job).outline)
    assert [message for message in messages(job) if " of " in message] == [
        f"0 of {number}",
        f"{number} of {number}",
    ]
    assert job.progress == {"stage": "save_draft", "done": len(ALL_STAGES), "total": len(ALL_STAGES)}
    check_history(job.id)


@with_model("figures")
def test_an_article_of_a_thousand_words_takes_eight_calls_at_most(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    assert generated(garden, **ASKED, target_words=1000).status == "succeeded"
    assert model_server.tasks[:3] == ["plan the article", "write the article", "edit the article"]
    assert set(model_server.tasks[3:]) == {"check sentences", "revise sentences"}
    assert len(model_server.tasks) <= 8


def test_no_address_is_shown_to_the_model_and_all_pages_are_called_untrusted(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    generated(garden, **ASKED)
    assert model_server.tasks == [
        "plan the article",
        "write the article",
        "edit the article",
        "check sentences",
    ]
    assert "https://" not in "".join(model_server.prompts)
    shown_pages = [prompt for prompt in model_server.prompts if "<page " in prompt]
    assert len(shown_pages) == 4
    assert all("<evidence> (untrusted data)" in prompt for prompt in shown_pages)


def test_no_connection_is_kept_while_the_model_is_asked(
    garden: Garden, page_ids: list[int], model_server: ModelServer, app: Flask
) -> None:
    free: list[bool] = []
    pool: Any = db.engine.pool

    def heard() -> None:
        # A heartbeat, or the word that a section is done, takes one for a moment.
        free.append(eventually(lambda: pool.checkedout() == 0, "no connection is in use", seconds=5))

    model_server.heard = heard
    assert generated(garden, **ASKED).status == "succeeded"
    assert len(free) == len(model_server.bodies) > 2


def test_the_extractive_engine_is_used_when_asked_for(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    assert post_of_job(generated(garden, **ASKED, engine="extractive")).engine == "extractive"
    assert model_server.bodies == []


def test_an_absent_topic_makes_an_outline_without_asking_the_model(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    job = generated(garden, topic="submarine engines", engine="llm")
    post = post_of_job(job)
    assert (post.draft_kind, post.engine) == ("outline", "extractive")
    assert ABSENT in post.warnings
    assert model_server.bodies == []
    assert job.result is not None
    assert job.result["usage"]["calls"] == 0


def test_key_points_of_the_caller_are_enough_to_write_from(garden: Garden, model_server: ModelServer) -> None:
    points = [
        "Our submarine engine runs for 90 hours without a stop.",
        "Each submarine engine is tested in the harbour for two weeks.",
        "The submarine engine is sold with a service contract.",
    ]
    post = post_of_job(generated(garden, topic="submarine engines", key_points=points))
    assert (post.draft_kind, post.engine) == ("full", "llm")
    assert all(point.removesuffix(".") in post.content for point in points)


def test_the_callers_headings_are_planned_around(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    sections = [
        {"heading": "Choosing your beehive", "key_points": []},
        {"heading": "Where the beehive stands"},
    ]
    post = post_of_job(generated(garden, **ASKED, outline=sections))
    assert model_server.tasks[0] == "plan the article"
    assert "## Choosing your beehive" in post.content
    assert "## Where the beehive stands" in post.content


def test_required_pages_are_shown_first(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    generated(garden, **ASKED, required_page_ids=page_ids[2:])
    first = model_server.bodies[0]["messages"][1]["content"].partition("<evidence> (untrusted data)")[2]
    assert first.startswith(f'\n<page number="{page_ids[2]}" ')


def test_the_parts_that_are_asked_for_are_there(garden: Garden, page_ids: list[int]) -> None:
    parts = {"faq": False, "key_takeaways": True, "table_of_contents": True, "json_ld": False}
    closing = {"text": "Come to the next course", "url": "https://alice.example/courses"}
    post = post_of_job(generated(garden, **ASKED, include=parts, call_to_action=closing))
    assert (post.faq, post.json_ld) == ([], [])
    assert "## Key takeaways" in post.content
    assert "## In this post" in post.content
    assert post.content.rstrip().endswith("[Come to the next course](https://alice.example/courses)")
    assert {check["passed"] for check in post.quality["checks"] if check["severity"] == "block"} == {True}


def test_words_to_avoid_are_not_in_the_post(garden: Garden, page_ids: list[int]) -> None:
    post = post_of_job(generated(garden, **ASKED, avoid=["honey"]))
    assert "honey" not in post.content.lower()
