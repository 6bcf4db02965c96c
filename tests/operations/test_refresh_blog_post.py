"""REFRESH_BLOG_POST through the runner, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select, update

from app.content import proposals
from app.content.model import BlogPost, BlogPostProposal
from app.content.service import edit_post, quality_of
from app.executions import runner, service
from app.executions.model import ExecutionJob
from app.executions.queries import get_job
from app.executions.rollback import roll_back
from app.failures import ServiceFailure
from app.infra.db import db
from app.operations.base import Stopped
from app.operations.refresh_blog_post import OPERATION
from app.pages.model import Page, PageContent
from app.projects.model import Project
from tests.content.conftest import CARE, FAQ, HIVES, Part, page, site
from tests.executions.conftest import (
    Garden,
    another_claim,
    change,
    check_history,
    claim,
    count,
    job_of,
    work_of,
)
from tests.support.bees import page_at, store

REFRESH = OPERATION.name
NEW: tuple[Part, ...] = tuple(
    (kind, text.replace("holds 10 frames", "holds 11 frames")) for kind, text in HIVES
)


@pytest.fixture
def garden(db_app: Flask) -> Garden:
    """The bee school, its pages read."""
    project_id = store(site(page(1, "hives", HIVES), page(2, "care", CARE), page(3, "faq", FAQ)))
    return Garden(db.session.get_one(Project, project_id).account_id, project_id)


@pytest.fixture
def post_id(garden: Garden) -> int:
    """A draft on beehives."""
    return generated(garden, topic="Choosing a beehive", target_words=400)


def generated(garden: Garden, **payload: Any) -> int:
    job_id = garden.queued(payload=payload)
    runner.run(job_id)
    result = job_of(job_id).result
    assert result is not None
    return int(result["blog_post_id"])


def rewrite(garden: Garden, path: str, parts: tuple[Part, ...]) -> None:
    """Let a page read differently."""
    row = page_at(garden.project_id, path)
    blocks = [block.to_dict() for block in page(row.id, path, parts).blocks]
    db.session.execute(
        update(PageContent)
        .where(PageContent.page_id == row.id)
        .values(blocks=blocks, content_hash=f"another hash of {parts!r}"[:60] + str(len(repr(parts))))
    )
    db.session.commit()


def refreshed(garden: Garden, post_id: int) -> ExecutionJob:
    job_id = garden.queued(REFRESH, payload={"blog_post_id": post_id})
    runner.run(job_id)
    return job_of(job_id)


def stored(post_id: int) -> BlogPost:
    db.session.rollback()
    return db.session.get_one(BlogPost, post_id, populate_existing=True)


def text_of(post_id: int) -> tuple[Any, ...]:
    post = stored(post_id)
    return (post.title, post.content, post.version, post.edited_at, post.source_hashes, post.status)


def proposal_of(post_id: int) -> BlogPostProposal:
    db.session.rollback()
    found = proposals.open_proposal(post_id)
    assert found is not None
    return found


def fails(post_id: int, code: str) -> bool:
    return not next(check for check in quality_of(stored(post_id)).checks if check.code == code).passed


def test_unchanged_sources_make_no_proposal(garden: Garden, post_id: int) -> None:
    job = refreshed(garden, post_id)
    assert job.status == "succeeded"
    assert job.result == {
        "blog_post_id": post_id, "sources_changed": False, "changed": False, "proposal_id": None,
    }  # fmt: skip
    assert count(BlogPostProposal) == 0


def test_a_changed_source_makes_a_proposal_and_leaves_the_post_alone(garden: Garden, post_id: int) -> None:
    before = text_of(post_id)
    rewrite(garden, "/hives", NEW)
    assert fails(post_id, "SOURCES_CHANGED")
    job = refreshed(garden, post_id)
    proposal = proposal_of(post_id)
    assert job.status == "succeeded"
    assert job.result is not None
    assert (job.result["changed"], job.result["proposal_id"]) == (True, proposal.id)
    assert "holds 11 frames" in proposal.content
    assert "holds 10 frames" not in proposal.content
    assert (proposal.job_id, proposal.post_version, proposal.state) == (job.id, 1, "open")
    assert (proposal.title, proposal.keywords) == (stored(post_id).title, stored(post_id).keywords)
    assert text_of(post_id) == before
    check_history(job.id)


def test_the_post_does_not_count_as_another_on_its_own_topic(garden: Garden, post_id: int) -> None:
    rewrite(garden, "/hives", NEW)
    refreshed(garden, post_id)
    assert not [warning for warning in proposal_of(post_id).warnings if "already" in warning]


def test_a_used_proposal_is_the_posts_text(garden: Garden, post_id: int) -> None:
    slug = stored(post_id).slug
    rewrite(garden, "/hives", NEW)
    refreshed(garden, post_id)
    proposal = proposal_of(post_id)
    content, proposal_id = proposal.content, proposal.id
    proposals.use_proposal(stored(post_id), proposal_id, 1)
    post = stored(post_id)
    assert (post.content, post.version, post.slug, post.status) == (content, 2, slug, "draft")
    assert post.refreshed_at is not None
    assert not fails(post_id, "SOURCES_CHANGED")
    assert proposals.open_proposal(post_id) is None
    assert db.session.get_one(BlogPostProposal, proposal_id).state == "accepted"
    again = refreshed(garden, post_id).result
    assert again is not None
    assert again["sources_changed"] is False


def test_an_edit_meanwhile_is_not_written_over(garden: Garden, post_id: int) -> None:
    rewrite(garden, "/hives", NEW)
    refreshed(garden, post_id)
    edit_post(stored(post_id), 1, {"title": "My own words"})
    before = text_of(post_id)
    with pytest.raises(ServiceFailure) as refused:
        proposals.use_proposal(stored(post_id), proposal_of(post_id).id, 1)
    assert refused.value.errors[0]["field"] == "/version"
    assert text_of(post_id) == before
    assert proposal_of(post_id).state == "open"
    proposals.use_proposal(stored(post_id), proposal_of(post_id).id, 2)
    assert stored(post_id).edited_at is None


def test_a_post_edited_by_a_person_keeps_its_text_beside_the_proposal(garden: Garden, post_id: int) -> None:
    edit_post(stored(post_id), 1, {"content": "My own words about hives."})
    rewrite(garden, "/hives", NEW)
    refreshed(garden, post_id)
    assert stored(post_id).content == "My own words about hives."
    assert "holds 11 frames" in proposal_of(post_id).content


def test_a_dismissed_proposal_changes_nothing_and_cannot_be_used(garden: Garden, post_id: int) -> None:
    rewrite(garden, "/hives", NEW)
    refreshed(garden, post_id)
    before, proposal_id = text_of(post_id), proposal_of(post_id).id
    proposals.dismiss_proposal(stored(post_id), proposal_id)
    assert proposals.open_proposal(post_id) is None
    for settle in (
        lambda: proposals.use_proposal(stored(post_id), proposal_id, 1),
        lambda: proposals.dismiss_proposal(stored(post_id), proposal_id),
    ):
        with pytest.raises(ServiceFailure) as refused:
            settle()
        assert refused.value.errors[0]["field"] == "/proposal"
    assert text_of(post_id) == before


def test_a_proposal_of_another_post_is_not_used(garden: Garden, post_id: int) -> None:
    other = generated(garden, topic="Opening a beehive")
    rewrite(garden, "/hives", NEW)
    refreshed(garden, post_id)
    with pytest.raises(ServiceFailure):
        proposals.use_proposal(stored(other), proposal_of(post_id).id, 1)
    assert proposal_of(post_id).state == "open"


def test_a_newer_proposal_takes_the_place_of_an_older_one(garden: Garden, post_id: int) -> None:
    rewrite(garden, "/hives", NEW)
    first = refreshed(garden, post_id)
    rewrite(garden, "/hives", tuple((k, t.replace("11 frames", "12 frames")) for k, t in NEW))
    second = refreshed(garden, post_id)
    assert "holds 12 frames" in proposal_of(post_id).content
    assert proposals.proposal_of_job(first.id) is None
    assert proposals.proposal_of_job(second.id) is not None
    assert count(BlogPostProposal) == 1


def test_a_change_that_touches_no_quoted_word_needs_no_decision(garden: Garden, post_id: int) -> None:
    before = text_of(post_id)
    rewrite(garden, "/hives", (*HIVES, ("h2", "Closing words"), ("code", "exit\n")))
    job = refreshed(garden, post_id)
    assert job.result is not None
    assert (job.result["sources_changed"], job.result["changed"]) == (True, False)
    assert count(BlogPostProposal) == 0
    assert not fails(post_id, "SOURCES_CHANGED")
    assert text_of(post_id)[:4] == before[:4]


def test_an_open_input_is_resolved_as_it_was(garden: Garden) -> None:
    post_id = generated(garden)
    title = stored(post_id).title
    generated(garden)
    rewrite(garden, "/hives", NEW)
    rewrite(garden, "/care", tuple((k, t.replace("warm day", "mild day")) for k, t in CARE))
    rewrite(garden, "/faq", tuple((k, t.replace("honey", "heather honey")) for k, t in FAQ))
    refreshed(garden, post_id)
    found = proposals.open_proposal(post_id)
    assert found is None or found.title == title


def test_a_post_whose_job_keeps_nothing_is_written_from_what_it_tells(garden: Garden, post_id: int) -> None:
    post = stored(post_id)
    assert post.job_id is not None
    title, keywords = post.title, post.keywords
    change(post.job_id, payload={}, artefacts=None)
    rewrite(garden, "/hives", NEW)
    refreshed(garden, post_id)
    assert (proposal_of(post_id).title, proposal_of(post_id).keywords) == (title, keywords)


@pytest.mark.parametrize("kept", ["brief", "payload", "post"])
def test_the_first_input_holds_however_much_is_kept_of_it(garden: Garden, kept: str) -> None:
    asked = {"topic": "Choosing a beehive", "tone": "formal", "target_words": 300, "avoid": ["cookies"]}
    post_id = generated(garden, **asked, include={"faq": False})
    job_id = stored(post_id).job_id
    assert job_id is not None
    if kept != "brief":
        change(job_id, artefacts=None)
    if kept == "post":
        change(job_id, payload={})
    rewrite(garden, "/hives", NEW)
    refreshed(garden, post_id)
    again = proposal_of(post_id).request
    assert (again["target_words"], again["tone"], again["avoid"]) == (300, "formal", ["cookies"])
    assert again["include"]["faq"] is False


def test_when_the_pages_are_gone_the_post_stays_and_the_job_says_why(garden: Garden, post_id: int) -> None:
    before = text_of(post_id)
    db.session.execute(update(Page).values(is_stale=True))
    db.session.commit()
    job = refreshed(garden, post_id)
    assert job.status == "failed"
    assert job.failure is not None
    assert job.failure["code"] == "INSUFFICIENT_SOURCE_MATERIAL"
    assert text_of(post_id) == before
    assert count(BlogPostProposal) == 0


def test_a_post_that_is_being_published_is_refused(garden: Garden, post_id: int) -> None:
    stored(post_id).status = "publishing"
    db.session.commit()
    with pytest.raises(ServiceFailure) as refused:
        garden.submit(None, REFRESH, payload={"blog_post_id": post_id})
    assert refused.value.failure.code == "PUBLISH_IN_PROGRESS"


def test_a_job_that_meets_a_publishing_waits_for_its_end(garden: Garden, post_id: int) -> None:
    rewrite(garden, "/hives", NEW)
    job_id = garden.queued(REFRESH, payload={"blog_post_id": post_id})
    stored(post_id).status = "publishing"
    db.session.commit()
    runner.run(job_id)
    assert job_of(job_id).status == "queued"
    stored(post_id).status = "published"
    db.session.commit()
    change(job_id, available_at=job_of(job_id).queued_at)
    runner.run(job_id)
    assert job_of(job_id).status == "succeeded"
    assert proposal_of(post_id).job_id == job_id


def test_no_proposal_is_used_while_its_post_is_published(garden: Garden, post_id: int) -> None:
    rewrite(garden, "/hives", NEW)
    refreshed(garden, post_id)
    stored(post_id).status = "publishing"
    db.session.commit()
    with pytest.raises(ServiceFailure) as refused:
        proposals.use_proposal(stored(post_id), proposal_of(post_id).id, 1)
    assert refused.value.failure.code == "PUBLISH_IN_PROGRESS"


def test_a_published_post_keeps_its_date_and_shows_that_it_changed(garden: Garden, post_id: int) -> None:
    post = stored(post_id)
    published = "2026-11-02T10:00:00Z"
    post.status, post.published_at = "published", post.created_at
    post.json_ld = [{**entry, "datePublished": published} for entry in post.json_ld]
    db.session.commit()
    assert not stored(post_id).changed_since_published
    rewrite(garden, "/hives", NEW)
    refreshed(garden, post_id)
    proposals.use_proposal(stored(post_id), proposal_of(post_id).id, 1)
    post = stored(post_id)
    assert post.status == "published"
    assert post.changed_since_published
    assert [entry["datePublished"] for entry in post.json_ld if entry["@type"] == "BlogPosting"] == [
        published
    ]


def test_a_rollback_takes_the_proposal_with_the_draft(garden: Garden, post_id: int) -> None:
    rewrite(garden, "/hives", NEW)
    refreshed(garden, post_id)
    job_id = stored(post_id).job_id
    assert job_id is not None
    roll_back(get_job(garden.account_id, job_id))
    assert (count(BlogPost), count(BlogPostProposal)) == (0, 0)


def test_a_post_that_goes_meanwhile_fails_the_job(garden: Garden, post_id: int) -> None:
    rewrite(garden, "/hives", NEW)
    job_id = garden.queued(REFRESH, payload={"blog_post_id": post_id})
    work = work_of(claim(job_id))
    outcome = OPERATION.perform(work)
    generation = stored(post_id).job_id
    assert generation is not None
    roll_back(get_job(garden.account_id, generation))
    runner._succeed(work, outcome)
    failure = job_of(job_id).failure
    assert failure is not None
    assert failure["code"] == "BLOG_POST_NOT_FOUND"


def test_an_attempt_that_lost_its_claim_leaves_no_proposal(garden: Garden, post_id: int) -> None:
    rewrite(garden, "/hives", NEW)
    taken = claim(garden.queued(REFRESH, payload={"blog_post_id": post_id}))
    late = work_of(taken)
    outcome = OPERATION.perform(late)
    newer = another_claim(taken)
    runner._succeed(late, outcome)
    assert count(BlogPostProposal) == 0
    second = work_of(newer)
    runner._succeed(second, OPERATION.perform(second))
    assert job_of(taken.job_id).status == "succeeded"
    assert count(BlogPostProposal) == 1
    check_history(taken.job_id)


@pytest.mark.parametrize("stage", ["check_sources", "build_outline", "save_draft"])
def test_a_job_canceled_at_any_stage_leaves_no_proposal(garden: Garden, post_id: int, stage: str) -> None:
    rewrite(garden, "/hives", NEW)
    taken = claim(garden.queued(REFRESH, payload={"blog_post_id": post_id}))
    work = work_of(taken)
    go_on = work.progress

    def progress(name: str, done: int, total: int, message: str = "") -> None:
        if name == stage:
            service.cancel(get_job(garden.account_id, taken.job_id))
        go_on(name, done, total, message)

    work.progress = progress  # type: ignore[method-assign]
    with pytest.raises(Stopped):
        OPERATION.perform(work)
    assert job_of(taken.job_id).status == "canceled"
    assert db.session.scalar(select(BlogPostProposal.id)) is None


def test_refreshing_uses_no_post_of_the_month(garden: Garden, post_id: int) -> None:
    assert not OPERATION.counts_as_post
    assert OPERATION.limited


def test_a_post_that_is_not_there_is_not_found(garden: Garden, post_id: int) -> None:
    with pytest.raises(ServiceFailure) as refused:
        garden.submit(None, REFRESH, payload={"blog_post_id": post_id + 100})
    assert refused.value.failure.code == "BLOG_POST_NOT_FOUND"
