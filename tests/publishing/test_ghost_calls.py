"""Calls to Ghost: addresses and keys as they are entered, and a failure for every answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
from flask import Flask

from app.config import load_settings
from app.failures import ServiceFailure
from app.publishing.targets.base import NOT_DELIVERED, UNKNOWN, PublishProblem
from app.publishing.targets.ghost import api
from app.publishing.targets.ghost.html import with_cards
from app.publishing.targets.ghost.kind import GHOST, checked_key, create, delete, find, unpublish
from tests.support.environment import settings_environment
from tests.support.ghosts import Blog, document, reference
from tests.support.servers import Reply, SiteServer

POSTS = "/ghost/api/admin/posts/"
ADMIN_KEY = f"{'0123456789abcdef01234567'}:{'ab' * 32}"
POST = {
    "id": "1", "slug": "a", "title": "A", "status": "draft", "updated_at": "2026-01-01T00:00:00.000Z",
    "url": "https://alice.example/p/1/",
}  # fmt: skip


@pytest.fixture
def context() -> Iterator[None]:
    """What checks of settings need of the application."""
    app = Flask(__name__)
    app.extensions["settings"] = load_settings(settings_environment(FETCH_ALLOW="127.0.0.1:2368"))
    with app.app_context():
        yield


def problem_of(ghost: Blog, reply: Reply) -> PublishProblem:
    """What becomes of a new post if Ghost answers this."""
    assert ghost.site is not None
    ghost.site.routes[POSTS] = reply
    with pytest.raises(PublishProblem) as caught:
        create(document(), ghost.access())
    return caught.value


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(
    ("entered", "stored"),
    [
        ("https://alice.example", "https://alice.example/"),
        ("alice.example", "https://alice.example/"),
        (" https://Alice.example/ghost/ ", "https://alice.example/"),
        ("https://alice.example/ghost/#/settings/integrations/1", "https://alice.example/"),
        ("https://alice.example/ghost/api/admin/", "https://alice.example/"),
        ("https://alice.example/blog/ghost/api/admin/posts/?limit=1", "https://alice.example/blog/"),
        ("https://alice.example/blog", "https://alice.example/blog/"),
        ("https://alice.example/ghostly/", "https://alice.example/ghostly/"),
        ("https://ghost.alice.example/ghost", "https://ghost.alice.example/"),
        ("http://127.0.0.1:2368/ghost/", "http://127.0.0.1:2368/"),
    ],
)
def test_any_address_of_the_site_is_understood(entered: str, stored: str) -> None:
    settings = GHOST.checked_settings({"url": entered})
    assert settings == {"url": stored, "default_status": "live"}


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(
    "entered",
    ["http://alice.example/", "https://127.0.0.1/", "http://127.0.0.1:2369/", "ftp://alice.example/", "x y"],
)
def test_an_address_that_is_not_safe_is_refused(entered: str) -> None:
    with pytest.raises(ServiceFailure) as caught:
        GHOST.checked_settings({"url": entered})
    assert caught.value.failure.code == "URL_NOT_ALLOWED"
    assert caught.value.errors[0]["field"] == "/settings/url"


@pytest.mark.usefixtures("context")
def test_new_posts_are_live_or_drafts() -> None:
    settings = {"url": "https://alice.example/", "default_status": "draft"}
    assert GHOST.checked_settings(settings) == settings
    with pytest.raises(ServiceFailure):
        GHOST.checked_settings({**settings, "default_status": "published"})


@pytest.mark.parametrize(
    "entered", [ADMIN_KEY, f" {ADMIN_KEY.upper()}\n", f"Admin API key {ADMIN_KEY} Regenerate"]
)
def test_a_pasted_admin_key_is_understood(entered: str) -> None:
    assert checked_key(entered, "/secret") == ADMIN_KEY


@pytest.mark.parametrize(
    ("entered", "words"),
    [
        ("0123456789abcdef0123456789", "This is the Content API key"),
        (ADMIN_KEY[:-1], "not an Admin API key"),
        (f"{ADMIN_KEY}0", "not an Admin API key"),
        ("secret", "not an Admin API key"),
    ],
)
def test_another_key_is_refused_without_being_repeated(entered: str, words: str) -> None:
    with pytest.raises(ServiceFailure) as caught:
        checked_key(entered, "/secret")
    (error,) = caught.value.errors
    assert error["field"] == "/secret"
    assert words in error["message"]
    assert entered not in error["message"]


@pytest.mark.parametrize(
    ("status", "code", "certainty"),
    [
        (301, "TARGET_API_NOT_FOUND", UNKNOWN),
        (400, "PUBLISH_REJECTED", NOT_DELIVERED),
        (401, "TARGET_AUTH", NOT_DELIVERED),
        (403, "TARGET_FORBIDDEN", NOT_DELIVERED),
        (404, "TARGET_API_NOT_FOUND", NOT_DELIVERED),
        (408, "PUBLISH_TIMEOUT", UNKNOWN),
        (409, "PUBLISH_REJECTED", NOT_DELIVERED),
        (413, "PUBLISH_REJECTED", NOT_DELIVERED),
        (422, "PUBLISH_REJECTED", NOT_DELIVERED),
        (429, "TARGET_RATE_LIMITED", NOT_DELIVERED),
        (500, "PUBLISH_ENDPOINT_FAILED", UNKNOWN),
        (503, "PUBLISH_ENDPOINT_FAILED", UNKNOWN),
        (202, "PUBLISH_ENDPOINT_FAILED", UNKNOWN),
        (204, "PUBLISH_ENDPOINT_FAILED", UNKNOWN),
    ],
)
def test_each_status_has_its_failure_and_certainty(
    look_alike: Blog, status: int, code: str, certainty: str
) -> None:
    body = b"" if status == 204 else b"<h1>Some\r\n page</h1>"
    problem = problem_of(look_alike, Reply(status, {"Content-Type": "text/html"}, body))
    assert (problem.failure.code, problem.certainty) == (code, certainty)
    details = problem.failure.details
    assert details is not None
    assert (details["status"], details["address"]) == (status, f"{look_alike.url}{POSTS}")
    assert details["answer"] in ("", "<h1>Some page</h1>")


@pytest.mark.parametrize(
    "answer",
    [
        None, [], {}, {"posts": None}, {"posts": []}, {"posts": [POST, POST]}, {"posts": ["x"]},
        {"posts": [{**POST, "id": None}]}, {"posts": [{**POST, "url": "javascript:alert(1)"}]},
        {"posts": [{**POST, "status": "lost"}]}, {"posts": [{**POST, "updated_at": 5}]},
    ],
)  # fmt: skip
def test_a_success_without_the_post_is_unknown(look_alike: Blog, answer: object) -> None:
    problem = problem_of(look_alike, Reply(201, {}, json.dumps(answer).encode()))
    assert (problem.failure.code, problem.certainty) == ("PUBLISH_ENDPOINT_FAILED", UNKNOWN)


@pytest.mark.parametrize("errors", [[], None, "x", [None], [{"message": None, "details": [None, {}]}]])
def test_an_unusual_error_is_still_a_refusal(look_alike: Blog, errors: object) -> None:
    problem = problem_of(look_alike, Reply(422, {}, json.dumps({"errors": errors}).encode()))
    assert (problem.failure.code, problem.certainty) == ("PUBLISH_REJECTED", NOT_DELIVERED)


def test_a_refusal_is_reported_in_ghost_s_own_words(ghost: Blog) -> None:
    with pytest.raises(PublishProblem) as caught:
        create(document(slug="x" * 200), ghost.access())
    failure = caught.value.failure
    assert (failure.code, caught.value.certainty) == ("PUBLISH_REJECTED", NOT_DELIVERED)
    assert "Validation error, cannot save post. Validation failed for slug." in failure.hints[0]


def test_a_key_that_was_withdrawn_is_reported_on_publishing(ghost: Blog) -> None:
    access = ghost.access(key=f"{'0' * 24}:{ghost.key[25:]}")
    sent = document()
    for call in (lambda: find(reference(sent), access), lambda: create(sent, access)):
        with pytest.raises(PublishProblem) as caught:
            call()
        failure = caught.value.failure
        assert (failure.code, caught.value.certainty) == ("TARGET_AUTH", NOT_DELIVERED)
        assert failure.details is not None
        assert failure.details["answer"] == "Unknown Admin API Key"
        assert ghost.key[25:] not in str(failure.to_dict())
        assert "eyJ" not in str(failure.to_dict())


def test_only_ghost_itself_can_say_that_a_post_is_gone(look_alike: Blog) -> None:
    sent = document()
    draft = create(sent, look_alike.access())
    assert look_alike.site is not None
    look_alike.site.routes[f"{POSTS}{draft.external_id}/"] = Reply(404, {}, b"<h1>Not found</h1>")
    for call in (
        lambda: find(reference(sent, draft.external_id), look_alike.access()),
        lambda: delete(draft, look_alike.access()),
        lambda: unpublish(draft, look_alike.access()),
    ):
        with pytest.raises(PublishProblem) as caught:
            call()
        assert caught.value.failure.code == "TARGET_API_NOT_FOUND"


def test_the_token_goes_to_no_other_host(look_alike: Blog, site: SiteServer) -> None:
    problem_of(look_alike, Reply(307, {"Location": f"{site.url}{POSTS}"}))
    assert site.requests == []


def test_each_call_has_a_token_of_its_own_time(look_alike: Blog) -> None:
    token = api.token(look_alike.access())
    assert re.fullmatch(r"[\w-]+\.[\w-]+\.[\w-]+", token)
    assert api.request(look_alike.access(), "GET", "config/").status == 200
    assert look_alike.site is not None
    (request,) = look_alike.site.requests
    assert request.headers["accept-version"] == "v5.0"
    assert request.headers["authorization"].startswith("Ghost eyJ")


@pytest.mark.parametrize(
    "html",
    [
        "<p>a <code>b</code> <a href='https://x.example/'>c</a></p>", "<h2>a</h2>", "<hr>",
        "<p><img src='https://x.example/y.png' alt='y'></p>", "<pre><code>a\n  b</code></pre>",
        "<ul><li>a<ul><li>b</li></ul></li><li><p>c</p></li></ul>", "<blockquote><p>a</p></blockquote>",
    ],
)  # fmt: skip
def test_what_ghost_s_editor_knows_is_no_card(html: str) -> None:
    assert "kg-card" not in with_cards(html)


@pytest.mark.parametrize(
    "html",
    [
        "<table><tr><td>a</td></tr></table>", "<h2 id='a'>a</h2>", "<ul><li><p>a</p><p>b</p></li></ul>",
        "<ul><li>a<pre><code>b</code></pre></li></ul>", "<blockquote><p>a</p><p>b</p></blockquote>",
        "<blockquote><ul><li>a</li></ul></blockquote>", "<p>a <img src='https://x.example/y.png'></p>",
        "<p><a href='https://x.example/'><img src='https://x.example/y.png'></a></p>",
        "<ul><li>a<ul><li>b</li></ul>c</li></ul>", "<ul><li>a<ul><li><p>b</p><p>c</p></li></ul></li></ul>",
    ],
)  # fmt: skip
def test_what_ghost_s_editor_would_lose_is_a_card(html: str) -> None:
    assert with_cards(f"<p>before</p>\n{html}\n<p>after</p>").count("kg-card-begin: html") == 1


def test_an_empty_text_stays_empty() -> None:
    assert with_cards("") == ""
