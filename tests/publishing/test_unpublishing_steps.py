"""The steps that take a post back, on both databases: from live to unpublished, or to a hidden draft."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from app.content.model import BlogPost
from app.infra.clock import utc_now
from app.infra.db import db
from app.projects.model import Project
from app.publishing import publications
from app.publishing.document import content_sha256
from app.publishing.lease import PublicationLease
from app.publishing.model import Publication
from app.publishing.public_address import PublicAddress
from app.publishing.targets.base import RemotePost, Visibility
from tests.support.publishing import fresh, post_of, publication_of, target_of

HERE = RemotePost("31", "https://alice.example/blog/garden-notes", fingerprint="f31")
THERE = RemotePost("9", "https://bob.example/garden-notes", fingerprint="f9")
HIDDEN = RemotePost("32", "https://alice.example/?p=32", "draft", fingerprint="f32")


@pytest.fixture
def here(project: Project) -> int:
    return target_of(project, "Here")


@pytest.fixture
def there(project: Project) -> int:
    return target_of(project, "There")


def put(post_id: int, target_id: int, remote: RemotePost, visibility: Visibility = "live") -> int:
    """Publish a post, and return the publication's id."""
    lease = publications.begin(post_id, target_id, 1, visibility)
    assert publications.record_remote(lease, remote, PublicAddress(200, "As published."))
    db.session.commit()
    return lease.id


def begun(post_id: int, target_id: int, job_id: int = 2) -> PublicationLease:
    lease = publications.begin_unpublishing(post_id, target_id, job_id)
    assert lease is not None
    return lease


def take_back(post_id: int, target_id: int, hidden: RemotePost | None = None) -> None:
    assert publications.record_unpublished(begun(post_id, target_id), hidden)
    db.session.commit()


def test_an_unpublished_post_is_a_draft_without_an_address(post_id: int, here: int) -> None:
    put(post_id, here, HERE)
    take_back(post_id, here)
    row, post = publication_of(post_id), fresh(post_id)
    assert (row.state, row.external_id, row.failure) == ("unpublished", None, None)
    assert (row.public_status, row.public_remark) == (None, None)
    assert (post.status, post.published_at, post.published_url) == ("draft", None, None)
    assert "datePublished" not in post.json_ld[0]


def test_the_draft_that_a_target_keeps_is_recorded(post_id: int, here: int) -> None:
    put(post_id, here, HERE)
    take_back(post_id, here, HIDDEN)
    row = publication_of(post_id)
    assert (row.state, row.external_id, row.fingerprint) == ("unpublished", "32", "f32")


def test_a_post_that_is_live_elsewhere_has_the_address_there(post_id: int, here: int, there: int) -> None:
    put(post_id, here, HERE)
    other = put(post_id, there, THERE)
    since = utc_now().replace(year=2025)
    db.session.execute(update(Publication).where(Publication.id == other).values(published_at=since))
    db.session.commit()
    take_back(post_id, here)
    post = fresh(post_id)
    assert (post.status, post.published_url, post.published_at) == ("published", THERE.url, since)
    assert post.json_ld[0]["mainEntityOfPage"]["@id"] == THERE.url
    assert post.json_ld[0]["datePublished"].startswith("2025-")


def test_an_unpublished_post_does_not_get_the_address_of_another(
    project: Project, post_id: int, here: int
) -> None:
    other = post_of(project, slug="another-post").id
    put(other, here, THERE)
    put(post_id, here, HERE)
    take_back(post_id, here)
    post = fresh(post_id)
    assert (post.status, post.published_at, post.published_url) == ("draft", None, None)
    assert fresh(other).published_url == THERE.url


def test_unpublishing_is_begun_by_one_job_under_the_same_publication(post_id: int, here: int) -> None:
    put(post_id, here, HERE)
    before = publication_of(post_id)
    known = (before.id, before.publication_id, before.updated_at)
    lease = begun(post_id, here, 2)
    row = publication_of(post_id)
    assert (row.id, row.publication_id) == known[:2] == (lease.id, lease.publication_id)
    assert (row.state, row.desired_state, row.job_id) == ("sending", "unpublished", 2)
    assert row.updated_at > known[2]
    assert fresh(post_id).status == "publishing"
    assert begun(post_id, here, 2).id == lease.id, "the next attempt of the job goes on"


def test_nothing_is_unpublished_that_is_not_live(post_id: int, here: int, there: int) -> None:
    put(post_id, there, THERE)
    assert publications.begin_unpublishing(post_id, here, 2) is None
    assert fresh(post_id).status == "published"


def test_a_draft_that_readers_do_not_see_is_not_unpublished(post_id: int, here: int) -> None:
    put(post_id, here, HIDDEN, "draft")
    assert publications.begin_unpublishing(post_id, here, 2) is None
    assert (publication_of(post_id).state, fresh(post_id).status) == ("draft", "draft")


def test_a_post_that_is_taken_back_has_no_text_on_its_way(post_id: int, here: int) -> None:
    put(post_id, here, HERE)
    assert begun(post_id, here).update is None


def test_a_hidden_draft_is_that_of_the_post_and_the_target(
    project: Project, post_id: int, here: int, there: int
) -> None:
    another = post_of(project, slug="another").id
    put(post_id, here, HERE)
    take_back(post_id, here, HIDDEN)
    older = publication_of(post_id).id
    put(post_id, here, HERE)
    take_back(post_id, here, HIDDEN)
    newest = publication_of(post_id).id
    assert newest != older
    put(another, there, THERE)
    take_back(another, there, HIDDEN)
    found = publications.hidden_publication(post_id, here)
    assert found is not None
    assert found.id == newest
    assert publications.hidden_publication(post_id, there) is None
    assert publications.hidden_publication(another, here) is None


def test_a_draft_without_a_post_at_the_target_is_not_found(post_id: int, here: int) -> None:
    put(post_id, here, HERE)
    take_back(post_id, here)
    assert publications.hidden_publication(post_id, here) is None


def test_a_published_post_is_no_hidden_draft(post_id: int, here: int) -> None:
    put(post_id, here, HERE)
    assert publications.hidden_publication(post_id, here) is None


def test_a_hidden_draft_is_published_again_under_its_own_id(post_id: int, here: int) -> None:
    put(post_id, here, HERE)
    take_back(post_id, here, HIDDEN)
    before = publication_of(post_id)
    known = (before.id, before.updated_at)
    lease = publications.begin(post_id, here, 3, reuses_drafts=True)
    row = publication_of(post_id)
    assert (lease.id, row.id) == (known[0], known[0])
    assert (row.state, row.desired_state, row.job_id, row.published_at) == ("intent", "live", 3, None)
    assert row.updated_at > known[1]


def test_a_text_is_an_earlier_one_when_the_post_was_changed_after_it_was_first_sent(
    project: Project, post_id: int, here: int
) -> None:
    other = publications.begin(post_of(project, slug="other").id, here, 5)
    lease = publications.begin(post_id, here, 1)
    assert not publications.is_earlier_text(lease)
    db.session.execute(update(BlogPost).where(BlogPost.id == post_id).values(title="Another title"))
    db.session.commit()
    assert publications.is_earlier_text(lease)
    assert not publications.is_earlier_text(other)


def test_a_text_is_compared_with_the_post_as_the_database_has_it(post_id: int, here: int) -> None:
    lease = publications.begin(post_id, here, 1)
    post, publication = db.session.get_one(BlogPost, post_id), db.session.get_one(Publication, lease.id)
    unseen = {"synchronize_session": False}
    retitled = update(BlogPost).where(BlogPost.id == post.id).values(title="Another title")
    db.session.execute(retitled, execution_options=unseen)
    assert publications.is_earlier_text(lease)
    sent = (
        update(Publication)
        .where(Publication.id == publication.id)
        .values(content_sha256=content_sha256(post))
    )
    db.session.execute(sent, execution_options=unseen)
    assert not publications.is_earlier_text(lease)


def test_the_text_of_an_update_is_never_an_earlier_one(post_id: int, here: int) -> None:
    put(post_id, here, HERE)
    db.session.execute(update(BlogPost).where(BlogPost.id == post_id).values(title="Another title"))
    db.session.commit()
    lease = publications.begin(post_id, here, 2)
    assert lease.update is not None
    assert not publications.is_earlier_text(lease)
