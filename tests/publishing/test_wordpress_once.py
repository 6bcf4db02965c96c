"""Exactly one live post, whatever happens to an answer, on a site whose search finds nothing."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from app.publishing.delivery import Delivery
from app.publishing.targets.base import Document, PublishProblem, Reference
from app.publishing.targets.wordpress.kind import WORDPRESS
from tests.support.gateway import FAULTS, SLOW, Matches
from tests.support.servers import Reply, Request
from tests.support.wordpress import Blog

PUBLICATION_ID = "pub_0123456789abcdef0123456789abcdef"
REFUSED = {"429 before the write": "TARGET_RATE_LIMITED, not_delivered"}
"""Faults after which the target certainly has nothing new: they end the attempt."""


def document() -> Document:
    post = {
        "title": "Garden notes", "content_html": "<p>Text.</p>", "description": "", "slug": "garden-notes",
        "tags": ["Beds"], "version": 1,
    }  # fmt: skip
    return Document(PUBLICATION_ID, "a" * 64, post)


def delivery(wordpress: Blog, external_id: str | None = None) -> Delivery:
    reference = Reference(PUBLICATION_ID, "garden-notes", datetime.now(UTC), external_id)
    return Delivery(WORDPRESS, wordpress.access(seconds=wordpress.patience), reference, lambda _: None)


def publish(wordpress: Blog) -> str:
    """Publish as a job does; return the post's status, or code and certainty of the failure."""
    attempt = delivery(wordpress)
    try:
        return attempt.send(document, attempt.find_now()).status
    except PublishProblem as problem:
        return f"{problem.failure.code}, {problem.certainty}"


def is_creation(request: Request) -> bool:
    return request.method == "POST" and request.path.endswith("/wp/v2/posts")


def is_publication(request: Request) -> bool:
    return request.method == "POST" and "/wp/v2/posts/" in request.path


@pytest.mark.parametrize("write", [is_creation, is_publication])
@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=pytest.mark.thorough) if each in SLOW else each for each in FAULTS]
)
class TestOneFault:
    def test_ends_with_one_live_post_or_with_its_failure_and_none(
        self, wordpress: Blog, name: str, write: Matches
    ) -> None:
        wordpress.options.add("no_search")
        wordpress.gateway.spoil_once(write, FAULTS[name])
        assert publish(wordpress) == REFUSED.get(name, "live")
        assert len(wordpress.posts("publish")) == (0 if name in REFUSED else 1)
        assert publish(wordpress) == "live"
        assert [post["status"] for post in wordpress.posts()] == ["publish"]


@pytest.mark.parametrize("name", [name for name in FAULTS if name not in REFUSED])
@pytest.mark.thorough
def test_a_fault_at_every_write_still_ends_with_one_post(wordpress: Blog, name: str) -> None:
    wordpress.options.add("no_search")
    wordpress.gateway.spoil_once(is_creation, FAULTS[name])
    wordpress.gateway.spoil_once(is_publication, FAULTS[name])
    publish(wordpress)
    assert publish(wordpress) == "live"
    assert [post["status"] for post in wordpress.posts()] == ["publish"]


def test_a_slug_of_somebody_else_ends_with_a_failure_and_no_draft_of_ours(wordpress: Blog) -> None:
    theirs = wordpress.rest("POST", "posts", title="x", content="x", slug="garden-notes", status="publish")
    assert publish(wordpress) == "TARGET_SLUG_TAKEN, not_delivered"
    assert [post["id"] for post in wordpress.posts()] == [theirs["id"]]


def test_a_post_that_was_edited_there_is_not_overwritten_unasked(wordpress: Blog) -> None:
    attempt = delivery(wordpress)
    live = attempt.send(document)
    wordpress.rest("POST", f"posts/{live.external_id}", content="<p>Written by the editors.</p>")
    again = delivery(wordpress, live.external_id)
    again.fingerprint, again.update = live.fingerprint, "b" * 64
    changed = Document(PUBLICATION_ID, "b" * 64, document().post, is_update=True)
    with pytest.raises(PublishProblem) as caught:
        again.send(lambda: changed, again.find_now())
    assert caught.value.failure.code == "TARGET_POST_EDITED"
    assert caught.value.failure.details is not None
    assert caught.value.failure.details["text_there"] == "<p>Written by the editors.</p>"
    again.overwrite = True
    assert again.send(lambda: changed, again.find_now()).digest == "b" * 64


def test_a_draft_that_is_made_anew_is_not_published_under_another_slug(wordpress: Blog) -> None:
    wordpress.rest("POST", "posts", title="x", content="x", slug="garden-notes", status="publish")
    again = delivery(wordpress, external_id="4711")
    again.fingerprint = "f" * 64
    with pytest.raises(PublishProblem) as caught:
        again.send(document, again.find_now())
    assert caught.value.failure.code == "TARGET_SLUG_TAKEN"
    assert len(wordpress.posts()) == 1


def test_a_draft_that_is_made_anew_was_not_edited_by_anybody(wordpress: Blog) -> None:
    wordpress.gateway.spoil_once(is_publication, lambda _request, _forward: Reply(502))
    again = delivery(wordpress, external_id="4711")
    again.fingerprint = "f" * 64
    assert again.send(document, again.find_now()).status == "live"
