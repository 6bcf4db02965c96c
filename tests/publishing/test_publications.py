"""The steps of a publication on both databases: one post, one target, one publication."""

from __future__ import annotations

import threading

import pytest
from flask import Flask
from sqlalchemy import update

from app.content.model import BlogPost
from app.failures import ServiceFailure, failure
from app.infra.clock import utc_now
from app.infra.db import db
from app.projects.model import Project
from app.publishing import publications, service
from app.publishing.lease import PublicationLease, lease_unchanged
from app.publishing.model import MAYBE_LIVE, Publication, PublishTarget
from app.publishing.targets.base import NOT_DELIVERED, UNKNOWN, PublishProblem, RemotePost
from tests.support.publishing import fresh, publication_of
from tests.support.waiting import PATIENCE

LIVE = RemotePost("31", "https://alice.example/blog/garden-notes")


def target_id(project: Project, name: str = "Hook") -> int:
    target = PublishTarget(
        project_id=project.id, name=name, kind="webhook", settings={"url": "http://127.0.0.1:9/"}, secret=None
    )
    db.session.add(target)
    db.session.commit()
    return target.id


def problem(outcome: str) -> PublishProblem:
    return PublishProblem(
        failure("PUBLISH_ENDPOINT_FAILED"), UNKNOWN if outcome == "unknown" else NOT_DELIVERED
    )


def record_live(lease: PublicationLease, delivered: RemotePost = LIVE) -> bool:
    done = publications.record_remote(lease, delivered)
    db.session.commit()
    return done


def record_failure(lease: PublicationLease, outcome: str) -> bool:
    done = publications.record_failure(lease, problem(outcome))
    db.session.commit()
    return done


def test_a_publication_is_stored_before_anything_is_sent(project: Project, post_id: int) -> None:
    lease = publications.begin(post_id, target_id(project), 1)
    row = publication_of(post_id)
    assert (row.state, row.job_id, row.publication_id) == ("intent", 1, lease.publication_id)
    assert row.publication_id.startswith("pub_")
    assert len(row.content_sha256) == 64
    assert fresh(post_id).status == "publishing"


def test_a_second_job_cannot_publish_a_post_that_is_being_published(project: Project, post_id: int) -> None:
    first, second = target_id(project), target_id(project, "Other")
    publications.begin(post_id, first, 1)
    for target in (first, second):
        with pytest.raises(ServiceFailure) as refused:
            publications.begin(post_id, target, 2)
        assert refused.value.failure.code == "PUBLISH_IN_PROGRESS"
    assert db.session.query(Publication).count() == 1


def test_only_one_of_many_concurrent_jobs_begins_to_publish(
    app: Flask, project: Project, post_id: int
) -> None:
    target = target_id(project)
    db.session.remove()
    together = threading.Barrier(4)
    codes: list[str] = []

    def begin(job_id: int) -> None:
        with app.app_context():
            together.wait(PATIENCE)
            try:
                publications.begin(post_id, target, job_id)
                codes.append("begun")
            except ServiceFailure as error:
                codes.append(error.failure.code)
            finally:
                db.session.remove()

    threads = [threading.Thread(target=begin, args=(job_id,)) for job_id in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(codes) == ["PUBLISH_IN_PROGRESS"] * 3 + ["begun"]
    assert db.session.query(Publication).count() == 1


def test_the_next_attempt_of_a_job_continues_its_publication(project: Project, post_id: int) -> None:
    target = target_id(project)
    first = publications.begin(post_id, target, 1)
    assert publications.begin(post_id, target, 1).state == "intent"
    assert publications.mark_sending(first, "a" * 64)
    again = publications.begin(post_id, target, 1)
    assert (again.id, again.publication_id, again.state) == (first.id, first.publication_id, "sending")


def test_a_publication_of_unknown_outcome_is_taken_over_under_its_own_id(
    project: Project, post_id: int
) -> None:
    target = target_id(project)
    first = publications.begin(post_id, target, 1)
    publications.mark_sending(first, "a" * 64)
    assert record_failure(first, "unknown")
    assert (publication_of(post_id).state, fresh(post_id).status) == ("unknown", "draft")
    again = publications.begin(post_id, target, 2)
    assert (again.id, again.publication_id, again.state) == (first.id, first.publication_id, "sending")
    assert not publications.mark_sending(first, "b" * 64), "the first job has lost it"
    assert publications.mark_sending(again, "b" * 64)


def test_beginning_a_publication_that_is_current_changes_nothing(project: Project, post_id: int) -> None:
    target = target_id(project)
    record_live(publications.begin(post_id, target, 1))
    again = publications.begin(post_id, target, 2)
    assert again.state == "live"
    assert fresh(post_id).status == "published"
    assert publication_of(post_id).job_id == 1


def test_recording_a_live_publication_publishes_and_dates_the_post(project: Project, post_id: int) -> None:
    assert record_live(publications.begin(post_id, target_id(project), 1))
    post, row = fresh(post_id), publication_of(post_id)
    assert (post.status, post.published_url) == ("published", LIVE.url)
    assert (row.state, row.external_id, row.url) == ("live", "31", LIVE.url)
    assert row.published_at == post.published_at is not None
    assert post.json_ld[0]["mainEntityOfPage"] == {"@type": "WebPage", "@id": LIVE.url}
    assert post.json_ld[0]["datePublished"].endswith("Z")


def test_a_publication_is_recorded_as_live_only_once(project: Project, post_id: int) -> None:
    lease = publications.begin(post_id, target_id(project), 1)
    assert record_live(lease)
    assert not record_live(lease, RemotePost("32", "https://alice.example/other"))
    assert not record_failure(lease, "not_delivered")
    assert publication_of(post_id).external_id == "31"


def test_a_post_that_was_not_delivered_is_a_draft_again(project: Project, post_id: int) -> None:
    target = target_id(project)
    lease = publications.begin(post_id, target, 1)
    assert record_failure(lease, "not_delivered")
    row = publication_of(post_id)
    assert (row.state, fresh(post_id).status) == ("failed", "draft")
    assert row.state not in MAYBE_LIVE
    assert row.failure is not None
    assert row.failure["code"] == "PUBLISH_ENDPOINT_FAILED"
    assert publications.begin(post_id, target, 2).publication_id != lease.publication_id


def test_a_post_stays_published_when_a_second_target_fails(project: Project, post_id: int) -> None:
    record_live(publications.begin(post_id, target_id(project), 1))
    second = publications.begin(post_id, target_id(project, "Other"), 2)
    assert fresh(post_id).status == "publishing"
    record_failure(second, "not_delivered")
    post = fresh(post_id)
    assert (post.status, post.published_url) == ("published", LIVE.url)


def test_the_address_at_the_first_target_stays_the_post_s_address(project: Project, post_id: int) -> None:
    record_live(publications.begin(post_id, target_id(project), 1))
    first = fresh(post_id).published_at
    record_live(
        publications.begin(post_id, target_id(project, "Other"), 2), RemotePost("9", "https://bob.example/x")
    )
    post = fresh(post_id)
    assert (post.published_at, post.published_url) == (first, LIVE.url)


def test_recording_one_publication_does_not_end_another_in_progress(project: Project, post_id: int) -> None:
    first = publications.begin(post_id, target_id(project), 1)
    record_failure(first, "unknown")
    seen = lease_unchanged(publication_of(post_id))
    second = publications.begin(post_id, target_id(project, "Other"), 2)
    assert record_live(seen)
    assert fresh(post_id).status == "publishing"
    record_failure(second, "not_delivered")
    assert fresh(post_id).status == "published"


def test_a_lease_ends_when_the_publication_is_changed(project: Project, post_id: int) -> None:
    lease = publications.begin(post_id, target_id(project), 1)
    seen = lease_unchanged(publication_of(post_id))
    publications.mark_sending(lease, "a" * 64)
    assert not record_live(seen)
    assert record_live(lease_unchanged(publication_of(post_id)))


@pytest.mark.parametrize("changed", [{"job_id": 2}, {"state": "sending"}, {"updated_at": utc_now()}])
def test_a_lease_ends_whatever_is_changed(project: Project, post_id: int, changed: dict[str, object]) -> None:
    publications.begin(post_id, target_id(project), 1)
    seen = lease_unchanged(publication_of(post_id))
    db.session.execute(
        update(Publication).values({"updated_at": publication_of(post_id).updated_at, **changed})
    )
    db.session.commit()
    assert not record_live(seen)


def test_a_missing_post_or_target_is_refused(project: Project, post_id: int) -> None:
    target = target_id(project)
    with pytest.raises(ServiceFailure) as no_post:
        publications.begin(post_id + 1000, target, 1)
    with pytest.raises(ServiceFailure) as no_target:
        publications.begin(post_id, target + 1000, 1)
    codes = [refused.value.failure.code for refused in (no_post, no_target)]
    assert codes == ["BLOG_POST_NOT_FOUND", "PUBLISH_TARGET_MISSING"]
    assert fresh(post_id).status == "draft"


def test_a_rolled_back_transaction_leaves_the_publication_open(project: Project, post_id: int) -> None:
    lease = publications.begin(post_id, target_id(project), 1)
    publications.mark_sending(lease, "a" * 64)
    assert publications.record_remote(lease, LIVE)
    db.session.rollback()
    assert publication_of(post_id).state == "sending"
    assert db.session.get_one(BlogPost, post_id).status == "publishing"


def test_a_post_that_may_be_live_is_not_made_a_draft_at_its_target(project: Project, post_id: int) -> None:
    target = target_id(project)
    record_live(publications.begin(post_id, target, 1))
    lease = publications.begin_unpublishing(post_id, target, 2)
    assert lease is not None
    publications.record_end(lease, "unknown")
    db.session.commit()
    with pytest.raises(ServiceFailure) as refused:
        publications.begin(post_id, target, 3, "draft")
    assert refused.value.failure.code == "INVALID_REQUEST"


def test_nothing_is_published_at_a_target_that_was_removed_meanwhile(project: Project, post_id: int) -> None:
    target = target_id(project)
    service.remove_target(db.session.get_one(PublishTarget, target))
    with pytest.raises(ServiceFailure) as refused:
        publications.begin(post_id, target, 1)
    assert refused.value.failure.code == "PUBLISH_TARGET_MISSING"
    assert fresh(post_id).status == "draft"
