"""GENERATE_BLOG_POST with a language model, through the runner, on both databases: what it writes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.content.pipeline import ALL_STAGES
from app.content.rendering.html import render_html, unsafe_markup
from app.content.writing.article.evidence import comparable
from app.content.writing.choosing import ABSENT, NOT_COVERED
from app.infra.db import db
from app.pages.model import PageContent
from tests.content.conftest import CARE, FAQ, HIVES
from tests.executions.conftest import Garden, check_history, history
from tests.support import model_answers
from tests.support.beehives import generated, post_of_job
from tests.support.model_exchange import USAGE, Exchange, chunk
from tests.support.model_jobs import ASKED, assert_silent, count_posts, messages, shown, with_model
from tests.support.model_scenarios import FIGURE, FOREIGN, STRANGER
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


def test_the_history_tells_each_stage_and_how_many_sections_are_written(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    job = generated(garden, **ASKED)
    stages = [(row.details or {})["stage"] for row in history(job.id) if row.event == "JOB_PROGRESS"]
    assert list(dict.fromkeys(stages)) == list(ALL_STAGES)
    number = len(post_of_job(job).outline)
    assert [told for told in messages(job) if "/" in told] == [f"0/{number}", f"{number}/{number}"]
    assert job.progress == {"stage": "save_draft", "done": len(ALL_STAGES), "total": len(ALL_STAGES)}
    check_history(job.id)


@with_model("figures")
def test_an_article_of_a_thousand_words_takes_eight_calls_at_most(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    assert generated(garden, **ASKED, target_words=1000).status == "succeeded"
    assert model_server.tasks[:2] == ["plan the article", "write the article"]
    assert set(model_server.tasks[2:]) == {"check sentences", "revise sentences"}
    assert len(model_server.tasks) <= 8


def test_no_address_is_shown_to_the_model_and_all_pages_are_called_untrusted(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    generated(garden, **ASKED)
    assert model_server.tasks == ["plan the article", "write the article", "check sentences"]
    assert "https://" not in "".join(model_server.prompts)
    shown_pages = [prompt for prompt in model_server.prompts if "<page " in prompt]
    assert len(shown_pages) == 3
    assert all("<evidence> (untrusted data)" in prompt for prompt in shown_pages)


def test_no_connection_is_held_while_the_model_is_asked(
    garden: Garden, page_ids: list[int], model_server: ModelServer, app: Flask
) -> None:
    free: list[bool] = []
    pool: Any = db.engine.pool

    def heard() -> None:
        # A heartbeat, or the word that a section is done, takes one for a moment.
        free.append(eventually(lambda: pool.checkedout() == 0, "no connection is held", seconds=5))

    model_server.heard = heard
    assert generated(garden, **ASKED).status == "succeeded"
    assert len(free) == len(model_server.bodies) > 2


@with_model("figures")
def test_figures_that_the_evidence_does_not_hold_are_removed_after_a_revision(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    job = generated(garden, **ASKED)
    post = post_of_job(job)
    assert model_server.tasks.count("revise sentences") == 1
    assert FIGURE not in shown(post)
    assert "4,999" not in shown(post)
    assert any(FIGURE in note for note in post.editor_notes)
    assert any("removed" in warning for warning in post.warnings)
    checks = {check["code"]: check["passed"] for check in post.quality["checks"]}
    assert checks["UNSUPPORTED_CLAIM"]


@with_model("credulous")
def test_a_verifier_that_says_yes_to_everything_publishes_no_invented_figure_name_or_quote(
    garden: Garden, page_ids: list[int]
) -> None:
    post = post_of_job(generated(garden, **ASKED))
    for invented in (FIGURE, "4,999", STRANGER, "loudest box"):
        assert invented not in shown(post)


@with_model("uncovered")
def test_a_topic_that_the_model_finds_not_covered_makes_an_outline_of_what_is_missing(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    job = generated(garden, **ASKED)
    post = post_of_job(job)
    assert (post.draft_kind, post.engine) == ("outline", "extractive")
    assert model_server.tasks == ["plan the article"]
    assert NOT_COVERED in post.warnings
    for missing in ("what a queen bee costs", "when to feed"):
        assert f"No page says: {missing}" in "\n".join(post.editor_notes)
    assert job.result is not None
    taken = {"calls": 1, "prompt_tokens": 700, "completion_tokens": 300, "cost_usd": pytest.approx(0.002)}
    assert job.result["usage"] == taken


@with_model("names")
def test_people_that_the_evidence_does_not_name_are_removed(garden: Garden, page_ids: list[int]) -> None:
    post = post_of_job(generated(garden, **ASKED))
    assert STRANGER not in shown(post)
    assert any(STRANGER in note for note in post.editor_notes)


@with_model("boasting")
def test_title_headings_questions_and_search_entry_are_judged_too(
    garden: Garden, page_ids: list[int]
) -> None:
    post = post_of_job(generated(garden, **ASKED))
    for made_up in (FIGURE, STRANGER):
        assert made_up not in shown(post)
        assert made_up not in json.dumps(post.outline)
    assert {check["passed"] for check in post.quality["checks"] if check["severity"] == "block"} == {True}


@with_model("boasting")
def test_what_of_a_plan_was_not_used_is_told_to_the_editor_and_not_to_the_writer(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    post = post_of_job(generated(garden, **ASKED))
    for what in ("title", "search title", "description", "heading", "key point", "question"):
        assert any(note.startswith(f"The planned {what} “") for note in post.editor_notes), what
    drafts = [p for p in model_server.prompts if p.startswith("Task: write the article")]
    assert len(drafts) == 1
    assert FIGURE not in drafts[0]


@with_model("bragging")
def test_headings_that_nothing_holds_give_way_to_those_of_the_pages(
    garden: Garden, page_ids: list[int]
) -> None:
    post = post_of_job(generated(garden, **ASKED))
    assert STRANGER not in shown(post)
    own = {heading for kind, heading in (*HIVES, *CARE, *FAQ) if kind.startswith("h")}
    headings = [each["heading"] for each in post.outline]
    assert len(headings) > 1
    assert set(headings) <= own


@with_model("repeating")
def test_an_article_says_nothing_twice(garden: Garden, page_ids: list[int]) -> None:
    post = post_of_job(generated(garden, **ASKED))
    checks = {check["code"]: check["passed"] for check in post.quality["checks"]}
    assert checks["DUPLICATE_SENTENCES"]


@with_model("ids")
def test_a_post_of_made_up_sources_is_no_post(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    job = generated(garden, **ASKED)
    assert job.failure is not None
    assert job.failure["code"] == "PROVIDER_FAILED"
    assert job.failure["details"]["reason"] == "unsupported"
    hints = job.failure["remediation_hints"]
    assert hints[0].startswith("Add pages about the topic")
    assert "another model" in hints[1]
    assert "status" not in " ".join(hints)
    assert count_posts() == 0


@with_model("markup")
def test_markup_and_foreign_links_of_a_model_never_reach_the_post(
    garden: Garden, page_ids: list[int]
) -> None:
    post = post_of_job(generated(garden, **ASKED))
    for text in (shown(post), render_html(post.content)):
        for danger in (
            "<script",
            "javascript:",
            "onerror",
            "onclick",
            "alert(",
            FOREIGN,
            "evil.example",
            "999999",
        ):
            assert danger not in text
    assert unsafe_markup(post.content) == []


@pytest.mark.parametrize("model_name", ["unstorable", "unstorable-escaped"], indirect=True)
def test_characters_that_no_database_takes_are_left_out(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    post = post_of_job(generated(garden, **ASKED))
    assert post.engine == "llm"
    kept = json.dumps([post.trace, post.editor_notes, post.outline], ensure_ascii=False) + shown(post)
    kept.encode()
    assert "\0" not in kept
    assert "\\u0000" not in kept
    assert "🐝" in json.dumps(post.outline, ensure_ascii=False)


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
    wishes = [{"heading": "Choosing your beehive", "key_points": []}, {"heading": "Where the beehive stands"}]
    post = post_of_job(generated(garden, **ASKED, outline=wishes))
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


class TestWithAVerifierOfItsOwn:
    @pytest.fixture
    def settings_overrides(self, model_settings: dict[str, str]) -> dict[str, str]:
        return {**model_settings, "LLM_VERIFY_MODEL": "small"}

    def test_the_verifying_model_verifies_and_the_writing_one_is_named(
        self, garden: Garden, page_ids: list[int], model_server: ModelServer
    ) -> None:
        names = {"ok": "tiny-1", "small": "small-1"}

        def respond(asked: Exchange) -> None:
            text = model_answers.answer(asked.body["messages"])
            name = names[asked.body["model"]]
            last = {**chunk(), "choices": [], "usage": USAGE, "model": name}
            asked.stream(
                {**chunk(text), "model": name}, {**chunk(finish="stop"), "model": name}, last, "[DONE]"
            )

        model_server.respond = respond
        post = post_of_job(generated(garden, **ASKED))
        asked = {body["model"]: set[str]() for body in model_server.bodies}
        for body, task in zip(model_server.bodies, model_server.tasks, strict=True):
            asked[body["model"]].add(task)
        assert asked == {"ok": {"plan the article", "write the article"}, "small": {"check sentences"}}
        assert post.generator["model"] == "tiny-1"
        assert post.generator["prompt_tokens"] == 700 * len(model_server.bodies)
