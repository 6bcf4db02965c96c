"""PUBLISH_BLOG_POST through the real runner, against a real receiver, on both databases."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from flask import Flask

from app.executions import service
from app.executions.model import ExecutionJob
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from app.operations.publish_blog_post import (
    admit,
    already_published,
)
from app.projects.model import Project
from app.publishing import publications
from app.publishing.document import content_sha256
from app.publishing.model import Publication, PublishTarget
from tests.support.publishing import (
    TEXT,
    Receiver,
    failure_code,
    fresh,
    job_now,
    once,
    post_of,
    project_of,
    publication_of,
    publish,
    state,
    submit,
)
from tests.support.servers import Reply, SiteServer
from tests.support.working import run_job

pytestmark = pytest.mark.usefixtures("no_waiting")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def post_id(project: Project) -> int:
    return post_of(project).id


def test_a_post_is_published_once_and_the_job_returns_its_address(receiver: Receiver, post_id: int) -> None:
    job = publish(post_id)
    publication = publication_of(post_id)
    publication_id = publication.publication_id
    assert job.status == "succeeded"
    assert job.result == {
        "blog_post_id": post_id,
        "target_id": publication.target_id,
        "publication_id": publication_id,
        "external_id": "1",
        "url": "https://alice.example/blog/garden-notes",
        "state": "live",
        "public_url_status": None,
        "warnings": [],
    }
    assert state(post_id) == ("live", "published")
    assert receiver.posts[publication_id]["content"] == TEXT
    assert receiver.posts[publication_id]["content_html"].startswith("<p>Good notes")
    assert receiver.posts[publication_id]["json_ld"][0]["datePublished"]
    assert len(receiver.deliveries) == 1


def test_publishing_an_unchanged_post_again_sends_nothing(receiver: Receiver, post_id: int) -> None:
    first = publish(post_id).result
    again = publish(post_id)
    assert (again.status, again.result) == ("succeeded", first)
    assert (len(receiver.deliveries), publication_of(post_id).override) == (1, None)
    publication = already_published(fresh(post_id), db.session.query(PublishTarget).one())
    assert publication is not None
    assert publication.external_id == "1"


def test_a_job_cannot_publish_the_post_of_another_project(receiver: Receiver, post_id: int) -> None:
    job_id, other = submit(post_id), post_of(project_of("bob")).id
    job = db.session.get_one(ExecutionJob, job_id)
    job.payload = {**job.payload, "blog_post_id": other}
    db.session.commit()
    run_job(job_id)
    assert failure_code(job_now(job_id)) == "BLOG_POST_NOT_FOUND"
    assert (receiver.deliveries, fresh(other).status) == ([], "draft")


@pytest.mark.parametrize("lost", [Reply(hang_up=True), Reply(500), Reply(200, body=b"thanks")])
def test_a_lost_answer_is_followed_by_a_lookup(receiver: Receiver, post_id: int, lost: Reply) -> None:
    receiver.after = once(lost)
    assert publish(post_id).status == "succeeded"
    assert state(post_id) == ("live", "published")
    assert (len(receiver.deliveries), len(receiver.lookups), len(receiver.posts)) == (1, 1, 1)


@pytest.mark.parametrize("lost", [Reply(hang_up=True), Reply(502)])
def test_a_lost_request_is_sent_again_under_its_id_after_three_lookups(
    receiver: Receiver, post_id: int, lost: Reply
) -> None:
    receiver.before = once(lost)
    assert publish(post_id).status == "succeeded"
    ids = {request.headers["webhook-id"] for request in receiver.deliveries}
    assert ids == {publication_of(post_id).publication_id}
    assert (len(receiver.deliveries), len(receiver.lookups), len(receiver.posts)) == (2, 3, 1)


def test_a_post_stays_a_draft_if_the_target_loses_every_request(receiver: Receiver, post_id: int) -> None:
    receiver.before = lambda: Reply(500)
    job = publish(post_id)
    assert (job.status, failure_code(job)) == ("failed", "PUBLISH_ENDPOINT_FAILED")
    assert state(post_id) == ("failed", "draft")
    assert (len(receiver.deliveries), len(receiver.lookups)) == (2, 6)


def test_nothing_is_sent_again_to_a_target_without_a_clear_answer(receiver: Receiver, post_id: int) -> None:
    receiver.after = lambda: Reply(hang_up=True)
    receiver.on_lookup = lambda: Reply(400)
    job = publish(post_id)
    assert (job.status, failure_code(job)) == ("failed", "PUBLISH_ENDPOINT_FAILED")
    assert state(post_id) == ("unknown", "draft")
    publish(post_id)
    assert state(post_id) == ("unknown", "draft")
    assert len(receiver.deliveries) == 1


def test_a_post_that_was_taken_with_a_bad_answer_is_unknown_and_not_refused(
    receiver: Receiver, post_id: int
) -> None:
    receiver.after = once(Reply(200, {}, b"thanks"))
    receiver.on_lookup = lambda: Reply(400)
    job = publish(post_id)
    assert (job.status, failure_code(job)) == ("failed", "PUBLISH_UNCLEAR")
    assert state(post_id) == ("unknown", "draft")
    receiver.on_lookup = lambda: None
    assert publish(post_id).status == "succeeded"
    assert len(receiver.deliveries) == 1


def test_publishing_again_after_an_unknown_outcome_finds_the_post(receiver: Receiver, post_id: int) -> None:
    receiver.after = once(Reply(hang_up=True))
    receiver.on_lookup = lambda: Reply(503)
    publish(post_id)
    receiver.on_lookup = lambda: None
    assert publish(post_id).status == "succeeded"
    assert state(post_id) == ("live", "published")
    assert (len(receiver.deliveries), db.session.query(Publication).count()) == (1, 1)


def test_publishing_again_after_an_unknown_outcome_sends_a_missing_post(
    receiver: Receiver, post_id: int
) -> None:
    receiver.before = once(Reply(hang_up=True))
    receiver.on_lookup = lambda: Reply(503)
    publish(post_id)
    receiver.on_lookup = lambda: None
    assert publish(post_id).status == "succeeded"
    ids = {request.headers["webhook-id"] for request in receiver.deliveries}
    assert (len(receiver.deliveries), len(ids), len(receiver.posts)) == (2, 1, 1)


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (400, "PUBLISH_REJECTED"),
        (308, "PUBLISH_REJECTED"),
        (401, "TARGET_AUTH"),
        (429, "TARGET_RATE_LIMITED"),
    ],
)
def test_a_refusal_leaves_a_draft_that_can_be_published_later(
    receiver: Receiver, post_id: int, status: int, code: str
) -> None:
    receiver.before = once(Reply(status))
    job = publish(post_id)
    assert (job.status, job.attempt, failure_code(job)) == ("failed", 1, code)
    assert state(post_id) == ("failed", "draft")
    assert receiver.lookups == []
    assert publish(post_id).status == "succeeded"
    assert db.session.query(Publication).count() == 2


def test_a_worker_lost_after_sending_is_followed_by_a_lookup_only(receiver: Receiver, post_id: int) -> None:
    job_id = submit(post_id)
    target_id = db.session.query(PublishTarget).one().id
    lease = publications.begin(post_id, target_id, job_id)
    publications.mark_sending(lease, content_sha256(fresh(post_id)))
    receiver.posts[lease.publication_id] = {"slug": "garden-notes"}
    run_job(job_id)
    assert job_now(job_id).status == "succeeded"
    assert state(post_id) == ("live", "published")
    assert receiver.deliveries == []


def test_a_worker_lost_before_sending_sends_under_the_same_id(receiver: Receiver, post_id: int) -> None:
    job_id = submit(post_id)
    lease = publications.begin(post_id, db.session.query(PublishTarget).one().id, job_id)
    run_job(job_id)
    assert list(receiver.posts) == [lease.publication_id]
    assert receiver.lookups == []


def test_a_job_canceled_while_it_sends_writes_nothing(app: Flask, receiver: Receiver, post_id: int) -> None:
    job_id = submit(post_id)

    def canceled() -> Reply | None:
        with app.app_context():
            service.cancel(db.session.get_one(ExecutionJob, job_id))
            db.session.remove()
        return None

    receiver.after = canceled
    run_job(job_id)
    assert job_now(job_id).status == "canceled"
    assert state(post_id) == ("sending", "publishing"), "the reconciliation looks it up"


def test_the_gate_checks_again_before_anything_is_sent(receiver: Receiver, post_id: int) -> None:
    job_id = submit(post_id)
    fresh(post_id).content = TEXT + "\nMore in {{ link }} soon."
    db.session.commit()
    run_job(job_id)
    assert failure_code(job_now(job_id)) == "PUBLISH_QUALITY_GATE_BLOCKED"
    assert state(post_id) == ("failed", "draft")
    assert receiver.deliveries == []


OVERRIDE = {"override_quality_gate": True, "override_reason": "The braces are an example."}


def test_an_override_is_stored_with_the_publication(project: Project, receiver: Receiver) -> None:
    post_id = post_of(project, content=TEXT + "\nMore in {{ link }} soon.").id
    assert publish(post_id, **OVERRIDE).status == "succeeded"
    kept = publication_of(post_id).override
    assert kept is not None
    assert (kept["by"], kept["reason"]) == ("Alice", "The braces are an example.")
    assert abs(datetime.fromisoformat(kept["at"]) - utc_now()) < timedelta(minutes=1)
    assert [(check["code"], check["passed"]) for check in kept["checks"]] == [("PLACEHOLDER_TEXT", False)]
    assert fresh(post_id).warnings == []


def test_an_override_is_stored_even_if_the_worker_is_lost_after_sending(
    project: Project, receiver: Receiver
) -> None:
    post_id = post_of(project, content=TEXT + "\nMore in {{ link }} soon.").id
    receiver.after = once(Reply(hang_up=True))
    receiver.on_lookup = lambda: Reply(503)
    publish(post_id, **OVERRIDE)
    kept = publication_of(post_id).override
    assert kept is not None
    receiver.on_lookup = lambda: None
    publish(post_id, override_quality_gate=True, override_reason="Another reason.")
    assert (publication_of(post_id).state, publication_of(post_id).override) == ("live", kept)


def test_refusals_come_in_the_order_post_in_progress_target_gate(
    project: Project, receiver: Receiver
) -> None:
    post = post_of(project, content="")
    cases = [
        ({"blog_post_id": post.id + 1000, "target": "No such"}, "draft", "BLOG_POST_NOT_FOUND"),
        ({"blog_post_id": post.id, "target": "No such"}, "publishing", "PUBLISH_IN_PROGRESS"),
        ({"blog_post_id": post.id, "target": "No such"}, "draft", "PUBLISH_TARGET_MISSING"),
        ({"blog_post_id": post.id, "target": "Hook"}, "draft", "PUBLISH_QUALITY_GATE_BLOCKED"),
    ]
    for payload, status, code in cases:
        post.status = status
        db.session.commit()
        with pytest.raises(ServiceFailure) as refused:
            admit(project, payload)
        assert refused.value.failure.code == code


def test_another_project_s_post_is_not_found(project: Project, receiver: Receiver, post_id: int) -> None:
    url = "https://bob.example/"
    other = Project(account_id=project.account_id, name="Other", url=url)
    db.session.add(other)
    db.session.commit()
    with pytest.raises(ServiceFailure) as refused:
        admit(other, {"blog_post_id": post_id, "target": None})
    assert refused.value.failure.code == "BLOG_POST_NOT_FOUND"
