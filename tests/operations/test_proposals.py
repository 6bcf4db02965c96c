"""What becomes of a proposal: used, dismissed, replaced, or gone with its post; on both databases."""

from __future__ import annotations

import pytest

from app.content.model import BlogPost, BlogPostProposal
from app.content.posts import proposals
from app.content.posts.service import edit_post
from app.executions.queries import get_job
from app.executions.rollback import roll_back
from app.failures import ServiceFailure
from app.infra.db import db
from tests.executions.conftest import Garden, count
from tests.support.refreshing import NEW, fails, generated, proposal_of, refreshed, rewrite, stored, text_of


def test_a_used_proposal_is_the_posts_text(school: Garden, post_id: int) -> None:
    slug = stored(post_id).slug
    rewrite(school.project_id, "/hives", NEW)
    refreshed(school, post_id)
    proposal = proposal_of(post_id)
    content, proposal_id = proposal.content, proposal.id
    proposals.use_proposal(stored(post_id), proposal_id, 1)
    post = stored(post_id)
    assert (post.content, post.version, post.slug, post.status) == (content, 2, slug, "draft")
    assert post.refreshed_at is not None
    assert not fails(post_id, "SOURCES_CHANGED")
    assert proposals.open_proposal(post_id) is None
    assert db.session.get_one(BlogPostProposal, proposal_id).state == "accepted"
    again = refreshed(school, post_id).result
    assert again is not None
    assert again["sources_changed"] is False


def test_an_edit_meanwhile_is_not_written_over(school: Garden, post_id: int) -> None:
    rewrite(school.project_id, "/hives", NEW)
    refreshed(school, post_id)
    edit_post(stored(post_id), 1, {"title": "My own words"})
    before = text_of(post_id)
    with pytest.raises(ServiceFailure) as refused:
        proposals.use_proposal(stored(post_id), proposal_of(post_id).id, 1)
    assert refused.value.failure.code == "POST_CHANGED"
    assert refused.value.failure.details == {"blog_post_id": post_id, "version": 2}
    assert refused.value.errors[0]["field"] == "/version"
    assert text_of(post_id) == before
    assert proposal_of(post_id).state == "open"
    with pytest.raises(ServiceFailure, match="POST_CHANGED"):
        proposals.use_proposal(stored(post_id), proposal_of(post_id).id)
    proposals.use_proposal(stored(post_id), proposal_of(post_id).id, 2)
    assert stored(post_id).edited_at is None


def test_a_dismissed_proposal_changes_nothing_and_cannot_be_used(school: Garden, post_id: int) -> None:
    rewrite(school.project_id, "/hives", NEW)
    refreshed(school, post_id)
    before, proposal_id = text_of(post_id), proposal_of(post_id).id
    proposals.dismiss_proposal(stored(post_id), proposal_id)
    assert proposals.open_proposal(post_id) is None
    with pytest.raises(ServiceFailure, match="PROPOSAL_DECIDED") as refused:
        proposals.use_proposal(stored(post_id), proposal_id, 1)
    assert refused.value.errors[0]["field"] == "/proposal_id"
    proposals.dismiss_proposal(stored(post_id), proposal_id)
    assert text_of(post_id) == before


def test_a_proposal_is_used_once_however_often_it_is_asked(school: Garden, post_id: int) -> None:
    rewrite(school.project_id, "/hives", NEW)
    refreshed(school, post_id)
    proposal_id = proposal_of(post_id).id
    for _ in range(2):
        proposals.use_proposal(stored(post_id), proposal_id)
    assert stored(post_id).version == 2
    with pytest.raises(ServiceFailure, match="PROPOSAL_DECIDED"):
        proposals.dismiss_proposal(stored(post_id), proposal_id)


def test_a_proposal_of_another_post_is_not_used(school: Garden, post_id: int) -> None:
    other = generated(school, topic="Opening a beehive")
    rewrite(school.project_id, "/hives", NEW)
    refreshed(school, post_id)
    with pytest.raises(ServiceFailure, match="PROPOSAL_NOT_FOUND"):
        proposals.use_proposal(stored(other), proposal_of(post_id).id, 1)
    assert proposal_of(post_id).state == "open"


def test_a_newer_proposal_takes_the_place_of_an_older_one(school: Garden, post_id: int) -> None:
    rewrite(school.project_id, "/hives", NEW)
    first = refreshed(school, post_id)
    rewrite(school.project_id, "/hives", tuple((k, t.replace("11 frames", "12 frames")) for k, t in NEW))
    second = refreshed(school, post_id)
    assert "holds 12 frames" in proposal_of(post_id).content
    assert proposals.proposal_of_job(first.id) is None
    assert proposals.proposal_of_job(second.id) is not None
    assert count(BlogPostProposal) == 1


def test_no_proposal_is_used_while_its_post_is_published(school: Garden, post_id: int) -> None:
    rewrite(school.project_id, "/hives", NEW)
    refreshed(school, post_id)
    stored(post_id).status = "publishing"
    db.session.commit()
    with pytest.raises(ServiceFailure) as refused:
        proposals.use_proposal(stored(post_id), proposal_of(post_id).id, 1)
    assert refused.value.failure.code == "PUBLISH_IN_PROGRESS"


def test_a_published_post_stays_so_and_keeps_its_date(school: Garden, post_id: int) -> None:
    post = stored(post_id)
    published = "2026-11-02T10:00:00Z"
    post.status, post.published_at = "published", post.created_at
    post.json_ld = [{**entry, "datePublished": published} for entry in post.json_ld]
    db.session.commit()
    rewrite(school.project_id, "/hives", NEW)
    refreshed(school, post_id)
    proposals.use_proposal(stored(post_id), proposal_of(post_id).id, 1)
    post = stored(post_id)
    assert post.status == "published"
    assert [entry["datePublished"] for entry in post.json_ld if entry["@type"] == "BlogPosting"] == [
        published
    ]


def test_a_rollback_takes_the_proposal_with_the_draft(school: Garden, post_id: int) -> None:
    rewrite(school.project_id, "/hives", NEW)
    refreshed(school, post_id)
    job_id = stored(post_id).job_id
    assert job_id is not None
    roll_back(get_job(school.account_id, job_id))
    assert (count(BlogPost), count(BlogPostProposal)) == (0, 0)
