"""Rolling back, on both databases: a published post is never deleted, a deleted one never published."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select, update

from app.content.model import BlogPost
from app.content.posts.keyword_coverage import refresh_due_coverage
from app.executions.claims import Claim, claim_job
from app.executions.queries import get_job
from app.executions.rollback import obstacles, roll_back, rollback_view
from app.failures import ServiceFailure, failure
from app.infra.db import db
from app.keywords.model import Keyword
from app.keywords.service import add_keyword
from app.operations.base import JobResult
from app.projects.model import Project
from app.publishing import publications, reconcile
from app.publishing.lease import PublicationLease
from app.publishing.model import Publication, PublishTarget
from app.publishing.targets.base import NOT_DELIVERED, UNKNOWN, PublishProblem, RemotePost
from tests.executions.conftest import (
    SYNC,
    Garden,
    check_history,
    events,
    finish,
    history,
    job_of,
    making_a_post,
    race,
)
from tests.support.plans import plans
from tests.support.quick import examples
from tests.support.together import together
from tests.support.working import run_job

PUBLISHER = 9000
URL = "https://alice.example/blog/made"


@pytest.fixture
def job_id(garden: Garden) -> int:
    """A generation that has succeeded."""
    made = garden.queued()
    run_job(made)
    return made


@pytest.fixture
def target_id(garden: Garden) -> int:
    target = PublishTarget(
        project_id=garden.project_id, name="Blog", kind="webhook", settings={"url": "http://127.0.0.1:9/"}
    )
    db.session.add(target)
    db.session.commit()
    return target.id


def post_id(job_id: int) -> int | None:
    db.session.rollback()
    found = db.session.scalar(select(BlogPost.id).where(BlogPost.job_id == job_id))
    db.session.rollback()
    return found


def posts_for_the_keyword() -> int | None:
    db.session.rollback()
    found = db.session.scalar(select(Keyword.covered_posts))
    db.session.rollback()
    return found


def begun(job_id: int, target_id: int) -> PublicationLease:
    found = post_id(job_id)
    assert found is not None
    return publications.begin(found, target_id, PUBLISHER)


def published(job_id: int, target_id: int) -> PublicationLease:
    lease = begun(job_id, target_id)
    publications.record_remote(lease, RemotePost("1", URL))
    db.session.commit()
    return lease


def missed(lease: PublicationLease, outcome: str) -> None:
    publications.record_failure(lease, PublishProblem(failure("PUBLISH_ENDPOINT_FAILED"), outcome))
    db.session.commit()


def rolled_back(garden: Garden, job_id: int) -> str:
    """What a rollback answers: the state, or the code of its refusal."""
    try:
        state = roll_back(get_job(garden.account_id, job_id)).rollback_state
    except ServiceFailure as refused:
        state = refused.failure.code
    db.session.rollback()
    return state or ""


def shown(job_id: int) -> dict[str, Any]:
    """What the job says of its rollback."""
    job = job_of(job_id)
    view = rollback_view(job, obstacles([job]).get(job_id))
    db.session.rollback()
    return view


def test_a_rolled_back_post_is_soon_no_longer_counted_for_its_keywords(garden: Garden, job_id: int) -> None:
    add_keyword(db.session.get_one(Project, garden.project_id), {"keyword_text": "garden notes"})
    db.session.execute(update(BlogPost).where(BlogPost.job_id == job_id).values(keywords=["garden notes"]))
    db.session.commit()
    refresh_due_coverage(10)
    assert posts_for_the_keyword() == 1
    roll_back(job_of(job_id))
    refresh_due_coverage(10)
    assert posts_for_the_keyword() == 0


def test_a_rollback_deletes_the_draft_and_keeps_the_jobs_status(garden: Garden, job_id: int) -> None:
    post = post_id(job_id)
    assert shown(job_id)["state"] == "available"
    assert rolled_back(garden, job_id) == "completed"
    job = job_of(job_id)
    assert post_id(job_id) is None
    assert (job.status, job.reverted_blog_post_id) == ("succeeded", post)
    view = shown(job_id)
    assert (view["state"], view["reverted_blog_post_id"]) == ("completed", post)
    assert view["executed_at"]
    line = history(job_id)[-1]
    assert (line.event, line.status, line.details) == (
        "JOB_ROLLBACK_COMPLETED", "succeeded", {"blog_post_id": post},
    )  # fmt: skip
    check_history(job_id)


def test_rolling_back_again_is_a_success_that_changes_nothing(garden: Garden, job_id: int) -> None:
    rolled_back(garden, job_id)
    before = (shown(job_id), events(job_id))
    assert rolled_back(garden, job_id) == "completed"
    assert (shown(job_id), events(job_id)) == before


def test_rollbacks_at_once_are_one(app: Flask, garden: Garden, job_id: int) -> None:
    assert set(together(app, lambda: rolled_back(garden, job_id), 8)) == {"completed"}
    assert events(job_id).count("JOB_ROLLBACK_COMPLETED") == 1


def test_only_generations_are_rolled_back(garden: Garden) -> None:
    garden.set_project(sitemap_url="https://alice.example/sitemap.xml")
    taken = garden.claimed(SYNC)
    finish(taken)
    assert rolled_back(garden, taken.job_id) == "ROLLBACK_NOT_SUPPORTED"
    view = shown(taken.job_id)
    assert (view["supported"], view["state"], view["hook"]) == (False, "unavailable", None)


def test_only_a_job_that_succeeded_is_rolled_back(garden: Garden) -> None:
    made = garden.queued()
    assert rolled_back(garden, made) == "ROLLBACK_NOT_ALLOWED"
    assert shown(made)["state"] == "unavailable"
    assert "becomes available" in shown(made)["summary"]
    claim_job(made)
    assert rolled_back(garden, made) == "ROLLBACK_NOT_ALLOWED"
    assert events(made) == ["JOB_CREATED", "JOB_STARTED"]


def test_a_published_post_blocks_the_rollback(garden: Garden, job_id: int, target_id: int) -> None:
    published(job_id, target_id)
    before = shown(job_id)
    with pytest.raises(ServiceFailure) as refused:
        roll_back(get_job(garden.account_id, job_id))
    found = refused.value.failure
    assert (found.code, found.kind.category) == ("ROLLBACK_REQUIRES_MANUAL_UNPUBLISH", "policy")
    assert "was published" in found.message
    assert "Blog" in found.hints[0]
    assert URL in found.hints[0]
    view = shown(job_id)
    assert (view["state"], view["summary"]) == ("blocked", found.message)
    assert view == before
    assert post_id(job_id) is not None
    check_history(job_id)


def test_a_blocked_rollback_is_recorded_once_in_the_history(
    app: Flask, garden: Garden, job_id: int, target_id: int
) -> None:
    published(job_id, target_id)
    answers = together(app, lambda: rolled_back(garden, job_id), 6)
    answers.append(rolled_back(garden, job_id))
    assert set(answers) == {"ROLLBACK_REQUIRES_MANUAL_UNPUBLISH"}
    assert events(job_id).count("JOB_ROLLBACK_BLOCKED") == 1


def test_an_unknown_publication_blocks_the_rollback_too(garden: Garden, job_id: int, target_id: int) -> None:
    lease = begun(job_id, target_id)
    publications.mark_sending(lease, "0" * 64)
    missed(lease, UNKNOWN)
    assert shown(job_id)["state"] == "blocked"
    with pytest.raises(ServiceFailure) as refused:
        roll_back(get_job(garden.account_id, job_id))
    found = refused.value.failure
    assert found.code == "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH"
    assert "may have been published" in found.message
    assert "Blog" in found.hints[0]
    assert "Unpublish" not in " ".join(found.hints)
    assert shown(job_id)["summary"] == found.message
    assert post_id(job_id) is not None
    reconcile.confirm_live(db.session.get_one(Project, garden.project_id), lease.publication_id, URL)
    assert "was published" in shown(job_id)["summary"]


def test_a_post_that_is_being_published_is_not_rolled_back_yet(
    garden: Garden, job_id: int, target_id: int
) -> None:
    lease = begun(job_id, target_id)
    assert rolled_back(garden, job_id) == "ROLLBACK_PUBLISH_IN_PROGRESS"
    assert (shown(job_id)["state"], "right now" in shown(job_id)["summary"]) == ("blocked", True)
    missed(lease, NOT_DELIVERED)
    assert shown(job_id)["state"] == "available"
    assert rolled_back(garden, job_id) == "completed"


def test_a_post_that_returned_to_draft_is_rolled_back_after_all(
    garden: Garden, job_id: int, target_id: int
) -> None:
    lease = published(job_id, target_id)
    assert rolled_back(garden, job_id) == "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH"
    assert shown(job_id)["state"] == "blocked"
    reconcile.confirm_gone(db.session.get_one(Project, garden.project_id), lease.publication_id)
    assert (shown(job_id)["state"], "published" in shown(job_id)["summary"]) == ("available", False)
    assert rolled_back(garden, job_id) == "completed"
    assert events(job_id)[-2:] == ["JOB_ROLLBACK_BLOCKED", "JOB_ROLLBACK_COMPLETED"]
    check_history(job_id)


def test_a_draft_that_somebody_deleted_counts_as_rolled_back(garden: Garden, job_id: int) -> None:
    gone = post_id(job_id)
    db.session.delete(db.session.get_one(BlogPost, gone))
    db.session.commit()
    assert rolled_back(garden, job_id) == "completed"
    assert job_of(job_id).reverted_blog_post_id == gone


def test_the_rollback_states_of_any_number_of_jobs_take_one_query(garden: Garden, target_id: int) -> None:
    ids = []
    for number in range(4):
        taken = garden.claimed()
        made = partial(making_a_post, garden, taken.job_id, f"made-{number}")
        finish(taken, JobResult(effect=made))
        if number % 2:
            published(taken.job_id, target_id)
        ids.append(taken.job_id)
    jobs = [job_of(each) for each in ids]
    assert sorted(obstacles(jobs)) == ids[1::2]
    assert len(plans(lambda: obstacles(jobs), lambda _statement: True)) == 1


def test_a_rollback_and_a_publish_at_once_never_both_happen(
    app: Flask, garden: Garden, target_id: int
) -> None:
    outcomes = set()
    for _ in range(examples(50)):
        job_id = garden.claimed().job_id
        taken = Claim(job_id, garden.project_id, "GENERATE_BLOG_POST", {}, 1, 1, "")
        finish(taken, JobResult(effect=lambda job=job_id: making_a_post(garden, job, f"made-{job}")))
        post = post_id(job_id)
        assert post is not None

        def publish(post: int = post) -> None:
            lease = publications.begin(post, target_id, PUBLISHER)
            assert publications.mark_sending(lease, "0" * 64)
            assert publications.record_remote(lease, RemotePost("1", URL))
            db.session.commit()

        answer, refusal = race(app, lambda job=job_id: rolled_back(garden, job), publish)
        state = db.session.scalar(select(Publication.state).where(Publication.blog_post_id == post))
        if answer == "completed":
            assert isinstance(refusal, ServiceFailure)
            assert (post_id(job_id), state) == (None, None)
        else:
            assert refusal is None
            assert (post_id(job_id), state) == (post, "live")
            assert job_of(job_id).rollback_state != "completed"
        outcomes.add(answer)
        check_history(job_id)
    assert outcomes <= {
        "completed", "ROLLBACK_PUBLISH_IN_PROGRESS", "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH",
    }  # fmt: skip
    assert not db.session.scalar(
        select(func.count()).select_from(BlogPost).where(BlogPost.status != "published")
    )
