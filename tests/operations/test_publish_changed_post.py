"""Publishing a changed post again: an update of the same publication, once, on both databases."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from app.content.posts.service import edit_post
from app.executions.model import ExecutionJob
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from app.operations.publish_blog_post import admit
from app.projects.model import Project
from app.publishing import publications, reconcile
from app.publishing.document import content_sha256
from app.publishing.model import Publication
from tests.support.publishing import (
    TEXT,
    Receiver,
    failure_code,
    fresh,
    job_now,
    once,
    post_of,
    publication_of,
    publish,
    state,
    submit,
)
from tests.support.servers import Reply, SiteServer
from tests.support.working import run_job

pytestmark = pytest.mark.usefixtures("no_waiting")

CHANGED = TEXT + "\nA corrected sentence ends the text.\n"


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def live(project: Project, receiver: Receiver) -> int:
    """The id of a post that was published and changed since; its first delivery is forgotten."""
    post_id = post_of(project).id
    assert publish(post_id).status == "succeeded"
    edit(post_id, content=CHANGED)
    receiver.deliveries.clear()
    return post_id


def edit(post_id: int, **changes: str) -> None:
    post = fresh(post_id)
    edit_post(post, post.version, changes)


def text_there(receiver: Receiver) -> str:
    (post,) = receiver.posts.values()
    return str(post["content"])


def is_outdated(post_id: int) -> bool:
    publication = publication_of(post_id)
    return bool(publications.outdated(fresh(post_id), [publication]))


def test_a_changed_text_is_sent_once_under_the_same_publication(receiver: Receiver, live: int) -> None:
    assert is_outdated(live)
    first = publication_of(live)
    publication_id, published_at = first.publication_id, fresh(live).published_at
    results = [publish(live).result or {} for _ in range(2)]
    assert [result["publication_id"] for result in results] == [publication_id, publication_id]
    (update,) = receiver.deliveries
    assert update.headers["webhook-id"] == f"{publication_id}:{fresh(live).version}"
    assert (text_there(receiver), state(live)) == (CHANGED, ("live", "published"))
    assert not is_outdated(live)
    assert fresh(live).published_at == published_at, "the date of the posting stays"
    assert publication_of(live).published_at is not None
    assert db.session.query(Publication).count() == 1


def test_a_text_that_is_restored_is_another_update(receiver: Receiver, live: int) -> None:
    for text in (CHANGED, TEXT, CHANGED):
        edit(live, content=text)
        publish(live)
        assert text_there(receiver) == text
    assert len({request.headers["webhook-id"] for request in receiver.deliveries}) == 3


def test_a_change_that_was_reverted_needs_no_update(receiver: Receiver, live: int) -> None:
    edit(live, content=TEXT)
    assert not is_outdated(live)
    assert publish(live).status == "succeeded"
    assert receiver.deliveries == []


def test_an_update_may_move_the_post(receiver: Receiver, live: int) -> None:
    edit(live, slug="notes-that-help")
    publish(live)
    moved = "https://alice.example/blog/notes-that-help"
    assert (fresh(live).published_url, publication_of(live).url) == (moved, moved)
    assert fresh(live).json_ld[0]["mainEntityOfPage"]["@id"] == moved


def test_the_gate_checks_updates_too(live: int) -> None:
    edit(live, content=TEXT + "\nMore in {{ link }} soon.")
    project = db.session.get_one(Project, fresh(live).project_id)
    with pytest.raises(ServiceFailure) as refused:
        admit(project, {"blog_post_id": live, "target": None})
    assert refused.value.failure.code == "PUBLISH_QUALITY_GATE_BLOCKED"


@pytest.mark.parametrize("lost", [Reply(hang_up=True), Reply(502)])
def test_an_update_with_a_lost_answer_is_looked_up_and_not_sent_again(
    receiver: Receiver, live: int, lost: Reply
) -> None:
    receiver.after = once(lost)
    assert publish(live).status == "succeeded"
    assert (len(receiver.deliveries), len(receiver.lookups), is_outdated(live)) == (1, 1, False)


def test_a_lost_update_is_sent_again_under_its_id_after_three_lookups(receiver: Receiver, live: int) -> None:
    receiver.before = once(Reply(502))
    assert publish(live).status == "succeeded"
    assert len({request.headers["webhook-id"] for request in receiver.deliveries}) == 1
    assert (len(receiver.deliveries), len(receiver.lookups)) == (2, 3)
    assert text_there(receiver) == CHANGED


@pytest.mark.parametrize("status", [400, 401, 429])
def test_a_refused_update_leaves_the_post_live_as_it_was(receiver: Receiver, live: int, status: int) -> None:
    receiver.before = once(Reply(status))
    assert publish(live).status == "failed"
    assert (state(live), is_outdated(live), text_there(receiver)) == (("live", "published"), True, TEXT)
    assert publication_of(live).failure is not None
    assert publish(live).status == "succeeded"
    assert (text_there(receiver), receiver.lookups) == (CHANGED, [])
    assert publication_of(live).failure is None


def test_after_an_update_of_unknown_outcome_the_target_is_asked_first(receiver: Receiver, live: int) -> None:
    receiver.after = once(Reply(hang_up=True))
    receiver.on_lookup = lambda: Reply(503)
    assert failure_code(publish(live)) == "PUBLISH_ENDPOINT_FAILED"
    assert (state(live), is_outdated(live)) == (("live", "published"), True)
    receiver.on_lookup = lambda: None
    assert publish(live).status == "succeeded"
    assert (len(receiver.deliveries), is_outdated(live)) == (1, False)


def test_a_text_changed_during_an_unknown_outcome_is_sent_as_an_update(
    project: Project, receiver: Receiver
) -> None:
    post_id = post_of(project).id
    receiver.after = once(Reply(hang_up=True))
    receiver.on_lookup = lambda: Reply(503)
    publish(post_id)
    assert state(post_id) == ("unknown", "draft")
    edit(post_id, content=CHANGED)
    receiver.on_lookup = lambda: None
    assert publish(post_id).status == "succeeded"
    assert (text_there(receiver), is_outdated(post_id)) == (CHANGED, False)
    assert len(receiver.deliveries) == 2


def test_nothing_is_sent_again_if_a_lookup_does_not_name_the_text(receiver: Receiver, live: int) -> None:
    receiver.after = once(Reply(502))
    receiver.on_lookup = lambda: Reply(200, body=b'{"id": 1, "url": "https://alice.example/x"}')
    for _ in range(2):
        assert publish(live).status == "failed"
    assert len(receiver.deliveries) == 1


def test_a_worker_lost_after_sending_an_update_is_followed_by_a_lookup(receiver: Receiver, live: int) -> None:
    job_id = submit(live)
    lease = publications.begin(live, publication_of(live).target_id, job_id)
    publications.mark_sending(lease, content_sha256(fresh(live)))
    receiver.posts[lease.publication_id] = {"slug": "garden-notes", "content": CHANGED}
    receiver.digests[lease.publication_id] = content_sha256(fresh(live))
    runner_goes_on(job_id)
    assert (receiver.deliveries, is_outdated(live), state(live)) == ([], False, ("live", "published"))


def test_a_worker_lost_before_sending_an_update_sends_it(receiver: Receiver, live: int) -> None:
    job_id = submit(live)
    publications.begin(live, publication_of(live).target_id, job_id)
    runner_goes_on(job_id)
    assert (len(receiver.deliveries), receiver.lookups, text_there(receiver)) == (1, [], CHANGED)


@pytest.mark.parametrize(("arrived", "outdated"), [(True, False), (False, True)])
def test_an_update_of_a_lost_job_is_reconciled_by_a_lookup(
    receiver: Receiver, live: int, arrived: bool, outdated: bool
) -> None:
    lease = publications.begin(live, publication_of(live).target_id, 4711)
    publications.mark_sending(lease, content_sha256(fresh(live)))
    if arrived:
        receiver.digests[lease.publication_id] = content_sha256(fresh(live))
    publication_of(live).updated_at = utc_now().replace(year=2020)
    db.session.commit()
    assert (
        reconcile.reconcile_publications(select(ExecutionJob.id).where(ExecutionJob.status == "running")) == 1
    )
    assert (state(live), is_outdated(live)) == (("live", "published"), outdated)
    assert receiver.deliveries == []


def runner_goes_on(job_id: int) -> None:
    run_job(job_id)
    assert job_now(job_id).status == "succeeded"
