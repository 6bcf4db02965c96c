"""The HTTP client against real servers on the loopback that do everything wrong."""

from __future__ import annotations

import gzip
import socket
import threading
import time
import zlib

import pytest

from app.infra.http.errors import FetchError, FetchErrorKind
from tests.infra.conftest import OK, Behaviour, Serve, failed, fetcher, get, whole

LONG = 10.0
"""Seconds: far more than the bounds tried here need on a busy machine, far less than a peer would take."""


def test_a_response_has_status_headers_body_and_url(serve: Serve) -> None:
    server = serve(whole(b"hello", "X-Thing: 1"))
    answer = get(f"{server.url}/a?b=c", fetcher(server))
    assert (answer.status, answer.body, answer.url) == (200, b"hello", f"{server.url}/a?b=c")
    assert answer.headers["x-thing"] == "1"
    request = server.requests[0]
    assert request.startswith(b"GET /a?b=c HTTP/1.1\r\n")
    assert f"Host: 127.0.0.1:{server.port}".encode() in request
    assert b"User-Agent: Test/1" in request


def test_no_caller_replaces_the_host_and_the_user_agent(serve: Serve) -> None:
    server = serve(whole(b"hello"))
    get(server.url, fetcher(server), {"Host": "inside.example", "User-Agent": "Other/1"})
    assert b"inside.example" not in server.requests[0]
    assert b"Other/1" not in server.requests[0]


@pytest.mark.parametrize("status", [204, 304, 404, 410, 429, 500])
def test_any_status_is_returned(serve: Serve, status: int) -> None:
    server = serve(f"HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n".encode())
    assert get(server.url, fetcher(server)).status == status


@pytest.mark.parametrize(
    "answer",
    [
        OK + b"Content-Length: 100\r\n\r\nshort",
        OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        OK + b"Transfer-Encoding: chunked\r\n\r\n50\r\nhello",
        OK
        + b"Content-Length: 15\r\nContent-Encoding: gzip\r\n\r\n"
        + gzip.compress(b"hello" * 100, mtime=0)[:15],
        OK + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"hello" * 100, mtime=0)[:-9],
        b"",
    ],
)
def test_a_truncated_response_never_looks_complete(serve: Serve, answer: bytes) -> None:
    server = serve(answer)
    assert failed(server.url, fetcher(server)) is FetchErrorKind.TRUNCATED


@pytest.mark.parametrize(
    "answer",
    [
        whole(b"hello"),
        OK + b"\r\nhello",
        OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
        whole(gzip.compress(b"hello", mtime=0), "Content-Encoding: gzip"),
        whole(gzip.compress(b"hel", mtime=0) + gzip.compress(b"lo", mtime=0), "Content-Encoding: x-gzip"),
        whole(gzip.compress(b"hello", mtime=0) + b"\0" * 5, "Content-Encoding: gzip"),
        whole(
            gzip.compress(b"hel", mtime=0) + b"\0\0" + gzip.compress(b"lo", mtime=0), "Content-Encoding: gzip"
        ),
        whole(zlib.compress(b"hello"), "Content-Encoding: deflate"),
        whole(zlib.compress(b"hello", wbits=-15), "Content-Encoding: deflate"),
        whole(b"hello", "Content-Encoding: gzip"),
        whole(b"hello", "Content-Encoding: identity"),
    ],
)
def test_every_way_to_send_a_complete_body_is_supported(serve: Serve, answer: bytes) -> None:
    server = serve(answer)
    assert get(server.url, fetcher(server)).body == b"hello"


@pytest.mark.parametrize(
    "before",
    [
        b"HTTP/1.1 100 Continue\r\n\r\n",
        b"HTTP/1.1 102 Processing\r\n\r\n",
        b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n" * 3,
        b"HTTP/1.1 103 Early Hints\r\nContent-Length: 9\r\nConnection: close\r\n\r\n",
        b"HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n",
    ],
)
def test_interim_responses_are_skipped(serve: Serve, before: bytes) -> None:
    server = serve(before + whole(b"hello", "X-Kind: answer"))
    found = get(server.url, fetcher(server))
    assert (found.status, found.headers["x-kind"], found.body) == (200, "answer", b"hello")
    assert "link" not in found.headers


def test_a_203_of_a_proxy_is_read_as_200(serve: Serve) -> None:
    server = serve(whole(b"hello").replace(b"200 OK", b"203 Non-Authoritative Information"))
    assert get(server.url, fetcher(server)).status == 200


def test_a_101_that_was_not_requested_is_returned(serve: Serve) -> None:
    server = serve(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
    assert get(server.url, fetcher(server)).status == 101


@pytest.mark.parametrize(
    ("header", "frames"),
    [
        ("Content-Length: 5", True),
        ("Content-Length: 5, 5", True),
        ("Transfer-Encoding: Chunked", True),
        ("Content-Length: abc", False),
        ("Content-Length: -1", False),
        ("Content-Length:", False),
        ("Transfer-Encoding: identity", False),
        ("X-Length: 5", False),
    ],
)
def test_only_a_valid_length_or_chunks_frame_a_response(serve: Serve, header: str, frames: bool) -> None:
    server = serve(OK + f"{header}\r\n\r\nhello".encode())
    with fetcher(server).get(server.url) as response:
        assert response.is_framed is frames


@pytest.mark.parametrize(
    "answer",
    [
        whole(b"hello", "Content-Encoding: br"),
        whole(gzip.compress(b"hello", mtime=0)[:-5] + b"wrong", "Content-Encoding: gzip"),
        whole(gzip.compress(b"hello", mtime=0) + b"junk", "Content-Encoding: gzip"),
        whole(
            gzip.compress(b"hel", mtime=0) + b"\x1f" + gzip.compress(b"lo", mtime=0)[2:],
            "Content-Encoding: gzip",
        ),
        whole(zlib.compress(b"hel") + gzip.compress(b"lo", mtime=0), "Content-Encoding: deflate"),
        b"SSH-2.0-OpenSSH_9\r\n",
    ],
)
def test_invalid_http_and_unrequested_compression_are_protocol_errors(serve: Serve, answer: bytes) -> None:
    server = serve(answer)
    assert failed(server.url, fetcher(server)) is FetchErrorKind.PROTOCOL


def test_a_body_over_the_limit_is_refused_before_and_after_decompression(serve: Serve) -> None:
    plain = serve(whole(b"x" * 2000))
    bomb = serve(whole(gzip.compress(b"\0" * 100_000_000, mtime=0), "Content-Encoding: gzip"))
    outbound = fetcher(plain, bomb, max_bytes=1000)
    assert failed(plain.url, outbound) is FetchErrorKind.TOO_LARGE
    bounded = fetcher(plain, bomb, max_bytes=200_000)
    assert failed(bomb.url, bounded) is FetchErrorKind.TOO_LARGE


def test_an_endless_body_ends_at_the_limit(serve: Serve) -> None:
    def pour(connection: socket.socket, _: bytes) -> None:
        connection.sendall(OK + b"\r\n")
        while True:
            connection.sendall(b"x" * 65536)

    server = serve(pour)
    assert failed(server.url, fetcher(server)) is FetchErrorKind.TOO_LARGE


def _drip(start: bytes, byte: bytes) -> Behaviour:
    def behave(connection: socket.socket, _: bytes) -> None:
        connection.sendall(start)
        pause = threading.Event()
        while not pause.wait(0.02):
            connection.sendall(byte)

    return behave


@pytest.mark.parametrize(
    "behave",
    [
        _drip(OK + b"\r\n", b"x"),
        _drip(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"1"),
        _drip(OK + b"X-Long: ", b"x"),
        _drip(b"", b"\r\n"),
        _drip(b"HTTP/1.1 100 Continue\r\n\r\n", b"H"),
        _drip(b"", b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    ],
)
def test_a_slow_server_reaches_the_total_deadline(serve: Serve, behave: Behaviour) -> None:
    server = serve(behave)
    started = time.monotonic()
    kind = failed(server.url, fetcher(server, total_seconds=0.4))
    assert kind in (FetchErrorKind.TIMEOUT, FetchErrorKind.PROTOCOL)
    assert time.monotonic() - started < LONG


def test_a_slow_body_times_out_long_before_the_total_deadline(serve: Serve) -> None:
    head, body = serve(_drip(OK + b"X-Long: ", b"x")), serve(_drip(OK + b"\r\n", b"x"))
    started = time.monotonic()
    assert failed(head.url, fetcher(head, total_seconds=30, header_timeout=0.3)) is FetchErrorKind.TIMEOUT
    assert failed(body.url, fetcher(body, total_seconds=30, read_timeout=0.3)) is FetchErrorKind.TIMEOUT
    assert time.monotonic() - started < LONG


def _wait(connection: socket.socket, _: bytes) -> None:
    connection.recv(1)


def test_a_silent_server_reaches_the_read_timeout(serve: Serve) -> None:
    server = serve(_wait)
    assert failed(server.url, fetcher(server, read_timeout=0.2)) is FetchErrorKind.TIMEOUT


@pytest.mark.parametrize("head", [b"Content-Length: 9\r\n", b"Connection: close\r\n"])
def test_silence_in_a_body_reaches_the_total_deadline(serve: Serve, head: bytes) -> None:
    def behave(connection: socket.socket, request: bytes) -> None:
        connection.sendall(OK + head + b"\r\nx")
        _wait(connection, request)

    server = serve(behave)
    started = time.monotonic()
    assert failed(server.url, fetcher(server, total_seconds=0.3)) is FetchErrorKind.TIMEOUT
    assert time.monotonic() - started < LONG


def test_a_call_may_set_its_own_deadline(serve: Serve) -> None:
    server = serve(_wait)
    with pytest.raises(FetchError, match="in time"):
        fetcher(server).request("POST", server.url, b"", total_seconds=0.2)


def test_a_stop_ends_reading_between_chunks(serve: Serve) -> None:
    server = serve(_drip(OK + b"\r\n", b"x"))
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        return len(asked) > 3

    assert failed(server.url, fetcher(server, should_stop=stop)) is FetchErrorKind.STOPPED


def test_a_closed_port_is_refused_and_nothing_was_sent(serve: Serve) -> None:
    server = serve(b"")
    server.close()
    with pytest.raises(FetchError) as error:
        fetcher(server).request("POST", server.url, b"{}")
    assert (error.value.kind, error.value.sent) == (FetchErrorKind.REFUSED, False)


def test_a_name_without_an_address_is_a_dns_failure() -> None:
    assert failed("http://nothing.invalid-name.example/", fetcher()) is FetchErrorKind.DNS


def test_cookies_and_proxies_are_ignored(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    server = serve(whole(b"hello", "Set-Cookie: a=b"))
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    outbound = fetcher(server)
    get(server.url, outbound)
    get(server.url, outbound)
    assert not any(b"cookie" in request.lower() for request in server.requests)


def test_an_error_never_repeats_what_may_be_secret(serve: Serve) -> None:
    server = serve(OK + b"Content-Length: 9\r\n\r\n")
    with pytest.raises(FetchError) as error:
        get(f"{server.url}/?token=s3cret", fetcher(server), {"Authorization": "s3cret"})
    assert "s3cret" not in f"{error.value} {error.value!r} {error.value.message}"


def test_a_header_with_a_line_break_is_never_sent(serve: Serve) -> None:
    server = serve(whole(b"hello"))
    assert failed(server.url, fetcher(server), {"X-A": "1\r\nX-B: 2"}) is FetchErrorKind.PROTOCOL
    assert not any(b"X-B" in request for request in server.requests)
