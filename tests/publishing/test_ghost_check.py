"""The test of a Ghost target: how far it gets, and what it tells a marketer to do."""

from __future__ import annotations

import json
import socket
from dataclasses import replace
from datetime import timedelta

import pytest

from app.infra.clock import utc_now
from app.publishing.targets import http_calls
from app.publishing.targets.base import CHECK_NAMES, Access, CheckStep
from app.publishing.targets.ghost import api
from app.publishing.targets.ghost.kind import GHOST
from tests.support.gateway import Forward
from tests.support.ghosts import Blog
from tests.support.servers import Reply, Request, SiteServer

SITE = "/ghost/api/admin/site/"
CONFIG = "/ghost/api/admin/config/"
PAGE = {"Content-Type": "text/html"}


def steps(access: Access) -> list[CheckStep]:
    return list(GHOST.check(access))


def failed(access: Access) -> tuple[str, str, str]:
    """The step that failed, which is the last one: its name, code and hints."""
    found = steps(access)
    assert [step.name for step in found] == list(CHECK_NAMES[: len(found)])
    assert all(step.failure is None for step in found[:-1])
    last = found[-1].failure
    assert last is not None
    for hidden in ((access.secret or "no key at all")[-12:], "eyJ"):
        assert hidden not in str(last.to_dict())
    return found[-1].name, last.code, " ".join(last.hints)


def served(ghost: Blog, path: str, reply: Reply) -> Access:
    """Access to a look-alike that answers one path otherwise."""
    assert ghost.site is not None
    ghost.site.routes[path] = reply
    return ghost.access()


def test_a_good_key_passes_every_step(ghost: Blog) -> None:
    found = steps(ghost.access())
    assert [(step.name, step.failure) for step in found] == [(name, None) for name in CHECK_NAMES]
    assert ghost.name == "look-alike" or f"Ghost {ghost.name}." in found[1].message


def test_the_test_changes_nothing(look_alike: Blog) -> None:
    steps(look_alike.access())
    assert look_alike.site is not None
    assert {request.method for request in look_alike.site.requests} == {"GET"}


def test_a_site_that_does_not_answer_is_not_reachable(look_alike: Blog) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        name, code, _ = failed(look_alike.access(url))
    assert (name, code) == ("reachable", "PUBLISH_ENDPOINT_FAILED")


@pytest.mark.parametrize("path", ["/blog", "/ghost-blog"])
def test_a_wrong_folder_is_not_ghost(ghost: Blog, path: str) -> None:
    access = ghost.access()
    elsewhere = replace(access, settings={"url": f"{ghost.url}{path}/"})
    name, code, hints = failed(elsewhere)
    assert (name, code) == ("api_found", "TARGET_API_NOT_FOUND")
    assert "API URL" in hints


@pytest.mark.parametrize(
    ("reply", "hint"),
    [
        (Reply(404, PAGE, b"<h1>Not here</h1>"), "runs on Ghost"),
        (Reply(200, PAGE, b"<form>Please sign in</form>"), "runs on Ghost"),
        (Reply(200, {}, b'{"site": []}'), "runs on Ghost"),
        (Reply(401, {**PAGE, "WWW-Authenticate": "Basic"}, b"<h1>Password</h1>"), "asks for a password"),
        (Reply(403, PAGE, b"<h1>Forbidden</h1>"), "firewall"),
        (Reply(200, {}, b'{"site": {"version": "4.48"}}'), "Ghost 5 or newer"),
    ],
)
def test_a_site_without_the_api_says_what_may_be_the_reason(
    look_alike: Blog, reply: Reply, hint: str
) -> None:
    name, code, hints = failed(served(look_alike, SITE, reply))
    assert (name, code) == ("api_found", "TARGET_API_NOT_FOUND")
    assert hint in hints


def test_a_redirect_names_the_address_to_enter(look_alike: Blog) -> None:
    location = "https://www.alice.example/blog/ghost/api/admin/site/?x=1"
    name, code, hints = failed(served(look_alike, SITE, Reply(301, {"Location": location})))
    assert (name, code) == ("api_found", "TARGET_API_NOT_FOUND")
    assert hints.endswith(" https://www.alice.example/blog/")


@pytest.mark.parametrize("location", ["", "javascript:alert(1)", "https://u:p@alice.example/", "http://[x/"])
def test_a_redirect_without_a_usable_address_names_none(look_alike: Blog, location: str) -> None:
    name, _, hints = failed(served(look_alike, SITE, Reply(301, {"Location": location})))
    assert name == "api_found"
    assert "alice.example" not in hints
    assert "javascript" not in hints


@pytest.mark.parametrize(("status", "code"), [(429, "TARGET_RATE_LIMITED"), (503, "PUBLISH_ENDPOINT_FAILED")])
def test_a_site_that_is_busy_is_not_taken_for_another_system(
    look_alike: Blog, status: int, code: str
) -> None:
    assert failed(served(look_alike, SITE, Reply(status)))[:2] == ("api_found", code)


def test_an_unknown_key_is_refused(ghost: Blog) -> None:
    name, code, hints = failed(ghost.access(key=f"{'0' * 24}:{ghost.key[25:]}"))
    assert (name, code) == ("signed_in", "TARGET_AUTH")
    assert "Copy the Admin API key" in hints


def test_a_key_with_a_wrong_secret_is_refused(ghost: Blog) -> None:
    name, code, hints = failed(ghost.access(key=f"{ghost.key[:24]}:{'0' * 64}"))
    assert (name, code) == ("signed_in", "TARGET_AUTH")
    assert "Copy the Admin API key" in hints


def test_a_missing_key_is_reported(look_alike: Blog) -> None:
    assert failed(replace(look_alike.access(), secret=None))[:2] == ("signed_in", "TARGET_AUTH")


def test_clocks_that_differ_are_reported(look_alike: Blog) -> None:
    assert look_alike.site is not None
    look_alike.site.ahead = 600
    name, code, hints = failed(look_alike.access())
    assert (name, code) == ("signed_in", "TARGET_AUTH")
    assert "clocks" in hints


def test_a_clock_of_ours_that_is_behind_is_reported(ghost: Blog, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (api, http_calls):
        monkeypatch.setattr(module, "utc_now", lambda: utc_now() - timedelta(seconds=301))
    name, code, _ = failed(ghost.access())
    assert (name, code) == ("signed_in", "TARGET_CLOCK_DIFFERS")


def test_a_proxy_that_removes_the_signature_is_reported(ghost: Blog) -> None:
    def unsigned(request: Request, forward: Forward) -> Reply:
        headers = {name: value for name, value in request.headers.items() if name != "authorization"}
        return forward(replace(request, headers=headers))

    gateway = ghost.gateway()
    gateway.spoil(lambda _: True, unsigned)
    try:
        name, code, hints = failed(ghost.access(gateway.url))
    finally:
        gateway.close()
    assert (name, code) == ("signed_in", "TARGET_FORBIDDEN")
    assert "Authorization header" in hints


@pytest.mark.parametrize("body", [b"<form>Please sign in</form>", b"{}", b'{"config": {}}', b"[]"])
def test_a_login_page_instead_of_an_answer_is_no_success(look_alike: Blog, body: bytes) -> None:
    name, code, _ = failed(served(look_alike, CONFIG, Reply(200, PAGE, body)))
    assert (name, code) == ("signed_in", "PUBLISH_ENDPOINT_FAILED")


@pytest.mark.parametrize("role", ["Owner", "Administrator", "Editor", "Author"])
def test_the_token_of_a_person_who_may_publish_is_enough(look_alike: Blog, role: str) -> None:
    assert look_alike.site is not None
    look_alike.site.roles = (role,)
    found = steps(look_alike.access())
    assert [step.failure for step in found] == [None] * 5
    assert role in found[3].message


def test_the_token_of_a_contributor_may_not_publish(look_alike: Blog) -> None:
    assert look_alike.site is not None
    look_alike.site.roles = ("Contributor",)
    name, code, hints = failed(look_alike.access())
    assert (name, code) == ("may_publish", "TARGET_FORBIDDEN")
    assert "custom integration" in hints


@pytest.mark.parametrize("answer", [[], {}, {"users": []}, {"users": [{"roles": None}]}, {"users": [{}]}])
def test_an_unreadable_role_is_no_success(look_alike: Blog, answer: object) -> None:
    reply = Reply(200, {}, json.dumps(answer).encode())
    name, code, _ = failed(served(look_alike, "/ghost/api/admin/users/me/", reply))
    assert (name, code) == ("may_publish", "PUBLISH_ENDPOINT_FAILED")


def test_a_redirect_is_never_followed(look_alike: Blog, site: SiteServer) -> None:
    failed(served(look_alike, CONFIG, Reply(307, {"Location": f"{site.url}{CONFIG}"})))
    assert site.requests == []
