"""Publishing to Ghost exactly once, whatever happens on the way."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

import pytest

from app.publishing.delivery import Delivery
from app.publishing.targets.base import NOT_DELIVERED, UNKNOWN, Document, PublishProblem, RemotePost
from app.publishing.targets.ghost.kind import GHOST
from app.publishing.withdrawal import Withdrawal
from tests.support.gateway import FAULTS, SLOW, Gateway, Matches
from tests.support.ghosts import Blog, changed, document, picture, reference
from tests.support.servers import Request

STEPS: Final[dict[str, Matches]] = {
    "upload": lambda request: "/images/upload/" in request.path,
    "create": lambda request: request.method == "POST" and "/posts/" in request.path,
    "publish": lambda request: request.method == "PUT",
    "look": lambda request: request.method == "GET",
}
REFUSED: Final = "429 before the write"
QUICK: Final = ("answer dropped after the write", "502 after the write", REFUSED)
EACH: Final = [each if each in QUICK else pytest.param(each, marks=pytest.mark.thorough) for each in FAULTS]
"""The faults, most of them in the thorough run only."""


@dataclass
class Publisher:
    """Publishes one post through a gateway, and remembers what the database would."""

    ghost: Blog
    gateway: Gateway
    document: Document
    external_id: str | None = None
    fingerprint: str | None = None
    seconds: float = 15
    failures: list[PublishProblem] = field(default_factory=list)

    def publish(self, document: Document | None = None) -> RemotePost | None:
        """Try once, as a job does; returns the post, or None after a failure."""
        sent = document or self.document
        update = sent.digest if sent.is_update else None
        delivery = Delivery(
            GHOST,
            self.ghost.access(self.gateway.url, seconds=self.seconds),
            reference(self.document, self.external_id),
            pause=lambda _: None,
            update=update,
            fingerprint=self.fingerprint,
            created=self._created,
        )
        try:
            remote = delivery.send(lambda: sent, delivery.find_now())
        except PublishProblem as problem:
            self.failures.append(problem)
            return None
        self._save(remote)
        return remote

    def unpublish(self) -> RemotePost | None:
        """Hide the post; returns what stays of it."""
        access = self.ghost.access(self.gateway.url, seconds=self.seconds)
        known = reference(self.document, self.external_id)
        withdrawal = Withdrawal(
            GHOST, access, known, lambda _: None, fingerprint=self.fingerprint, lookup_delays=(0, 0, 0)
        )
        return withdrawal.unpublish()

    def spoil(self, fault: str, matches: Matches, *, lasting: bool = False) -> None:
        """Let a fault answer the next call that matches, or all of them until the gateway is mended."""
        self.seconds = self.ghost.short if fault in SLOW else 15
        spoil = self.gateway.spoil if lasting else self.gateway.spoil_once
        spoil(matches, FAULTS[fault])

    def statuses(self) -> list[str]:
        """The statuses of all the posts there that carry the marker."""
        return sorted(post["status"] for post in self.ghost.posts(self.document.publication_id))

    def _created(self, remote: RemotePost, fingerprint: str | None) -> None:
        self.external_id, self.fingerprint = remote.external_id, fingerprint

    def _save(self, remote: RemotePost) -> None:
        self.external_id, self.fingerprint = remote.external_id, remote.fingerprint


def after_a_change() -> Matches:
    """The calls that read, once something was changed."""
    asked: list[str] = []

    def matches(request: Request) -> bool:
        asked.append(request.method)
        return request.method == "GET" and "PUT" in asked

    return matches


@pytest.fixture
def publisher(ghost: Blog) -> Iterator[Publisher]:
    """A post with an image, and a gateway in front of the site."""
    gateway = ghost.gateway()
    yield Publisher(ghost, gateway, document(picture=picture()))
    gateway.close()


@pytest.mark.parametrize("step", ["create", "publish"])
@pytest.mark.parametrize("fault", EACH)
def test_one_spoiled_call_leaves_exactly_one_live_post(publisher: Publisher, fault: str, step: str) -> None:
    publisher.spoil(fault, STEPS[step])
    remote = publisher.publish()
    if fault == REFUSED:
        (problem,) = publisher.failures
        assert (problem.failure.code, problem.certainty) == ("TARGET_RATE_LIMITED", NOT_DELIVERED)
        assert problem.failure.details is not None
        assert problem.failure.details["retry_after_seconds"] == 7
        assert "published" not in publisher.statuses()
        remote = publisher.publish()
    assert remote is not None
    assert remote.status == "live"
    assert publisher.statuses() == ["published"]
    assert publisher.publish() is not None
    assert publisher.statuses() == ["published"]


@pytest.mark.parametrize("fault", EACH)
def test_a_spoiled_upload_of_the_image_leaves_no_post(publisher: Publisher, fault: str) -> None:
    publisher.spoil(fault, STEPS["upload"])
    assert publisher.publish() is None
    (problem,) = publisher.failures
    assert problem.certainty == NOT_DELIVERED
    assert publisher.statuses() == []
    assert publisher.publish() is not None
    assert publisher.statuses() == ["published"]


@pytest.mark.parametrize("fault", EACH)
def test_nothing_is_written_while_the_target_cannot_be_asked(publisher: Publisher, fault: str) -> None:
    publisher.spoil(fault, STEPS["look"], lasting=True)
    assert publisher.publish() is None
    assert publisher.statuses() == []
    assert all(request.method == "GET" for request in publisher.gateway.requests)
    publisher.gateway.mend()
    assert publisher.publish() is not None
    assert publisher.statuses() == ["published"]


@pytest.mark.parametrize("step", ["create", "publish"])
@pytest.mark.parametrize("fault", EACH)
def test_a_fault_that_lasts_never_makes_a_double(publisher: Publisher, fault: str, step: str) -> None:
    publisher.spoil(fault, STEPS[step], lasting=True)
    remote = publisher.publish()
    assert len(publisher.statuses()) <= 1
    assert (remote is not None) == (publisher.statuses() == ["published"])
    publisher.gateway.mend()
    assert publisher.publish() is not None
    assert publisher.statuses() == ["published"]


@pytest.mark.parametrize("fault", [REFUSED, "garbage after the write", "answer dropped after the write"])
def test_a_spoiled_confirmation_does_not_make_a_live_post_a_failed_one(
    publisher: Publisher, fault: str
) -> None:
    publisher.spoil(fault, after_a_change())
    remote = publisher.publish()
    assert remote is not None
    assert remote.status == "live"
    assert publisher.statuses() == ["published"]


def test_a_live_post_is_unknown_if_it_can_never_be_confirmed(publisher: Publisher) -> None:
    publisher.spoil(REFUSED, after_a_change(), lasting=True)
    assert publisher.publish() is None
    assert publisher.failures[0].certainty == UNKNOWN
    assert publisher.statuses() == ["published"]


@pytest.mark.parametrize("fault", EACH)
def test_a_spoiled_update_shows_the_new_text_once(publisher: Publisher, fault: str) -> None:
    assert publisher.publish() is not None
    update = changed(publisher.document, content_html="<p>The new text.</p>")
    publisher.spoil(fault, STEPS["publish"])
    remote = publisher.publish(update)
    if fault == REFUSED:
        assert publisher.failures[-1].certainty == NOT_DELIVERED
        remote = publisher.publish(update)
    assert remote is not None
    assert remote.digest == update.digest
    (post,) = publisher.ghost.posts(publisher.document.publication_id)
    assert "The new text." in post["html"]


@pytest.mark.parametrize("fault", EACH)
def test_a_spoiled_unpublishing_hides_the_post_or_says_that_it_did_not(
    publisher: Publisher, fault: str
) -> None:
    publisher.publish()
    publisher.spoil(fault, STEPS["publish"])
    if fault == REFUSED:
        with pytest.raises(PublishProblem) as caught:
            publisher.unpublish()
        assert caught.value.certainty == NOT_DELIVERED
        assert publisher.statuses() == ["published"]
    hidden = publisher.unpublish()
    assert hidden is not None
    assert publisher.statuses() == ["draft"]
    assert publisher.publish() is not None
    assert publisher.statuses() == ["published"]


@pytest.mark.parametrize("fault", [REFUSED, "garbage after the write", "answer dropped after the write"])
def test_a_spoiled_look_after_unpublishing_is_no_failure(publisher: Publisher, fault: str) -> None:
    publisher.publish()
    publisher.spoil(fault, after_a_change())
    assert publisher.unpublish() is not None
    assert publisher.statuses() == ["draft"]


def test_the_id_of_a_draft_whose_answer_was_lost_is_known_even_if_publishing_fails(
    publisher: Publisher,
) -> None:
    publisher.spoil("answer dropped after the write", STEPS["create"])
    publisher.spoil(REFUSED, STEPS["publish"])
    assert publisher.publish() is None
    (draft,) = publisher.ghost.posts(publisher.document.publication_id)
    assert (draft["status"], draft["id"]) == ("draft", publisher.external_id)


@pytest.mark.parametrize("fault", EACH)
def test_filters_that_find_nothing_make_no_double(look_alike: Blog, fault: str) -> None:
    assert look_alike.site is not None
    look_alike.site.filters = False
    gateway = look_alike.gateway()
    publisher = Publisher(look_alike, gateway, document())
    try:
        for step in ("create", "publish"):
            publisher.spoil(fault, STEPS[step])
            publisher.publish()
        assert publisher.publish() is not None
    finally:
        gateway.close()
    assert [post["status"] for post in look_alike.site.posts.values()] == ["published"]


def test_a_slug_that_another_post_has_is_reported_and_the_draft_removed(publisher: Publisher) -> None:
    first = publisher
    second = Publisher(first.ghost, first.gateway, document(slug=first.document.post["slug"]))
    assert first.publish() is not None
    assert second.publish() is None
    (problem,) = second.failures
    assert (problem.failure.code, problem.certainty) == ("TARGET_SLUG_TAKEN", NOT_DELIVERED)
    details: Any = problem.failure.details
    slug = first.document.post["slug"]
    assert details["offered_slug"] == f"{slug}-2"
    assert first.ghost.page(details["url_there"])[0] == 200
    assert (first.statuses(), second.statuses()) == (["published"], [])


def test_a_draft_is_changed_and_then_published_as_one_post(publisher: Publisher) -> None:
    draft = publisher.publish(changed(publisher.document, visibility="draft"))
    assert draft is not None
    assert draft.status == "draft"
    again = changed(publisher.document, digest="c" * 64, visibility="draft", title="Second thoughts")
    assert publisher.publish(again) is not None
    assert publisher.statuses() == ["draft"]
    remote = publisher.publish(changed(publisher.document, digest="c" * 64, visibility="live"))
    assert remote is not None
    assert publisher.statuses() == ["published"]


def test_an_edited_post_is_reported_with_both_texts_until_a_person_decides(publisher: Publisher) -> None:
    published = publisher.publish()
    assert published is not None
    publisher.ghost.edit(published, html="<p>Edited there.</p>")
    assert publisher.publish(changed(publisher.document, content_html="<p>New here.</p>")) is None
    failure = publisher.failures[-1].failure
    assert failure.code == "TARGET_POST_EDITED"
    assert failure.details is not None
    assert "Edited there." in failure.details["text_there"]
    assert "New here." in failure.details["text_here"]
