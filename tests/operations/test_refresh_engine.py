"""Which engine writes a post again: the one that wrote it, unless the first input named one."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from app.content.model import BlogPost, BlogPostProposal
from app.content.posts.original_input import original_input
from app.executions.model import ExecutionJob
from app.infra.db import db
from tests.executions.conftest import Garden, count
from tests.support.beehives import generated, post_of_job
from tests.support.model_server import ModelServer
from tests.support.refreshing import NEW, proposal_of, refreshed, rewrite


def written(garden: Garden, engine: str | None) -> int:
    """The id of a post whose first input named this engine, or none."""
    job = generated(garden, topic="beehive", engine=engine)
    return post_of_job(job).id


def forget_the_engine(post_id: int) -> None:
    """Let the post's job have been asked for without naming an engine."""
    job = db.session.get_one(ExecutionJob, db.session.get_one(BlogPost, post_id).job_id)
    payload = {name: value for name, value in job.payload.items() if name != "engine"}
    db.session.execute(update(ExecutionJob).where(ExecutionJob.id == job.id).values(payload=payload))
    db.session.commit()


@pytest.mark.usefixtures("impatient")
class TestWithAModel:
    @pytest.fixture
    def settings_overrides(self, model_settings: dict[str, str]) -> dict[str, str]:
        return model_settings

    def test_a_post_of_excerpts_stays_one_when_a_model_was_set_up_since(
        self, garden: Garden, page_ids: list[int], model_server: ModelServer
    ) -> None:
        post_id = written(garden, "extractive")
        forget_the_engine(post_id)
        rewrite(garden.project_id, "/hives", NEW)
        assert refreshed(garden, post_id).status == "succeeded"
        assert proposal_of(post_id).engine == "extractive"
        assert model_server.bodies == []

    def test_a_post_of_the_model_is_written_by_the_model_again(
        self, garden: Garden, page_ids: list[int], model_server: ModelServer
    ) -> None:
        post_id = written(garden, None)
        asked = len(model_server.bodies)
        rewrite(garden.project_id, "/hives", NEW)
        refreshed(garden, post_id)
        assert len(model_server.bodies) > asked
        assert proposal_of(post_id).engine == "llm"


def test_prose_does_not_become_excerpts_when_there_is_no_model_any_more(
    garden: Garden, page_ids: list[int]
) -> None:
    post_id = written(garden, None)
    db.session.execute(update(BlogPost).values(engine="llm"))
    db.session.commit()
    rewrite(garden.project_id, "/hives", NEW)
    job = refreshed(garden, post_id)
    assert job.failure is not None
    assert (job.failure["code"], job.failure["message"]) == (
        "PROVIDER_REJECTED",
        "No text provider is configured.",
    )
    assert count(BlogPostProposal) == 0


@pytest.mark.parametrize(
    ("asked", "wrote", "writes"),
    [
        ({}, "extractive", "extractive"),
        ({}, "llm", "llm"),
        ({"engine": None}, "extractive", "extractive"),
        ({"engine": "auto"}, "extractive", "extractive"),
        ({"engine": "auto"}, "llm", "llm"),
        ({"engine": "llm"}, "extractive", "llm"),
        ({"engine": "extractive"}, "llm", "extractive"),
    ],
)
@pytest.mark.parametrize(
    "brief", [{}, {"brief": {"topic": "Bees", "primary_keyword": "bee", "secondary": []}}]
)
def test_the_engine_that_was_asked_for_wins_over_the_one_that_wrote(
    asked: dict[str, str], wrote: str, writes: str, brief: dict[str, object]
) -> None:
    post = BlogPost(
        engine=wrote, language="en", title="Bees", keywords=["bee"], word_count=500, primary_keyword="bee"
    )
    assert original_input(post, {"topic": "Bees", **asked}, brief)["engine"] == writes
    assert original_input(post, asked, brief)["engine"] == writes
