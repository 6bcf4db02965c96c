"""What is recorded of a post at its target, and which text the target has, on both databases."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import update

from app.content.model import BlogPost
from app.failures import failure
from app.infra.db import db
from app.projects.model import Project
from app.publishing import publications
from app.publishing.document import content_sha256
from app.publishing.lease import PublicationLease
from app.publishing.model import Publication
from app.publishing.public_address import PublicAddress
from app.publishing.targets.base import RemotePost
from tests.support.publishing import fresh, publication_of, target_of

HERE = RemotePost("31", "https://alice.example/blog/garden-notes", fingerprint="f31")
MOVED = replace(HERE, url="https://alice.example/notes", fingerprint="f32")
ELSEWHERE = RemotePost("9", "https://bob.example/garden-notes")


@pytest.fixture
def here(project: Project) -> int:
    return target_of(project, "Here")


def put(lease: PublicationLease, remote: RemotePost = HERE, public: PublicAddress | None = None) -> None:
    assert publications.record_remote(lease, remote, *([public] if public else []))
    db.session.commit()


def edit(post_id: int) -> None:
    db.session.execute(update(BlogPost).where(BlogPost.id == post_id).values(title="Another title"))
    db.session.commit()


def updating(post_id: int, target_id: int) -> PublicationLease:
    """A lease that sends another text to a target where the post is live."""
    put(publications.begin(post_id, target_id, 1))
    edit(post_id)
    lease = publications.begin(post_id, target_id, 2)
    assert lease.update == content_sha256(fresh(post_id))
    return lease


def end(lease: PublicationLease, state: str) -> None:
    assert publications.record_end(lease, state, failure("PUBLISH_TIMEOUT"))
    db.session.commit()


@pytest.mark.parametrize(
    ("state", "live", "draft"),
    [
        ("live", True, False), ("scheduled", True, False), ("draft", False, True), ("intent", False, False),
        ("sending", False, False), ("unknown", False, False), ("unpublished", False, False),
    ],
)  # fmt: skip
def test_a_publication_is_current_as_what_it_is(
    post_id: int, here: int, state: str, live: bool, draft: bool
) -> None:
    publications.begin(post_id, here, 1)
    row, post = publication_of(post_id), fresh(post_id)
    row.state = state
    assert publications.is_current(row, post) is live
    assert publications.is_current(row, post, "live") is live
    assert publications.is_current(row, post, "draft") is draft
    post.title = "Another title"
    assert not publications.is_current(row, post)
    assert not publications.is_current(row, post, "draft")


def test_outdated_are_those_that_are_live_with_another_text(post_id: int) -> None:
    post = fresh(post_id)
    present, former = content_sha256(post), "0" * 64
    known = [
        Publication(id=number, state=state, content_sha256=digest)
        for number, (state, digest) in enumerate(
            [
                ("live", present), ("live", former), ("scheduled", present), ("scheduled", former),
                ("draft", former), ("draft", present), ("unknown", former), ("unpublished", former),
            ]
        )
    ]  # fmt: skip
    assert publications.outdated(post, known) == {1, 3}


def test_a_post_at_its_target_is_recorded_with_all_that_is_known_of_it(post_id: int, here: int) -> None:
    lease = publications.begin(post_id, here, 1)
    assert (lease.post_id, lease.target_id) == (post_id, here)
    put(lease, HERE, PublicAddress(200, "As published."))
    row, post = publication_of(post_id), fresh(post_id)
    assert (row.state, row.external_id, row.url, row.fingerprint) == ("live", "31", HERE.url, "f31")
    assert (row.public_status, row.public_remark, row.failure) == (200, "As published.", None)
    assert row.content_sha256 == content_sha256(post)
    assert (post.status, post.published_url) == ("published", HERE.url)
    assert row.published_at == post.published_at is not None


def test_a_hidden_draft_gives_the_post_neither_date_nor_address(post_id: int, here: int) -> None:
    put(publications.begin(post_id, here, 1, "draft"), replace(HERE, status="draft"))
    row, post = publication_of(post_id), fresh(post_id)
    assert (row.state, row.external_id, row.url, row.published_at) == ("draft", "31", HERE.url, None)
    assert (post.status, post.published_at, post.published_url) == ("draft", None, None)
    assert "datePublished" not in post.json_ld[0]


def test_an_update_that_arrived_is_recorded_with_its_text_and_its_new_address(
    post_id: int, here: int
) -> None:
    lease = updating(post_id, here)
    first = fresh(post_id).published_at
    put(lease, MOVED)
    row, post = publication_of(post_id), fresh(post_id)
    assert (row.state, row.url, row.content_sha256) == ("live", MOVED.url, lease.update)
    assert (post.status, post.published_at, post.published_url) == ("published", first, MOVED.url)
    assert post.json_ld[0]["mainEntityOfPage"]["@id"] == MOVED.url
    assert publications.outdated(post, [row]) == set()


def test_an_address_that_moves_elsewhere_leaves_that_of_the_post(project: Project, post_id: int) -> None:
    here, there = target_of(project, "Here"), target_of(project, "There")
    put(publications.begin(post_id, there, 1), ELSEWHERE)
    put(updating(post_id, here), MOVED)
    assert fresh(post_id).published_url == ELSEWHERE.url


def test_an_update_that_failed_leaves_the_former_text_live(post_id: int, here: int) -> None:
    lease = updating(post_id, here)
    before = publication_of(post_id).content_sha256
    end(lease, "failed")
    row, post = publication_of(post_id), fresh(post_id)
    assert (row.state, row.content_sha256, post.status) == ("live", before, "published")
    assert row.failure == failure("PUBLISH_TIMEOUT").to_dict()
    assert publications.outdated(post, [row]) == {row.id}


def test_after_an_update_of_unknown_outcome_the_target_is_asked_for_its_text(post_id: int, here: int) -> None:
    lease = updating(post_id, here)
    end(lease, "unknown")
    row, post = publication_of(post_id), fresh(post_id)
    assert (row.state, row.content_sha256, post.status) == ("live", "", "published")
    assert publications.outdated(post, [row]) == {row.id}
    assert publications.begin(post_id, here, 3).state == "sending", "the text may be there"


@pytest.mark.parametrize("state", ["failed", "unknown"])
def test_a_first_text_that_did_not_arrive_ends_as_what_is_known_of_it(
    post_id: int, here: int, state: str
) -> None:
    lease = publications.begin(post_id, here, 1)
    end(lease, state)
    row = publication_of(post_id)
    assert (row.state, row.content_sha256) == (state, content_sha256(fresh(post_id)))
    assert fresh(post_id).status == "draft"
