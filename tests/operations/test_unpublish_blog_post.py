"""Unpublishing a post: the target is told, asked again, and believed only when it says so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from sqlalchemy import select

from app.executions.model import ExecutionJob
from app.executions.states import ACTIVE
from app.failures import ServiceFailure
from app.infra.db import db
from app.operations import unpublish_blog_post
from app.projects.model import Project
from app.publishing import publications, reconcile
from app.publishing.model import PublishTarget
from app.publishing.service import add_target
from app.publishing.targets.base import RemotePost
from tests.support.publishing import (
    Receiver,
    alice_project,
    failure_code,
    fresh,
    post_of,
    publication_of,
    publish,
    state,
    submit,
    unpublish,
)
from tests.support.scheduling import scheduled_in, scheduled_now
from tests.support.servers import Reply, SiteServer

pytestmark = pytest.mark.usefixtures("no_waiting")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def project(db_app: Flask) -> Iterator[Project]:
    yield alice_project()
    db.session.remove()


@pytest.fixture
def receiver(site: SiteServer, project: Project) -> Receiver:
    made = Receiver(site)
    made.add_to(project)
    return made


@pytest.fixture
def post_id(project: Project, receiver: Receiver) -> int:
    post_id = post_of(project).id
    publish(post_id)
    return post_id


def test_an_unpublished_post_is_gone_at_its_target_and_a_draft_here(receiver: Receiver, post_id: int) -> None:
    job = unpublish(post_id)
    assert (job.status, state(post_id)) == ("succeeded", ("unpublished", "draft"))
    assert receiver.posts == {}
    post = fresh(post_id)
    assert (post.published_at, post.published_url) == (None, None)


def test_what_was_planned_at_the_target_is_canceled_and_at_another_one_stays(
    receiver: Receiver, post_id: int
) -> None:
    target = db.session.get_one(PublishTarget, publication_of(post_id).target_id)
    project = db.session.get_one(Project, target.project_id)
    other, _ = add_target(project, "webhook", "Other", {"url": "https://hooks.example.com/posts"})
    planned = scheduled_in(fresh(post_id), target, 3600)
    elsewhere = scheduled_in(fresh(post_id), other, 3600)
    unpublish(post_id)
    assert [scheduled_now(row_id).state for row_id in (planned, elsewhere)] == ["canceled", "waiting"]


def test_a_target_that_still_shows_the_post_is_not_believed(receiver: Receiver, post_id: int) -> None:
    receiver.on_unpublish = lambda: Reply(204)
    job = unpublish(post_id)
    assert failure_code(job) == "UNPUBLISH_NOT_CONFIRMED"
    assert state(post_id) == ("live", "published")
    assert publication_of(post_id).url == fresh(post_id).published_url


@pytest.mark.parametrize(
    ("answer", "code"), [(Reply(400), "PUBLISH_REJECTED"), (Reply(401), "TARGET_AUTH")], ids=["400", "401"]
)
def test_a_target_that_refuses_leaves_the_post_live(
    receiver: Receiver, post_id: int, answer: Reply, code: str
) -> None:
    receiver.on_unpublish = lambda: answer
    assert failure_code(unpublish(post_id)) == code
    assert state(post_id) == ("live", "published")


def test_an_answer_that_was_lost_is_looked_up(receiver: Receiver, post_id: int) -> None:
    def gone_without_an_answer() -> Reply:
        receiver.posts.clear()
        return Reply(hang_up=True)

    receiver.on_unpublish = gone_without_an_answer
    assert unpublish(post_id).status == "succeeded"
    assert state(post_id) == ("unpublished", "draft")
    assert len(receiver.withdrawals) == 1


def test_a_post_that_is_live_nowhere_needs_no_call(project: Project, receiver: Receiver) -> None:
    draft = post_of(project, slug="a-draft").id
    assert unpublish(draft).status == "succeeded"
    assert fresh(draft).status == "draft"
    assert receiver.withdrawals == []


def test_it_stays_published_while_it_is_live_elsewhere(receiver: Receiver, post_id: int) -> None:
    project, secret = db.session.get_one(Project, fresh(post_id).project_id), receiver.secret
    elsewhere = publications.begin(post_id, receiver.add_to(project, "Other").id, 4711)
    publications.record_remote(elsewhere, RemotePost("7", "https://other.example/notes"))
    db.session.commit()
    receiver.secret = secret
    assert unpublish(post_id, target="Hook").status == "succeeded"
    post = fresh(post_id)
    assert (post.status, post.published_url) == ("published", "https://other.example/notes")


def test_a_post_that_is_live_at_several_targets_needs_the_name_of_one(
    receiver: Receiver, post_id: int
) -> None:
    project = db.session.get_one(Project, fresh(post_id).project_id)
    elsewhere = publications.begin(post_id, receiver.add_to(project, "Other").id, 4711)
    publications.record_remote(elsewhere, RemotePost("7", "https://other.example/notes"))
    db.session.commit()
    with pytest.raises(ServiceFailure) as refused:
        submit(post_id, unpublish_blog_post.OPERATION)
    assert refused.value.failure.code == "PUBLISH_TARGET_REQUIRED"


def test_a_post_that_is_being_published_is_not_unpublished(post_id: int) -> None:
    post = fresh(post_id)
    post.status = "publishing"
    db.session.commit()
    with pytest.raises(ServiceFailure) as refused:
        submit(post_id, unpublish_blog_post.OPERATION)
    assert refused.value.failure.code == "PUBLISH_IN_PROGRESS"


def test_a_worker_lost_after_the_call_is_reconciled_by_asking(
    receiver: Receiver, post_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    lease = publications.begin_unpublishing(post_id, publication_of(post_id).target_id, 4711)
    assert lease is not None
    assert fresh(post_id).status == "publishing"
    receiver.posts.clear()
    monkeypatch.setattr(reconcile, "_is_due", lambda _: True)
    reconcile.reconcile_publications(select(ExecutionJob.id).where(ExecutionJob.status.in_(ACTIVE)))
    assert state(post_id) == ("unpublished", "draft")


def test_after_an_unclear_unpublishing_the_next_publishing_asks_the_target(
    receiver: Receiver, post_id: int
) -> None:
    def gone_without_an_answer() -> Reply:
        receiver.posts.clear()
        receiver.on_lookup = lambda: Reply(503)
        return Reply(hang_up=True)

    receiver.on_unpublish = gone_without_an_answer
    assert failure_code(unpublish(post_id)) == "UNPUBLISH_NOT_CONFIRMED"
    assert state(post_id) == ("unknown", "published")
    asked = len(receiver.lookups)
    publish(post_id)
    assert len(receiver.lookups) > asked


def test_an_outage_before_the_call_leaves_the_post_live(receiver: Receiver, post_id: int) -> None:
    receiver.on_lookup = lambda: Reply(503)
    assert failure_code(unpublish(post_id)) == "PUBLISH_ENDPOINT_FAILED"
    assert state(post_id) == ("live", "published")
