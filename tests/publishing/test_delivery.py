"""Sending once: the order of sends and lookups, with a webhook against a real server."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from app.infra.http.client import Fetcher
from app.infra.http.response import FetchPolicy
from app.publishing.delivery import LOOKUP_DELAYS, Delivery
from app.publishing.targets.base import (
    NOT_DELIVERED,
    UNKNOWN,
    Access,
    Document,
    PublishProblem,
    Reference,
    RemotePost,
)
from app.publishing.targets.webhook import WEBHOOK, new_secret
from tests.support.servers import Reply, Request, SiteServer

PUBLICATION_ID = "pub_0123456789abcdef0123456789abcdef"
FOUND = Reply(200, body=b'{"id": 1, "url": "https://alice.example/x", "content_sha256": "%s"}' % (b"a" * 64))
LIVE = RemotePost("1", "https://alice.example/x", digest="a" * 64)
FOUND_LIVE = replace(LIVE, version=PUBLICATION_ID)


class Ended(Exception):
    """What a pause raises when the work has to end."""


def delivery(
    site: SiteServer, replies: list[Reply], pause: Callable[[float], None] = lambda _: None
) -> Delivery:
    """A delivery to a receiver that gives these answers, one after the other."""

    def answer(_request: Request) -> Reply:
        return replies.pop(0)

    site.routes["/hook"] = answer
    host, _, port = site.address.partition(":")
    http = Fetcher(FetchPolicy("tests", allow=frozenset({(host, int(port))})))
    access = Access({"url": f"{site.url}/hook"}, new_secret(), http)
    return Delivery(WEBHOOK, access, Reference(PUBLICATION_ID), pause)


def calls(site: SiteServer) -> list[str]:
    return [json.loads(request.body)["type"].removeprefix("blog_post.") for request in site.requests]


def document() -> Document:
    return Document(PUBLICATION_ID, "a" * 64, {"title": "Notes", "slug": "notes"})


def test_lookups_wait_longer_each_time(site: SiteServer) -> None:
    waited: list[float] = []
    made = delivery(site, [Reply(500), Reply(404), Reply(503), FOUND], waited.append)
    assert made.send(document) == FOUND_LIVE
    assert calls(site) == ["published", "lookup", "lookup", "lookup"]
    assert tuple(waited) == LOOKUP_DELAYS == (1.0, 3.0, 9.0)


def test_the_last_lookup_decides_whether_the_post_is_sent_again(site: SiteServer) -> None:
    made = delivery(site, [Reply(500), Reply(503), Reply(503), Reply(404), FOUND])
    assert made.send(document) == LIVE
    assert calls(site) == ["published", "lookup", "lookup", "lookup", "published"]


def test_a_post_that_is_there_with_another_text_in_the_end_is_of_unknown_outcome(site: SiteServer) -> None:
    former = Reply(
        200, body=b'{"id": 1, "url": "https://alice.example/x", "content_sha256": "%s"}' % (b"b" * 64)
    )
    made = delivery(site, [Reply(500), *[former] * 3, Reply(500), *[former] * 3])
    made.update = "a" * 64
    with pytest.raises(PublishProblem) as caught:
        made.send(document)
    assert (caught.value.failure.code, caught.value.certainty) == ("PUBLISH_ENDPOINT_FAILED", UNKNOWN)


def test_nothing_is_sent_again_if_the_last_lookup_was_unclear(site: SiteServer) -> None:
    made = delivery(site, [Reply(502), Reply(404), Reply(404), Reply(401)])
    with pytest.raises(PublishProblem) as caught:
        made.send(document)
    assert (caught.value.failure.code, caught.value.certainty) == ("PUBLISH_ENDPOINT_FAILED", UNKNOWN)
    assert calls(site) == ["published", "lookup", "lookup", "lookup"]


def test_a_post_is_sent_at_most_twice(site: SiteServer) -> None:
    nothing = [Reply(404)] * 3
    made = delivery(site, [Reply(500), *nothing, Reply(500), *nothing])
    with pytest.raises(PublishProblem) as caught:
        made.send(document)
    assert caught.value.certainty == NOT_DELIVERED
    assert calls(site).count("published") == 2


def test_a_job_that_has_to_end_while_waiting_makes_no_more_calls(site: SiteServer) -> None:
    def ends(_seconds: float) -> None:
        raise Ended

    with pytest.raises(Ended):
        delivery(site, [Reply(500)], ends).send(document)
    assert calls(site) == ["published"]


def test_the_document_is_prepared_again_for_each_send(site: SiteServer) -> None:
    prepared: list[int] = []

    def prepare() -> Document:
        prepared.append(len(site.requests))
        return document()

    delivery(site, [Reply(500), *[Reply(404)] * 3, FOUND]).send(prepare)
    assert prepared == [0, 4]


def test_a_post_that_is_live_there_is_not_reported_as_absent_when_a_change_is_refused(
    site: SiteServer,
) -> None:
    hidden = replace(document(), visibility="draft")
    with pytest.raises(PublishProblem) as refused:
        delivery(site, [Reply(401)]).send(lambda: hidden, FOUND_LIVE)
    assert refused.value.certainty == UNKNOWN
