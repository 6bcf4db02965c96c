"""GENERATE_BLOG_POST through the runner, on both databases."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from app.content.model import BlogPost
from app.content.pipeline import ALL_STAGES
from app.content.planning.preparing import prepare
from app.infra.db import db
from app.keywords.model import Keyword
from app.keywords.service import add_keyword
from app.operations.generate_blog_post import OPERATION
from tests.executions.conftest import Garden, check_history, history, perform_and_cancel_at
from tests.support.beehives import generated, post_of_job, project_of, refused


def test_a_generation_makes_a_draft_from_the_projects_pages(garden: Garden, page_ids: list[int]) -> None:
    job = generated(garden)
    assert job.status == "succeeded"
    post = post_of_job(job)
    assert (post.status, post.project_id, post.version) == ("draft", garden.project_id, 1)
    assert {source["page_id"] for source in post.sources} <= set(page_ids)
    assert post.sources
    assert post.draft_kind != "outline"
    assert post.word_count > 0
    assert job.result is not None
    assert job.result["blog_post_id"] == post.id
    assert (job.result["title"], job.result["slug"]) == (post.title, post.slug)
    assert job.result["word_count"] == post.word_count
    assert job.artefacts is not None
    assert set(job.artefacts) == {"request", "brief", "outline"}


def test_a_result_says_how_long_the_post_took(garden: Garden, page_ids: list[int]) -> None:
    job = generated(garden, topic="beehive")
    assert job.result is not None
    assert job.started_at is not None
    assert job.completed_at is not None
    assert 0 < job.result["seconds"] <= (job.completed_at - job.started_at).total_seconds() + 0.01


def test_every_stage_is_recorded_in_the_history_in_its_order(garden: Garden, page_ids: list[int]) -> None:
    job = generated(garden)
    lines = [row.details for row in history(job.id) if row.event == "JOB_PROGRESS"]
    assert [line["stage"] for line in lines if line] == list(ALL_STAGES)
    assert job.progress == {"stage": "save_draft", "done": len(ALL_STAGES), "total": len(ALL_STAGES)}
    check_history(job.id)


def test_a_generation_is_confined_to_the_pages_it_is_given(garden: Garden, page_ids: list[int]) -> None:
    post = post_of_job(generated(garden, page_ids=page_ids[:1]))
    assert {source["page_id"] for source in post.sources} <= {page_ids[0]}


def test_the_same_topic_twice_gives_two_posts_with_slugs_of_their_own(
    garden: Garden, page_ids: list[int]
) -> None:
    slugs = {post_of_job(generated(garden)).slug for _ in range(3)}
    assert len(slugs) == 3


def test_a_title_is_used_as_it_is(garden: Garden, page_ids: list[int]) -> None:
    assert post_of_job(generated(garden, title="My bees, my garden")).title == "My bees, my garden"


def test_a_keyword_of_the_project_becomes_the_primary_one(garden: Garden, page_ids: list[int]) -> None:
    keyword, _ = add_keyword(project_of(garden), {"keyword_text": "beehive for beginners"})
    keyword_id = keyword.id
    db.session.commit()
    assert post_of_job(generated(garden, keyword_ids=[keyword_id])).primary_keyword == "beehive for beginners"


def test_a_stored_keyword_without_a_word_is_passed_over(garden: Garden, page_ids: list[int]) -> None:
    symbols = [Keyword(project_id=garden.project_id, keyword_text=text) for text in ("***", "🙂")]
    db.session.add_all(symbols)
    db.session.commit()
    ids = [each.id for each in symbols]
    add_keyword(project_of(garden), {"keyword_text": "beehive for beginners"})
    for payload in ({}, {"keyword_ids": ids}):
        assert prepare(garden.project_id, payload).request.keywords == ("beehive for beginners",)


def test_a_new_post_makes_the_keywords_coverage_due(garden: Garden, page_ids: list[int]) -> None:
    garden.set_project(coverage_due_at=None)
    generated(garden)
    assert project_of(garden).coverage_due_at is not None


@pytest.mark.parametrize("field", ["page_ids", "keyword_ids"])
def test_what_is_not_the_projects_is_refused_by_its_field(
    garden: Garden, page_ids: list[int], field: str
) -> None:
    refusal = refused(garden, **{field: [page_ids[0] + 1000]})
    assert refusal.failure.code == "INVALID_REQUEST"
    assert [error["field"] for error in refusal.errors] == [f"/payload/{field}"]


def test_without_any_source_there_is_no_full_post(garden: Garden) -> None:
    job = generated(garden)
    assert (job.status, job.failure) == ("succeeded", None)
    post = post_of_job(job)
    assert (post.draft_kind, post.sources) == ("outline", [])


@pytest.mark.parametrize("stage", ALL_STAGES)
def test_a_job_canceled_at_any_stage_leaves_no_post(garden: Garden, page_ids: list[int], stage: str) -> None:
    taken = garden.claimed()
    perform_and_cancel_at(stage, OPERATION, garden.account_id, taken)
    assert db.session.scalar(select(func.count()).select_from(BlogPost)) == 0


def test_a_model_that_nobody_configured_is_refused(garden: Garden) -> None:
    refusal = refused(garden, engine="llm")
    assert refusal.failure.code == "INVALID_REQUEST"
    assert [error["field"] for error in refusal.errors] == ["/payload/engine"]
    assert "No text provider is configured" in refusal.errors[0]["message"]


def test_without_a_provider_the_built_in_writer_writes(garden: Garden, page_ids: list[int]) -> None:
    assert post_of_job(generated(garden, engine="auto", on_llm_failure="fail")).engine == "extractive"
