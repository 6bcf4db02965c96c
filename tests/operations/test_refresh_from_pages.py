"""REFRESH_BLOG_POST with chosen pages: an outline becomes a draft of them, on both databases."""

from __future__ import annotations

from typing import Any

import pytest

from app.content.model import BlogPostProposal
from app.content.posts.proposals import use_proposal
from app.infra.db import db
from tests.executions.conftest import Garden, check_history, count, history, job_of
from tests.support.bees import page_at
from tests.support.model_server import ModelServer
from tests.support.refreshing import (
    NEW,
    REFRESH,
    generated,
    proposal_of,
    refreshed,
    rewrite,
    stored,
    text_of,
)
from tests.support.working import run_job

TOPIC = "Homes for pollinating insects"


@pytest.fixture
def outline_id(school: Garden) -> int:
    """An outline on beehives, in words that no page has."""
    post_id = generated(school, topic=TOPIC, target_words=400)
    assert stored(post_id).draft_kind == "outline"
    return post_id


def test_an_outline_becomes_a_draft_of_the_pages_that_answer_it_in_other_words(
    school: Garden, outline_id: int
) -> None:
    before, hives = text_of(outline_id), page_at(school.project_id, "/hives").id
    job = refreshed(school, outline_id, page_ids=[hives])
    proposal = proposal_of(outline_id)
    assert job.result is not None
    assert (job.result["changed"], job.result["sources_changed"], job.result["draft_kind"]) == (
        True,
        False,
        "extractive",
    )
    assert {source["page_id"] for source in proposal.sources} == {hives}
    assert proposal.title == TOPIC
    assert text_of(outline_id) == before
    check_history(job.id)
    used = use_proposal(stored(outline_id), proposal.id)
    assert (used.draft_kind, used.title) == ("extractive", TOPIC)


def test_a_draft_is_written_again_from_chosen_pages_although_nothing_changed(
    school: Garden, post_id: int
) -> None:
    care = page_at(school.project_id, "/care").id
    refreshed(school, post_id, page_ids=[care])
    assert {source["page_id"] for source in proposal_of(post_id).sources} == {care}


def test_pages_that_can_no_longer_be_used_leave_an_outline_as_it_is(school: Garden, outline_id: int) -> None:
    before = text_of(outline_id)
    hives = page_at(school.project_id, "/hives")
    hives.word_count = 0
    db.session.commit()
    job = refreshed(school, outline_id, page_ids=[hives.id])
    assert job.failure is not None
    assert (job.failure["code"], job.failure["message"]) == (
        "INSUFFICIENT_SOURCE_MATERIAL",
        "None of these pages can be used any more, so the post stays as it is.",
    )
    assert count(BlogPostProposal) == 0
    assert text_of(outline_id) == before


def test_the_choice_is_kept_when_the_draft_is_refreshed_later(school: Garden, outline_id: int) -> None:
    hives = page_at(school.project_id, "/hives").id
    refreshed(school, outline_id, page_ids=[hives])
    use_proposal(stored(outline_id), proposal_of(outline_id).id)
    rewrite(school.project_id, "/hives", NEW)
    assert refreshed(school, outline_id).status == "succeeded"
    assert "holds 11 frames" in proposal_of(outline_id).content


def test_a_chosen_page_that_is_gone_is_noted_and_the_others_are_used(school: Garden, outline_id: int) -> None:
    hives, care = (page_at(school.project_id, path) for path in ("/hives", "/care"))
    care.is_stale = True
    care_id, hives_id = care.id, hives.id
    db.session.commit()
    job = refreshed(school, outline_id, page_ids=[hives_id, care_id])
    assert job.status == "succeeded"
    noted = [(row.details or {}).get("message") for row in history(job.id)]
    assert f"Pages that can no longer be used: {care_id}." in noted


@pytest.mark.parametrize("none", [None, []])
def test_no_pages_are_as_if_none_had_been_named(school: Garden, post_id: int, none: Any) -> None:
    job = refreshed(school, post_id, page_ids=none)
    assert job.result is not None
    assert job.result["changed"] is False


def test_a_second_attempt_makes_the_same_proposal(school: Garden, outline_id: int) -> None:
    hives = page_at(school.project_id, "/hives").id
    first = school.queued(REFRESH, payload={"blog_post_id": outline_id, "page_ids": [hives]})
    run_job(first)
    text = proposal_of(outline_id).content
    again = school.queued(REFRESH, payload={"blog_post_id": outline_id, "page_ids": [hives]})
    run_job(again)
    assert job_of(again).status == "succeeded"
    assert (proposal_of(outline_id).content, proposal_of(outline_id).job_id) == (text, again)


@pytest.mark.usefixtures("impatient")
class TestWithAModel:
    @pytest.fixture
    def settings_overrides(self, model_settings: dict[str, str]) -> dict[str, str]:
        return model_settings

    def test_an_outline_that_the_built_in_writer_made_is_written_by_the_model(
        self, school: Garden, outline_id: int, model_server: ModelServer
    ) -> None:
        hives = page_at(school.project_id, "/hives").id
        assert refreshed(school, outline_id, page_ids=[hives]).status == "succeeded"
        assert model_server.bodies
        assert (proposal_of(outline_id).engine, proposal_of(outline_id).draft_kind) == ("llm", "full")
