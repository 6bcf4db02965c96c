"""Which job may begin to publish which post, and what is stored when one does, on both databases."""

from __future__ import annotations

import pytest

from app.failures import ServiceFailure
from app.infra.db import db
from app.projects.model import Project
from app.publishing import publications
from app.publishing.document import content_sha256
from app.publishing.lease import PublicationLease
from app.publishing.targets.base import RemotePost
from tests.support.publishing import fresh, post_of, publication_of, target_of

DRAFT = RemotePost("31", "https://alice.example/?p=31", status="draft")


def put(lease: PublicationLease, remote: RemotePost) -> None:
    assert publications.record_remote(lease, remote)
    db.session.commit()


def refusal(post_id: int, target_id: int, job_id: int) -> str:
    with pytest.raises(ServiceFailure) as refused:
        publications.begin(post_id, target_id, job_id)
    return refused.value.failure.code


def test_a_job_may_begin_again_what_it_began(project: Project, post_id: int) -> None:
    here = target_of(project)
    lease = publications.begin(post_id, here, 1)
    assert publications.begin(post_id, here, 1).publication_id == lease.publication_id


def test_a_job_with_a_post_of_its_own_cannot_take_that_of_another_job(project: Project, post_id: int) -> None:
    here, other = target_of(project), post_of(project, slug="other").id
    publications.begin(post_id, here, 1)
    publications.begin(other, here, 2)
    assert refusal(post_id, here, 2) == "PUBLISH_IN_PROGRESS"


def test_a_job_cannot_send_a_post_to_a_second_target_before_the_first_has_it(
    project: Project, post_id: int
) -> None:
    publications.begin(post_id, target_of(project), 1)
    assert refusal(post_id, target_of(project, "There"), 1) == "PUBLISH_IN_PROGRESS"


def test_a_job_that_has_finished_cannot_take_the_post_from_the_next_one(
    project: Project, post_id: int
) -> None:
    here = target_of(project)
    put(publications.begin(post_id, here, 1), RemotePost("31", "https://alice.example/31"))
    publications.begin(post_id, target_of(project, "There"), 2)
    assert refusal(post_id, here, 1) == "PUBLISH_IN_PROGRESS"


def test_what_is_stored_first_says_what_is_wanted(project: Project, post_id: int) -> None:
    publications.begin(post_id, target_of(project), 1, "draft")
    row = publication_of(post_id)
    assert (row.state, row.desired_state, row.slug) == ("intent", "draft", fresh(post_id).slug)
    assert row.content_sha256 == content_sha256(fresh(post_id))
    assert row.created_at <= row.updated_at  # PostgreSQL reads its clock for each of both


def test_a_draft_with_the_present_text_is_begun_again_only_to_be_live(project: Project, post_id: int) -> None:
    here = target_of(project)
    put(publications.begin(post_id, here, 1, "draft"), DRAFT)
    assert publications.begin(post_id, here, 2, "draft").state == "draft"
    assert publication_of(post_id).job_id == 1, "nothing is changed"
    assert publications.begin(post_id, here, 2).state == "intent"
    assert publication_of(post_id).desired_state == "live"


def test_no_draft_is_made_of_a_post_that_is_live_there(project: Project, post_id: int) -> None:
    here = target_of(project)
    put(publications.begin(post_id, here, 1), RemotePost("31", "https://alice.example/31"))
    with pytest.raises(ServiceFailure) as refused:
        publications.begin(post_id, here, 2, "draft")
    [problem] = refused.value.errors
    assert problem["field"] == "/visibility"
    assert problem["message"] == "The post is, or may be, live there. Unpublish it first."
    assert fresh(post_id).status == "published"


def test_the_end_of_one_post_leaves_another_that_is_being_published_out_of_account(
    project: Project, post_id: int
) -> None:
    here, other = target_of(project), post_of(project, slug="other").id
    publications.begin(other, here, 2)
    put(publications.begin(post_id, here, 1), RemotePost("31", "https://alice.example/31"))
    assert (fresh(post_id).status, fresh(other).status) == ("published", "publishing")


def test_a_first_text_is_stored_with_what_replaces_its_values_and_an_update_keeps_it(
    project: Project, post_id: int
) -> None:
    here = target_of(project)
    lease = publications.begin(post_id, here, 1)
    assert publications.mark_sending(lease, "1" * 64, {"slug": "other"})
    row = publication_of(post_id)
    assert (row.state, row.content_sha256, row.override) == ("sending", "1" * 64, {"slug": "other"})
    put(lease, RemotePost("31", "https://alice.example/31"))
    update = publications.begin(post_id, here, 2)
    assert update.update == content_sha256(fresh(post_id))
    assert publications.mark_sending(update, "2" * 64)
    row = publication_of(post_id)
    assert (row.content_sha256, row.override) == ("1" * 64, {"slug": "other"})
    assert publications.mark_sending(update, "2" * 64, {"slug": "third"})
    assert publication_of(post_id).override == {"slug": "third"}


def test_a_first_text_without_an_override_forgets_the_one_of_a_former_attempt(
    project: Project, post_id: int
) -> None:
    lease = publications.begin(post_id, target_of(project), 1)
    assert publications.mark_sending(lease, "1" * 64, {"slug": "other"})
    assert publications.mark_sending(lease, "1" * 64)
    assert publication_of(post_id).override is None
