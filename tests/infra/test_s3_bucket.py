"""The client of buckets, with a real server that checks signatures and what the key may do."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event, Semaphore

import pytest

from app.infra.s3 import bucket as bucket_module
from app.infra.s3.bucket import BucketError
from tests.support.bucket import NAME, BucketServer
from tests.support.servers import Reply, Request, SiteServer
from tests.support.waiting import PATIENCE

KEY = "a folder/äpfel+birnen & more.png"


def test_objects_are_stored_listed_read_and_removed(bucket_server: BucketServer) -> None:
    bucket = bucket_server.bucket()
    bucket.put(KEY, b"\0first", "image/png")
    bucket.put(KEY, b"\0second", "image/png")
    assert bucket.get(KEY) == b"\0second"
    assert [each.key for each in bucket.objects("a folder/")] == [KEY]
    bucket.remove(KEY)
    bucket.remove(KEY)
    assert list(bucket.objects("")) == []
    with pytest.raises(BucketError, match="404 NoSuchKey"):
        bucket.get(KEY)


def test_a_long_list_is_read_to_its_end(bucket_server: BucketServer) -> None:
    bucket = bucket_server.bucket()
    for number in range(5):
        bucket.put(f"n/{number}", b"x", "image/png")
    assert [each.key for each in bucket.objects("n/", at_once=2)] == [f"n/{number}" for number in range(5)]


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"S3_SECRET_ACCESS_KEY": "another secret"}, "403 SignatureDoesNotMatch"),
        ({"S3_ACCESS_KEY_ID": "AKIANOBODY"}, "403 InvalidAccessKeyId"),
        ({"S3_BUCKET": f"{NAME}-of-others"}, "403 AccessDenied"),
        ({"S3_ENDPOINT": "http://127.0.0.1:1"}, "refused"),
        ({"S3_ENDPOINT": "http://localhost:9000"}, "blocked"),
    ],
)
def test_a_refusal_says_why_and_shows_no_secret(
    bucket_server: BucketServer, settings: dict[str, str], problem: str
) -> None:
    bucket = bucket_server.bucket(**settings)
    with pytest.raises(BucketError) as refused:
        bucket.put("a", b"x", "image/png")
    assert problem in str(refused.value)
    assert bucket.signer.secret not in str(refused.value)


def test_what_may_pass_is_tried_once_more(bucket_server: BucketServer, site: SiteServer) -> None:
    busy = Reply(503, body=b"<Error><Code>SlowDown</Code></Error>")
    replies = [busy, Reply(200), busy, busy]
    received: list[Request] = []

    def reply(request: Request) -> Reply:
        received.append(request)
        return replies.pop(0)

    site.routes[f"/{NAME}/a"] = reply
    bucket = bucket_server.bucket(S3_ENDPOINT=site.url)
    bucket.put("a", b"x", "image/png")
    assert [request.body for request in received] == [b"x", b"x"]
    with pytest.raises(BucketError, match="503 SlowDown"):
        bucket.put("a", b"x", "image/png")


def test_a_bucket_that_hangs_keeps_a_few_threads_only(
    bucket_server: BucketServer, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold, asked = Event(), Semaphore(0)

    def hang(_request: Request) -> Reply:
        asked.release()
        return Reply(hold=hold)

    site.routes[f"/{NAME}/a"] = hang
    bucket = bucket_server.bucket(S3_ENDPOINT=site.url)
    with ThreadPoolExecutor(4) as threads:
        hanging = [threads.submit(bucket.get, "a") for _ in range(4)]
        try:
            assert all(asked.acquire(timeout=PATIENCE) for _ in hanging)
            monkeypatch.setattr(bucket_module, "_PATIENCE", 0.01)
            with pytest.raises(BucketError, match="too many requests"):
                bucket.get("a")
        finally:
            hold.set()
    assert [each.result() for each in hanging] == [b""] * 4
    assert bucket.get("a") == b""
