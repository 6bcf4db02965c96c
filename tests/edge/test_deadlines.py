"""What becomes of clients that send or read slowly, of idle ones, and of those that come when it ends."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from threading import Event
from typing import Any

import pytest

from app.edge import listener
from app.edge.channel import LINGER, PATIENCE, SLOWEST
from app.edge.refusal import REFUSED
from tests.edge.conftest import MakeEdge

GET = b"GET /a HTTP/1.1\r\nHost: service.example\r\n\r\n"
POST = b"POST /a HTTP/1.1\r\nHost: service.example\r\nContent-Length: 100000\r\n\r\n"
LARGE = 50_000_000


def app(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
    """Answers with the length of the body, with a large body, or with the status of a refusal."""
    if REFUSED in environ:
        start(f"{environ[REFUSED]} Refused", [("Content-Length", "7")])
        return [b"refused"]
    if environ["PATH_INFO"] == "/large":
        start("200 OK", [("Content-Length", str(LARGE))])
        return [b"x" * LARGE]
    body = str(len(environ["wsgi.input"].read())).encode()
    start("200 OK", [("Content-Length", str(len(body)))])
    return [body]


@pytest.mark.parametrize("sent", [b"GET /a HT", GET[:-2], GET[:-2] + b"X-Slow: a", POST, POST + b"a"])
def test_a_request_that_is_not_there_in_time_is_refused_and_cut(edge: MakeEdge, sent: bytes) -> None:
    it = edge(app)
    client = it.connect(sent)
    for _ in range(int(PATIENCE) - 1):
        it.pass_time(1)
        client.send(b"a")
    assert unread(client)
    it.pass_time(3)
    assert b" 408 " in it.answer(client)
    it.until(lambda: it.pass_time(LINGER + 1) or not it.listener.active_channels, "the connection is closed")


def test_a_body_may_take_long_as_long_as_it_gets_on(edge: MakeEdge) -> None:
    it = edge(app)
    client = it.connect(POST)
    for _ in range(5):
        it.pass_time(1)
        assert client.send(b"x" * 20_000) == 20_000
        it.pass_time(PATIENCE)
    assert it.answer(client).endswith(b"\r\n\r\n100000")


def test_headers_that_get_on_have_to_end_nevertheless(edge: MakeEdge) -> None:
    it = edge(app)
    client = it.connect(GET[:-2] + b"X-Slow: " + b"a" * SLOWEST)
    for _ in range(int(PATIENCE) + 2):
        it.pass_time(1)
        client.send(b"a" * 2 * SLOWEST)
    assert b" 408 " in it.answer(client)


def test_a_response_that_nobody_reads_is_given_up(edge: MakeEdge) -> None:
    it = edge(app)
    client = it.connect(b"GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
    it.until(lambda: not unread(client), "the response begins")
    (channel,) = it.listener.active_channels.values()
    it.until(lambda: channel.total_outbufs_len and not channel.requests, "the thread is free again")
    it.pass_time(PATIENCE + 2)
    assert not it.listener.active_channels
    with pytest.raises(ConnectionResetError):
        it.rest(client)


def test_one_connection_serves_many_requests_until_it_is_idle_for_too_long(
    edge: MakeEdge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listener, "KEPT", 1)  # which applies to busy processes only
    it = edge(app, keep_alive=5)
    client = it.connect(GET)
    for _ in range(3):
        assert it.answer(client).startswith(b"HTTP/1.1 200")
        it.pass_time(4)
        client.send(GET)
    it.answer(client)
    it.pass_time(6)
    assert it.rest(client) == b""


def test_a_connection_without_a_request_is_closed(edge: MakeEdge) -> None:
    it = edge(app)
    it.connect()
    blank = it.connect()
    for _ in range(int(PATIENCE) + 2):
        it.pass_time(1)
        if len(it.listener.active_channels) == 2:
            blank.send(b"\r\n\r\n")
    it.until(lambda: not it.listener.active_channels, "both are closed")


def test_without_keep_alive_each_response_is_the_last(edge: MakeEdge) -> None:
    it = edge(app, keep_alive=0)
    assert b"Connection: close\r\n" in it.rest(it.connect(GET))


def test_a_busy_process_keeps_no_connection_for_long(edge: MakeEdge, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener, "BUSY", 0)  # the thread that answers is enough
    it = edge(app, keep_alive=5)
    client = it.connect(GET)
    for _ in range(listener.KEPT - 1):
        assert b"Connection: close" not in it.answer(client)
        client.send(GET)
    assert b"Connection: close\r\n" in it.rest(client)


def test_a_stopped_listener_answers_what_has_begun_and_what_was_waiting(edge: MakeEdge) -> None:
    it = edge(app)
    kept, begun = it.connect(GET), it.connect(POST + b"x" * 99_999)
    it.answer(kept)
    waiting = socket.create_connection(("127.0.0.1", it.port))
    waiting.sendall(GET)
    waiting.setblocking(False)
    it.listener.stop()
    begun.send(b"x")
    kept.send(GET)
    for client in (begun, kept, waiting):
        answer = it.rest(client)
        assert answer.startswith(b"HTTP/1.1 200")
        assert b"Connection: close\r\n" in answer
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", it.port))
    assert not it.listener.active_channels


def test_a_stopped_listener_closes_idle_connections_soon(edge: MakeEdge) -> None:
    it = edge(app)
    client = it.connect(GET)
    it.answer(client)
    it.listener.stop()
    it.pass_time(LINGER + 1)
    assert it.rest(client) == b""


def test_the_oldest_connection_that_waits_makes_room(edge: MakeEdge) -> None:
    it = edge(app)
    crowd = [it.connect(POST + b"x") for _ in range(10)]
    it.connect(GET)
    with pytest.raises(ConnectionResetError):
        it.rest(crowd[0])
    assert all(unread(each) for each in crowd[1:])


def test_a_connection_that_is_being_answered_makes_no_room(edge: MakeEdge) -> None:
    let_go = Event()

    def slow(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
        let_go.wait(PATIENCE)
        return app(environ, start)

    it = edge(slow)
    served = it.connect(GET)
    (channel,) = it.listener.active_channels.values()
    it.until(lambda: not channel.waits_for_client, "the thread has the request")
    crowd = [it.connect(POST + b"x") for _ in range(10)]
    with pytest.raises(ConnectionResetError):
        it.rest(crowd[0])
    let_go.set()
    assert it.answer(served).startswith(b"HTTP/1.1 200")


def test_bodies_that_are_not_complete_hold_no_more_than_their_share(
    edge: MakeEdge, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = edge(app)
    small, large = it.connect(POST + b"x" * 100), it.connect(POST + b"x" * 1000)
    monkeypatch.setattr(listener, "MOST_UNFINISHED_BYTES", 1050)
    it.until(lambda: it.listener.maintenance(0) or len(it.listener.active_channels) == 1, "one is cut")
    with pytest.raises(ConnectionResetError):
        it.rest(large)
    assert unread(small)


def unread(client: socket.socket) -> bool:
    """Whether nothing came yet, and the connection is open."""
    try:
        client.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return True
    return False
