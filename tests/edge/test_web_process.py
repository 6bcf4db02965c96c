"""The web process of the Procfile among slow clients, and when it is asked to end."""

from __future__ import annotations

import errno
import http.client
import socket
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest

from app.edge.channel import LINGER, PATIENCE
from tests.support.processes import RunService, Service
from tests.support.slow_clients import SlowClients
from tests.support.waiting import PATIENCE as SECONDS
from tests.support.waiting import eventually

FORM = b"email=a%40example.com&password=none"
POST = (
    b"POST /sign-in HTTP/1.1\r\nHost: service.example\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: %d\r\n\r\n" % len(FORM)
)
PAGES = ("/sign-in", "/health/live", "/health/ready", "/public-api/account")
P95 = 0.3


@pytest.mark.smoke
def test_slow_clients_take_no_thread_and_a_begun_request_is_answered_after_sigterm(
    run_service: RunService,
) -> None:
    service = run_service("web", WEB_CONCURRENCY="1")
    with dripping(service, {"headers": 10, "body": 10}, pause=0.1):
        assert [status(service, path) for path in PAGES] == [200, 200, 200, 401]
        begun = socket.create_connection(("127.0.0.1", service.port), timeout=SECONDS)
        begun.sendall(POST)
        assert status(service, "/health/live") == 200  # so the connection before it is accepted
        service.signal("web")
        eventually(lambda: is_refused(service), "no connection is accepted any more")
        begun.sendall(FORM)
        answer = http.client.HTTPResponse(begun)
        answer.begin()
        assert (answer.status, answer.getheader("Connection")) == (400, "close")  # a form without its token
    assert service.processes[0].process.wait(SECONDS) == 0


@pytest.mark.timed
def test_each_slow_client_is_cut_while_everybody_else_is_answered(run_service: RunService) -> None:
    service = run_service("web", WEB_CONCURRENCY="2", REQUESTS_PER_MINUTE="100000")
    numbers = {"headers": 50, "body": 50, "reader": 10}
    took: list[float] = []
    with dripping(service, numbers) as clients:
        while any(len(clients.cut(kind)) < number for kind, number in numbers.items()):
            for path in PAGES:
                began = time.monotonic()
                assert status(service, path) in (200, 401)
                took.append(time.monotonic() - began)
            time.sleep(0.1)  # customers are many, but not greedy
            assert time.monotonic() - clients.all[0].opened < 2 * SECONDS
    assert sorted(took)[int(len(took) * 0.95)] < P95
    for kind in ("headers", "body"):
        assert max(clients.cut(kind)) < PATIENCE + LINGER + 5
        assert all(b" 408 " in each.answer for each in clients.all if each.kind == kind)


@contextmanager
def dripping(service: Service, numbers: Mapping[str, int], pause: float = 1.0) -> Iterator[SlowClients]:
    """Let slow clients drip beside the block."""
    clients, over = SlowClients(service.port, numbers, pause), threading.Event()
    thread = threading.Thread(target=clients.run, args=(over.is_set,))
    thread.start()
    try:
        eventually(lambda: all(each.bytes for each in clients.all), "each has dripped")
        yield clients
    finally:
        over.set()
        thread.join()
        clients.close()


def status(service: Service, path: str) -> int:
    """The status of the response to a GET."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=SECONDS)
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def is_refused(service: Service) -> bool:
    """Whether nobody listens any more."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", service.port)) == errno.ECONNREFUSED
