"""Redirects never lead to private addresses and never leak credentials."""

from __future__ import annotations

import socket

import pytest

from app.infra.http.errors import FetchErrorKind
from app.infra.http.redirects import headers_for
from tests.infra.conftest import Serve, failed, fetcher, get, redirect, whole


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed_and_the_final_url_returned(serve: Serve, status: int) -> None:
    def behave(connection: socket.socket, request: bytes) -> None:
        first = request.startswith(b"GET /a ")
        connection.sendall(redirect("b/ü", status) if first else whole(b"there"))

    server = serve(behave)
    answer = get(f"{server.url}/a", fetcher(server))
    assert (answer.body, answer.url) == (b"there", f"{server.url}/b/ü")


def test_a_redirect_loop_ends_after_five(serve: Serve) -> None:
    server = serve(redirect("/again"))
    assert failed(server.url, fetcher(server)) is FetchErrorKind.REDIRECT
    assert server.connections == 6


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "[::1]", "2130706433", "user@127.0.0.1", "0.0.0.0"]
)
def test_a_redirect_to_a_private_address_is_not_followed(serve: Serve, host: str) -> None:
    canary = serve(whole(b"secret"))
    server = serve(redirect(f"http://{host}:{canary.port}/"))
    assert failed(server.url, fetcher(server)) is FetchErrorKind.BLOCKED
    assert canary.connections == 0


@pytest.mark.parametrize(
    "location", ["ftp://example.com/", "file:///etc/passwd", "http://[", "http://a\\b.com/"]
)
def test_a_redirect_to_anything_but_a_web_address_is_refused(serve: Serve, location: str) -> None:
    server = serve(redirect(location))
    assert failed(server.url, fetcher(server)) in (FetchErrorKind.BLOCKED, FetchErrorKind.REDIRECT)


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/", "http://localhost/", "http://169.254.169.254/", "ftp://a.com/"]
)
def test_private_addresses_are_refused_before_any_request(url: str) -> None:
    assert failed(url, fetcher()) is FetchErrorKind.BLOCKED


def test_a_name_that_resolves_to_a_private_address_is_refused(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    canary = serve(whole(b"secret"))
    public = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 80))
    private = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 80))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [public, private])
    assert failed("http://rebound.example.com/", fetcher(canary)) is FetchErrorKind.BLOCKED


def test_credentials_stay_with_their_host(serve: Serve) -> None:
    def bounce(connection: socket.socket, request: bytes) -> None:
        connection.sendall(redirect("/own" if b"GET / " in request else f"{other.url}/x"))

    other = serve(whole(b"there"))
    server = serve(bounce)
    headers = {"Authorization": "Bearer s3cret", "X-API-Key": "s3cret", "Accept": "text/xml"}
    assert get(server.url, fetcher(server, other), headers).body == b"there"
    assert all(b"s3cret" in request for request in server.requests)
    assert b"s3cret" not in other.requests[0]
    assert b"Accept: text/xml" in other.requests[0]


@pytest.mark.parametrize(
    ("target", "is_same"),
    [("https://a.example/x", True), ("http://a.example/x", False), ("https://a.example:8443/", False),
     ("https://b.a.example/", False), ("https://a.example.evil.example/", False)],
)  # fmt: skip
def test_a_secret_stays_with_its_scheme_host_and_port(target: str, is_same: bool) -> None:
    headers = {"X-API-Key": "s3cret", "Accept": "text/xml"}
    kept = headers if is_same else {"Accept": "text/xml"}
    assert headers_for(headers, "https://a.example/", target) == kept


@pytest.mark.parametrize("status", [301, 307, 308])
def test_a_post_never_follows_a_redirect(serve: Serve, status: int) -> None:
    server = serve(redirect("/elsewhere", status))
    answer = fetcher(server).request(
        "POST", f"{server.url}/hook", b'{"a": 1}', {"Content-Type": "application/json"}
    )
    assert (answer.status, answer.headers["location"]) == (status, "/elsewhere")
    assert len(server.requests) == 1
    assert server.requests[0].endswith(b'\r\n\r\n{"a": 1}')
