"""REFRESH_BLOG_POST through the runner, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select, update

from app.content.model import BlogPostProposal
from app.content.posts import proposals
from app.content.posts.service import edit_post
from app.executions import runner
from app.executions.queries import get_job
from app.executions.rollback import roll_back
from app.failures import ServiceFailure
from app.infra.db import db
from app.operations.refresh_blog_post import OPERATION
from app.pages.model import Page
from tests.content.conftest import CARE, FAQ, HIVES
from tests.executions.conftest import (
    Garden,
    another_claim,
    change,
    check_history,
    claim,
    count,
    job_of,
    perform_and_cancel_at,
    work_of,
)
from tests.support.refreshing import (
    NEW,
    REFRESH,
    fails,
    generated,
    proposal_of,
    refreshed,
    rewrite,
    stored,
    text_of,
)
from tests.support.working import run_job


def test_unchanged_sources_make_no_proposal(school: Garden, post_id: int) -> None:
    job = refreshed(school, post_id)
    assert job.status == "succeeded"
    assert job.result == {
        "blog_post_id": post_id, "sources_changed": False, "changed": False, "proposal_id": None,
    }  # fmt: skip
    assert count(BlogPostProposal) == 0


def test_a_changed_source_makes_a_proposal_and_leaves_the_post_alone(school: Garden, post_id: int) -> None:
    before = text_of(post_id)
    rewrite(school.project_id, "/hives", NEW)
    assert fails(post_id, "SOURCES_CHANGED")
    job = refreshed(school, post_id)
    proposal = proposal_of(post_id)
    assert job.status == "succeeded"
    assert job.result is not None
    assert (job.result["changed"], job.result["proposal_id"]) == (True, proposal.id)
    assert (job.result["engine"], job.result["word_count"]) == ("extractive", proposal.word_count)
    assert job.artefacts is not None
    assert job.artefacts["brief"]["topic"] == "Choosing a beehive"
    assert "holds 11 frames" in proposal.content
    assert "holds 10 frames" not in proposal.content
    assert (proposal.job_id, proposal.post_version, proposal.state) == (job.id, 1, "open")
    assert (proposal.title, proposal.keywords) == (stored(post_id).title, stored(post_id).keywords)
    assert text_of(post_id) == before
    check_history(job.id)


@pytest.mark.parametrize("forgotten", [{}, {"artefacts": None}, {"artefacts": None, "payload": {}}])
def test_a_refresh_keeps_the_language_of_the_post(
    school: Garden, post_id: int, forgotten: dict[str, Any]
) -> None:
    job_id = stored(post_id).job_id
    assert job_id is not None
    if forgotten:
        change(job_id, **forgotten)
    school.set_project(language="de")
    rewrite(school.project_id, "/hives", NEW)
    refreshed(school, post_id)
    proposal = proposal_of(post_id)
    assert (proposal.language, fails(post_id, "LANGUAGE_MISMATCH")) == ("en", False)


def test_the_post_does_not_count_as_another_on_its_own_topic(school: Garden, post_id: int) -> None:
    rewrite(school.project_id, "/hives", NEW)
    refreshed(school, post_id)
    assert not [warning for warning in proposal_of(post_id).warnings if "already" in warning]


def test_a_post_edited_by_a_person_keeps_its_text_beside_the_proposal(school: Garden, post_id: int) -> None:
    edit_post(stored(post_id), 1, {"content": "My own words about hives."})
    rewrite(school.project_id, "/hives", NEW)
    refreshed(school, post_id)
    assert stored(post_id).content == "My own words about hives."
    assert "holds 11 frames" in proposal_of(post_id).content


def test_images_that_a_person_put_into_the_text_stay_in_the_proposal(school: Garden, post_id: int) -> None:
    heading = next(line for line in stored(post_id).content.splitlines() if line.startswith("## "))
    edit_post(stored(post_id), 1, {"content": f"Mine.\n\n{heading}\n\nMine, too.\n\n![A hive](image:3)\n"})
    rewrite(school.project_id, "/hives", NEW)
    refreshed(school, post_id)
    before, _, after = proposal_of(post_id).content.partition("![A hive](image:3)\n\n")
    assert heading in before
    assert "\n## " not in before.partition(heading)[2]
    assert after.startswith("## ")


def test_a_change_that_touches_no_quoted_word_needs_no_decision(school: Garden, post_id: int) -> None:
    before = text_of(post_id)
    rewrite(school.project_id, "/hives", (*HIVES, ("h2", "Closing words"), ("p", "Good bye.")))
    job = refreshed(school, post_id)
    assert job.result is not None
    assert (job.result["sources_changed"], job.result["changed"]) == (True, False)
    assert count(BlogPostProposal) == 0
    assert not fails(post_id, "SOURCES_CHANGED")
    assert text_of(post_id)[:4] == before[:4]


def test_an_open_input_is_resolved_as_it_was(school: Garden) -> None:
    post_id = generated(school)
    title = stored(post_id).title
    generated(school)
    rewrite(school.project_id, "/hives", NEW)
    rewrite(school.project_id, "/care", tuple((k, t.replace("warm day", "mild day")) for k, t in CARE))
    rewrite(school.project_id, "/faq", tuple((k, t.replace("honey", "heather honey")) for k, t in FAQ))
    refreshed(school, post_id)
    found = proposals.open_proposal(post_id)
    assert found is None or found.title == title


def test_a_post_whose_job_keeps_nothing_is_written_from_its_own_data(school: Garden, post_id: int) -> None:
    post = stored(post_id)
    assert post.job_id is not None
    title, keywords = post.title, post.keywords
    change(post.job_id, payload={}, artefacts=None)
    rewrite(school.project_id, "/hives", NEW)
    refreshed(school, post_id)
    assert (proposal_of(post_id).title, proposal_of(post_id).keywords) == (title, keywords)


@pytest.mark.parametrize("kept", ["brief", "payload", "post"])
def test_the_first_input_is_used_however_much_is_kept_of_it(school: Garden, kept: str) -> None:
    asked = {"topic": "Choosing a beehive", "tone": "formal", "target_words": 300, "avoid": ["cookies"]}
    post_id = generated(school, **asked, include={"faq": False})
    job_id = stored(post_id).job_id
    assert job_id is not None
    if kept != "brief":
        change(job_id, artefacts=None)
    if kept == "post":
        change(job_id, payload={})
    rewrite(school.project_id, "/hives", NEW)
    refreshed(school, post_id)
    again = proposal_of(post_id).request
    assert (again["target_words"], again["tone"], again["avoid"]) == (300, "formal", ["cookies"])
    assert again["include"]["faq"] is False


def test_when_the_pages_are_gone_the_post_stays_and_the_job_says_why(school: Garden, post_id: int) -> None:
    before = text_of(post_id)
    db.session.execute(update(Page).values(is_stale=True))
    db.session.commit()
    job = refreshed(school, post_id)
    assert job.status == "failed"
    assert job.failure is not None
    assert job.failure["code"] == "INSUFFICIENT_SOURCE_MATERIAL"
    assert text_of(post_id) == before
    assert count(BlogPostProposal) == 0


def test_a_post_that_is_being_published_is_refused(school: Garden, post_id: int) -> None:
    stored(post_id).status = "publishing"
    db.session.commit()
    with pytest.raises(ServiceFailure) as refused:
        school.submit(None, REFRESH, payload={"blog_post_id": post_id})
    assert refused.value.failure.code == "PUBLISH_IN_PROGRESS"


def test_a_job_that_meets_a_publishing_waits_for_its_end(school: Garden, post_id: int) -> None:
    rewrite(school.project_id, "/hives", NEW)
    job_id = school.queued(REFRESH, payload={"blog_post_id": post_id})
    stored(post_id).status = "publishing"
    db.session.commit()
    run_job(job_id)
    assert job_of(job_id).status == "queued"
    stored(post_id).status = "published"
    db.session.commit()
    change(job_id, available_at=job_of(job_id).queued_at)
    run_job(job_id)
    assert job_of(job_id).status == "succeeded"
    assert proposal_of(post_id).job_id == job_id


def test_a_post_that_goes_meanwhile_fails_the_job(school: Garden, post_id: int) -> None:
    rewrite(school.project_id, "/hives", NEW)
    job_id = school.queued(REFRESH, payload={"blog_post_id": post_id})
    work = work_of(claim(job_id))
    outcome = OPERATION.perform(work)
    generation = stored(post_id).job_id
    assert generation is not None
    roll_back(get_job(school.account_id, generation))
    runner._succeed(work, outcome)
    failure = job_of(job_id).failure
    assert failure is not None
    assert failure["code"] == "BLOG_POST_NOT_FOUND"


def test_an_attempt_that_lost_its_claim_leaves_no_proposal(school: Garden, post_id: int) -> None:
    rewrite(school.project_id, "/hives", NEW)
    taken = claim(school.queued(REFRESH, payload={"blog_post_id": post_id}))
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


@pytest.mark.parametrize("stage", ["check_sources", "build_outline", "save_proposal"])
def test_a_job_canceled_at_any_stage_leaves_no_proposal(school: Garden, post_id: int, stage: str) -> None:
    rewrite(school.project_id, "/hives", NEW)
    taken = claim(school.queued(REFRESH, payload={"blog_post_id": post_id}))
    perform_and_cancel_at(stage, OPERATION, school.account_id, taken)
    assert db.session.scalar(select(BlogPostProposal.id)) is None


def test_a_post_that_is_not_there_is_not_found(school: Garden, post_id: int) -> None:
    with pytest.raises(ServiceFailure) as refused:
        school.submit(None, REFRESH, payload={"blog_post_id": post_id + 100})
    assert refused.value.failure.code == "BLOG_POST_NOT_FOUND"
