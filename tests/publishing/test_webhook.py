"""Webhook targets against a real server: signatures, and a failure for every answer."""

from __future__ import annotations

import json
import socket
import threading
from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime

import pytest
from standardwebhooks import Webhook, WebhookVerificationError

from app.infra.clock import utc_now
from app.infra.http.client import Fetcher
from app.infra.http.response import FetchPolicy
from app.publishing.targets import http_calls, webhook
from app.publishing.targets.base import (
    NOT_DELIVERED,
    UNKNOWN,
    Access,
    Document,
    PublishProblem,
    Reference,
    RemotePost,
)
from app.publishing.targets.webhook import create, find, new_secret
from tests.support.servers import Reply, Request, SiteServer

PUBLICATION_ID = "pub_0123456789abcdef0123456789abcdef"
REFERENCE = Reference(PUBLICATION_ID)
SECRET = new_secret()
DOCUMENT = Document(PUBLICATION_ID, "a" * 64, {"id": 7, "title": "Schöne Gärten", "content": "# Text"})


def access(site: SiteServer, *, seconds: float = 10, secret: str = SECRET, path: str = "/hook") -> Access:
    host, _, port = site.address.partition(":")
    policy = FetchPolicy("tests", allow=frozenset({(host, int(port))}), total_seconds=seconds)
    return Access({"url": site.url + path}, secret, Fetcher(policy))


def answers(site: SiteServer, status: int, body: str = "", **headers: str) -> Access:
    site.serve("/hook", body, status, {name.replace("_", "-"): value for name, value in headers.items()})
    return access(site)


def problem_of(site_access: Access) -> PublishProblem:
    with pytest.raises(PublishProblem) as caught:
        create(DOCUMENT, site_access)
    return caught.value


def test_the_post_is_sent_signed_with_the_publication_id(site: SiteServer) -> None:
    there = answers(site, 201, '{"id": 31, "url": "https://alice.example/blog/x"}')
    assert create(DOCUMENT, there) == RemotePost("31", "https://alice.example/blog/x", digest="a" * 64)
    (request,) = site.requests
    message = Webhook(SECRET).verify(request.body, dict(request.headers))
    assert request.method == "POST"
    assert request.headers["webhook-id"] == PUBLICATION_ID
    assert request.headers["content-type"] == "application/json"
    assert message["type"] == "blog_post.published"
    assert message["data"] == {
        "publication_id": PUBLICATION_ID,
        "content_sha256": "a" * 64,
        "post": DOCUMENT.post,
    }


def test_another_secret_does_not_verify_the_message(site: SiteServer) -> None:
    create(DOCUMENT, answers(site, 200, '{"id": "a", "url": "https://alice.example/x"}'))
    with pytest.raises(WebhookVerificationError):
        Webhook(new_secret()).verify(site.requests[0].body, dict(site.requests[0].headers))


def test_during_a_rotation_both_secrets_verify_the_message(site: SiteServer) -> None:
    former = new_secret()
    answers(site, 200, '{"id": "a", "url": "https://alice.example/x"}')
    create(DOCUMENT, access(site, secret=f"{SECRET} {former}"))
    for secret in (SECRET, former):
        Webhook(secret).verify(site.requests[0].body, dict(site.requests[0].headers))


def test_secrets_are_long_never_repeated_and_not_shown() -> None:
    assert len({new_secret() for _ in range(50)}) == 50
    shown = repr(Access({"url": "https://alice.example/"}, SECRET, Fetcher(FetchPolicy("tests"))))
    assert SECRET not in shown


@pytest.mark.parametrize(
    ("status", "code", "outcome"),
    [
        (301, "PUBLISH_REJECTED", NOT_DELIVERED),
        (308, "PUBLISH_REJECTED", NOT_DELIVERED),
        (302, "PUBLISH_UNCLEAR", UNKNOWN),
        (303, "PUBLISH_UNCLEAR", UNKNOWN),
        (304, "PUBLISH_UNCLEAR", UNKNOWN),
        (400, "PUBLISH_REJECTED", NOT_DELIVERED),
        (401, "TARGET_AUTH", NOT_DELIVERED),
        (403, "TARGET_AUTH", NOT_DELIVERED),
        (404, "PUBLISH_REJECTED", NOT_DELIVERED),
        (408, "PUBLISH_TIMEOUT", UNKNOWN),
        (409, "PUBLISH_REJECTED", NOT_DELIVERED),
        (422, "PUBLISH_REJECTED", NOT_DELIVERED),
        (429, "TARGET_RATE_LIMITED", NOT_DELIVERED),
        (500, "PUBLISH_ENDPOINT_FAILED", UNKNOWN),
        (502, "PUBLISH_ENDPOINT_FAILED", UNKNOWN),
        (503, "PUBLISH_ENDPOINT_FAILED", UNKNOWN),
    ],
)
def test_each_status_has_its_failure_and_certainty(
    site: SiteServer, status: int, code: str, outcome: str
) -> None:
    problem = problem_of(answers(site, status, "no" if status != 304 else ""))
    assert (problem.failure.code, problem.certainty) == (code, outcome)
    assert problem.failure.details is not None
    assert problem.failure.details["status"] == status


@pytest.mark.parametrize(("seconds", "words"), [(-300, "5 minutes behind"), (420, "7 minutes ahead of")])
def test_a_signature_refused_for_a_wrong_clock_is_reported_so(
    site: SiteServer, monkeypatch: pytest.MonkeyPatch, seconds: int, words: str
) -> None:
    def verified(request: Request) -> Reply:
        try:
            Webhook(SECRET).verify(request.body, dict(request.headers))
        except WebhookVerificationError:
            return Reply(401)
        return Reply(200, body=b'{"id": 1, "url": "https://alice.example/x"}')

    site.routes["/hook"] = verified
    for module in (webhook, http_calls):
        monkeypatch.setattr(module, "utc_now", lambda: utc_now() + timedelta(seconds=seconds))
    problem = problem_of(access(site))
    assert (problem.failure.code, problem.certainty) == ("TARGET_CLOCK_DIFFERS", NOT_DELIVERED)
    assert words in problem.failure.message
    monkeypatch.undo()
    assert create(DOCUMENT, access(site)).external_id == "1"
    assert problem_of(access(site, secret=new_secret())).failure.code == "TARGET_AUTH"


def test_a_redirect_is_never_followed(site: SiteServer) -> None:
    site.serve("/elsewhere", '{"id": 1, "url": "https://alice.example/x"}')
    problem = problem_of(answers(site, 307, Location=f"{site.url}/elsewhere"))
    assert problem.failure.code == "PUBLISH_REJECTED"
    assert "redirect" in problem.failure.message
    assert site.requests_for("/elsewhere") == []


@pytest.mark.parametrize(
    "body",
    [
        "", "ok", "[]", "null", "{}", "[" * 30_000, '{"id": 1}', '{"url": "https://alice.example/"}',
        '{"id": "", "url": "https://alice.example/"}', '{"id": true, "url": "https://alice.example/"}',
        '{"id": 1, "url": "javascript:alert(1)"}', '{"id": 1, "url": "/blog/x"}', '{"id": 1, "url": 5}',
        '{"id": "a\\nb", "url": "https://alice.example/"}',
        f'{{"id": "{"x" * 201}", "url": "https://alice.example/"}}',
        '{"id": 1, "url": "https://user:word@alice.example/"}', '{"id": 1.5, "url": "https://alice.example/"}',
    ],
)  # fmt: skip
def test_a_success_without_a_usable_id_and_url_is_unknown(site: SiteServer, body: str) -> None:
    problem = problem_of(answers(site, 200, body))
    assert (problem.failure.code, problem.certainty) == ("PUBLISH_UNCLEAR", UNKNOWN)


def test_an_endless_answer_is_not_read(site: SiteServer) -> None:
    more = "x" * 70_000
    problem = problem_of(
        answers(site, 200, f'{{"id": 1, "url": "https://alice.example/", "more": "{more}"}}')
    )
    assert (problem.failure.code, problem.certainty) == ("PUBLISH_ENDPOINT_FAILED", UNKNOWN)


def test_a_timeout_is_unknown(site: SiteServer) -> None:
    done = threading.Event()
    site.routes["/hook"] = Reply(hold=done)
    try:
        problem = problem_of(access(site, seconds=1))
    finally:
        done.set()
    assert (problem.failure.code, problem.certainty) == ("PUBLISH_TIMEOUT", UNKNOWN)


def test_a_lost_connection_is_unknown(site: SiteServer) -> None:
    site.routes["/hook"] = Reply(hang_up=True)
    problem = problem_of(access(site))
    assert (problem.failure.code, problem.certainty) == ("PUBLISH_ENDPOINT_FAILED", UNKNOWN)


def test_a_refused_connection_is_certainly_not_delivered() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        policy = FetchPolicy("tests", allow=frozenset({("127.0.0.1", port)}))
        there = Access({"url": f"http://127.0.0.1:{port}/hook"}, SECRET, Fetcher(policy))
        problem = problem_of(there)
    assert (problem.failure.code, problem.certainty) == ("PUBLISH_ENDPOINT_FAILED", NOT_DELIVERED)


def test_an_address_that_may_not_be_called_is_not_called(site: SiteServer) -> None:
    there = Access({"url": f"{site.url}/hook"}, SECRET, Fetcher(FetchPolicy("tests")))
    problem = problem_of(there)
    assert (problem.failure.code, problem.certainty) == ("URL_NOT_ALLOWED", NOT_DELIVERED)
    assert site.requests == []


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [("120", 120, 120), ("", 60, 60), ("soon", 60, 60), ("-5", 60, 60), ("99999999", 86_400, 86_400)],
)  # fmt: skip
def test_a_rate_limit_says_how_long_to_wait(site: SiteServer, header: str, least: int, most: int) -> None:
    problem = problem_of(answers(site, 429, Retry_After=header))
    assert problem.failure.details is not None
    assert least <= problem.failure.details["retry_after_seconds"] <= most


@pytest.mark.parametrize(("ahead", "least", "most"), [(3600, 3000, 3600), (-3600, 0, 0)])
def test_a_rate_limit_may_name_a_date(site: SiteServer, ahead: int, least: int, most: int) -> None:
    moment = format_datetime(utc_now() + timedelta(seconds=ahead), usegmt=True)
    problem = problem_of(answers(site, 429, Retry_After=moment))
    assert problem.failure.details is not None
    assert least <= problem.failure.details["retry_after_seconds"] <= most


def test_a_secret_in_the_query_of_an_address_is_not_repeated(site: SiteServer) -> None:
    known = answers(site, 500)
    for path in ("/hook?token=hunter2", "/nowhere?token=hunter2"):
        there = replace(known, settings={"url": f"{site.url}{path}"})
        site.routes[path] = Reply(500)
        assert "hunter2" not in str(problem_of(there).failure.to_dict())
    gone = replace(known, settings={"url": "https://nowhere.invalid/hook?token=hunter2"})
    assert "hunter2" not in str(problem_of(gone).failure.to_dict())


def test_the_target_s_answer_is_quoted_in_short_on_one_line(site: SiteServer) -> None:
    problem = problem_of(answers(site, 400, "bad\x1b[31m\r\nslug\u202e " + "x" * 5000))
    assert problem.failure.details is not None
    said = problem.failure.details["answer"]
    assert said.startswith("bad [31m slug x")
    assert len(said) == 200
    assert problem.failure.hints == (
        f"Fix the problem the target reported: status 400, “{said}”. Then publish again.",
    )


def test_each_lookup_is_signed_and_has_its_own_message_id(site: SiteServer) -> None:
    there = answers(site, 200, '{"id": "p-1", "url": "https://alice.example/x"}')
    assert find(REFERENCE, there) == RemotePost("p-1", "https://alice.example/x", version=PUBLICATION_ID)
    find(REFERENCE, there)
    for request in site.requests:
        message = Webhook(SECRET).verify(request.body, dict(request.headers))
        assert message["type"] == "blog_post.lookup"
        assert message["data"] == {"publication_id": PUBLICATION_ID}
    ids = {request.headers["webhook-id"] for request in site.requests}
    assert len(ids) == 2
    assert PUBLICATION_ID not in ids


def test_a_lookup_answered_with_404_finds_nothing(site: SiteServer) -> None:
    assert find(REFERENCE, answers(site, 404)) is None


@pytest.mark.parametrize("status", [202, 204, 302, 400, 401, 405, 410, 429, 500])
def test_any_other_answer_to_a_lookup_is_unclear(site: SiteServer, status: int) -> None:
    there = answers(site, status)
    with pytest.raises(PublishProblem):
        find(REFERENCE, there)


def test_a_lookup_without_a_usable_answer_is_unclear(site: SiteServer) -> None:
    there = answers(site, 200, json.dumps({"found": True}))
    with pytest.raises(PublishProblem):
        find(REFERENCE, there)
