"""Reconciling what a canceled or lost job left open, against a real receiver."""

from __future__ import annotations

from datetime import timedelta

import pytest
from rq.timeouts import JobTimeoutException
from sqlalchemy import select, update

from app.executions.model import ExecutionJob
from app.executions.states import ACTIVE
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from app.projects.model import Project
from app.publishing import publications, reconcile
from app.publishing.model import MAYBE_LIVE, Publication, PublishTarget
from tests.support.publishing import Receiver, fresh, job_of, post_of, publication_of
from tests.support.servers import Reply, SiteServer

ACTIVE_JOBS = select(ExecutionJob.id).where(ExecutionJob.status.in_(ACTIVE))


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def receiver(site: SiteServer) -> Receiver:
    return Receiver(site)


def left_behind(
    project: Project, receiver: Receiver, state: str, *, job: str = "canceled", age: float = 3600,
    slug: str = "garden-notes",
) -> int:  # fmt: skip
    """A post whose publication was left in a state; returns the post's id."""
    target_id = receiver.add_to(project).id
    post_id = post_of(project, slug=slug).id
    lease = publications.begin(post_id, target_id, job_of(project, job))
    publications.record_end(lease, state)
    db.session.commit()
    then = utc_now() - timedelta(seconds=age)
    mine = update(Publication).where(Publication.id == lease.id)
    db.session.execute(mine.values(created_at=then, updated_at=then))
    db.session.commit()
    return post_id


def has_it(receiver: Receiver, post_id: int) -> None:
    receiver.posts[publication_of(post_id).publication_id] = {"slug": "garden-notes"}


def test_a_publication_that_was_not_sent_fails_without_a_lookup(project: Project, receiver: Receiver) -> None:
    post_id = left_behind(project, receiver, "intent", age=0)
    assert reconcile.reconcile_publications(ACTIVE_JOBS) == 1
    assert (publication_of(post_id).state, fresh(post_id).status) == ("failed", "draft")
    assert receiver.lookups == []


@pytest.mark.parametrize("state", ["sending", "unknown"])
def test_a_publication_found_at_the_target_is_live(project: Project, receiver: Receiver, state: str) -> None:
    post_id = left_behind(project, receiver, state)
    has_it(receiver, post_id)
    assert reconcile.reconcile_publications(ACTIVE_JOBS) == 1
    post, row = fresh(post_id), publication_of(post_id)
    assert (row.state, row.external_id, post.status) == ("live", "1", "published")
    assert post.published_url == "https://alice.example/blog/garden-notes"
    assert receiver.deliveries == []


@pytest.mark.parametrize("status", [401, 429, 503])
def test_a_target_that_refuses_a_lookup_leaves_the_outcome_unknown(
    project: Project, receiver: Receiver, status: int
) -> None:
    post_id = left_behind(project, receiver, "sending")
    receiver.on_lookup = lambda: Reply(status)
    assert reconcile.reconcile_publications(ACTIVE_JOBS) == 1
    assert publication_of(post_id).state == "unknown"


def test_a_publication_that_cannot_be_reconciled_does_not_stop_the_others(
    project: Project, receiver: Receiver
) -> None:
    left_behind(project, receiver, "unknown", age=7200)
    db.session.execute(update(PublishTarget).values(kind="of another version", name="Former"))
    db.session.commit()
    other = left_behind(project, receiver, "unknown", slug="other")
    has_it(receiver, other)
    assert reconcile.reconcile_publications(ACTIVE_JOBS) == 2
    assert publication_of(other).state == "live"


def test_a_reconciliation_ends_when_its_time_is_over(
    project: Project, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_behind(project, receiver, "unknown")

    def over(*_: object) -> None:
        raise JobTimeoutException

    monkeypatch.setattr(reconcile, "lease_unchanged", over)
    with pytest.raises(JobTimeoutException):
        reconcile.reconcile_publications(ACTIVE_JOBS)


@pytest.mark.parametrize("state", ["sending", "unknown"])
def test_a_publication_that_is_certainly_not_there_fails(
    project: Project, receiver: Receiver, state: str
) -> None:
    post_id = left_behind(project, receiver, state)
    assert reconcile.reconcile_publications(ACTIVE_JOBS) == 1
    assert (publication_of(post_id).state, fresh(post_id).status) == ("failed", "draft")
    assert receiver.deliveries == []


def test_a_target_without_a_clear_answer_leaves_it_unknown_and_rollback_blocked(
    project: Project, receiver: Receiver
) -> None:
    receiver.on_lookup = lambda: Reply(500)
    post_id = left_behind(project, receiver, "sending")
    assert reconcile.reconcile_publications(ACTIVE_JOBS) == 1
    row = publication_of(post_id)
    assert (row.state, fresh(post_id).status) == ("unknown", "draft")
    assert row.state in MAYBE_LIVE
    assert reconcile.reconcile_publications(ACTIVE_JOBS) == 0, "the next lookup comes later"


@pytest.mark.parametrize(
    ("state", "job", "age"),
    [("intent", "running", 3600), ("sending", "running", 3600), ("sending", "queued", 3600),
     ("sending", "canceled", 5), ("unknown", "failed", 60), ("unknown", "failed", 2 * 86_400),
     ("live", "failed", 3600), ("failed", "failed", 3600)],
)  # fmt: skip
def test_what_is_not_due_is_left_alone(
    project: Project, receiver: Receiver, state: str, job: str, age: float
) -> None:
    post_id = left_behind(project, receiver, state, job=job, age=age)
    assert reconcile.reconcile_publications(ACTIVE_JOBS) == 0
    assert publication_of(post_id).state == state
    assert receiver.lookups == []


def test_a_late_answer_does_not_change_a_publication_that_was_taken_over(
    project: Project, receiver: Receiver
) -> None:
    post_id = left_behind(project, receiver, "unknown")
    target_id, engine = publication_of(post_id).target_id, db.engine

    def taken_over() -> None:
        with engine.begin() as connection:
            connection.execute(update(Publication).values(job_id=4711, state="sending", updated_at=utc_now()))

    receiver.on_lookup = taken_over
    reconcile.reconcile_publications(ACTIVE_JOBS)
    row = publication_of(post_id)
    assert (row.state, row.job_id, row.target_id) == ("sending", 4711, target_id)


def test_a_batch_is_bounded_and_the_oldest_comes_first(project: Project, receiver: Receiver) -> None:
    target_id = receiver.add_to(project).id
    job_id = job_of(project, "failed")
    ids = [post_of(project, slug=f"notes-{number}").id for number in range(3)]
    for age, post_id in enumerate(ids):
        publications.begin(post_id, target_id, job_id)
        then = utc_now() - timedelta(seconds=100 - age)
        db.session.execute(
            update(Publication).where(Publication.blog_post_id == post_id).values(updated_at=then)
        )
        db.session.commit()
    assert reconcile.reconcile_publications(ACTIVE_JOBS, limit=2) == 2
    assert [publication_of(post_id).state for post_id in ids] == ["failed", "failed", "intent"]


def test_a_person_can_confirm_that_an_unknown_post_is_live(project: Project, receiver: Receiver) -> None:
    post_id = left_behind(project, receiver, "unknown")
    row = reconcile.confirm_live(
        project, publication_of(post_id).publication_id, "https://alice.example/blog/x"
    )
    assert (row.state, fresh(post_id).status) == ("live", "published")
    assert fresh(post_id).published_url == "https://alice.example/blog/x"


@pytest.mark.parametrize("state", ["unknown", "live"])
def test_a_person_can_confirm_that_a_post_is_gone(project: Project, receiver: Receiver, state: str) -> None:
    post_id = left_behind(project, receiver, "unknown")
    publication_id = publication_of(post_id).publication_id
    if state == "live":
        reconcile.confirm_live(project, publication_id, "https://alice.example/blog/x")
    row = reconcile.confirm_gone(project, publication_id)
    post = fresh(post_id)
    assert row.state not in MAYBE_LIVE
    assert (post.status, post.published_at, post.published_url) == ("draft", None, None)
    assert "datePublished" not in post.json_ld[0]
    assert reconcile.confirm_gone(project, publication_id).state == "unpublished"


@pytest.mark.parametrize("state", ["failed", "unpublished"])
def test_a_persons_word_changes_nothing_about_what_is_certain(
    project: Project, receiver: Receiver, state: str
) -> None:
    post_id = left_behind(project, receiver, "unknown")
    publication_id = publication_of(post_id).publication_id
    db.session.execute(update(Publication).values(state=state))
    db.session.commit()
    asked = len(receiver.lookups)
    assert reconcile.confirm_live(project, publication_id, "https://alice.example/blog/x").state == state
    assert reconcile.confirm_gone(project, publication_id).state == state
    assert len(receiver.lookups) == asked


def test_a_post_that_is_gone_from_one_of_two_targets_stays_published(
    project: Project, receiver: Receiver
) -> None:
    post_id = left_behind(project, receiver, "unknown")
    first = publication_of(post_id).publication_id
    reconcile.confirm_live(project, first, "https://alice.example/blog/x")
    second = publications.begin(post_id, receiver.add_to(project, "Other").id, 5)
    publications.record_end(second, "unknown")
    db.session.commit()
    reconcile.confirm_live(project, second.publication_id, "https://other.example/x")
    reconcile.confirm_gone(project, first)
    post = fresh(post_id)
    assert (post.status, post.published_url) == ("published", "https://other.example/x")


def test_nobody_confirms_a_publication_in_progress_or_of_another_project(
    project: Project, receiver: Receiver
) -> None:
    post_id = left_behind(project, receiver, "sending")
    url = "https://bob.example/"
    other = Project(account_id=project.account_id, name="Other", url=url)
    db.session.add(other)
    db.session.commit()
    publication_id = publication_of(post_id).publication_id
    with pytest.raises(ServiceFailure) as underway:
        reconcile.confirm_gone(project, publication_id)
    with pytest.raises(ServiceFailure) as foreign:
        reconcile.confirm_live(other, publication_id, "https://alice.example/")
    codes = [refused.value.failure.code for refused in (underway, foreign)]
    assert codes == ["PUBLISH_IN_PROGRESS", "NOT_FOUND"]


def test_a_word_that_comes_after_the_next_job_began_is_refused(project: Project, receiver: Receiver) -> None:
    post_id = left_behind(project, receiver, "unknown")
    publication_id = publication_of(post_id).publication_id

    engine = db.engine

    def begun_meanwhile() -> Reply:
        with engine.begin() as other:
            other.execute(update(Publication).values(state="intent", job_id=4711))
        return Reply(503)

    receiver.on_lookup = begun_meanwhile
    with pytest.raises(ServiceFailure) as refused:
        reconcile.confirm_gone(project, publication_id)
    assert refused.value.failure.code == "PUBLISH_IN_PROGRESS"
    assert publication_of(post_id).state == "intent"
