"""The web process of the Procfile among slow clients, and when it is asked to end."""

from __future__ import annotations

import errno
import http.client
import logging
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

from app.edge.channel import LINGER, PATIENCE
from app.edge.worker import BufferedWorker
from devtools import tied
from devtools.dev import web_answers
from devtools.local import ROOT
from devtools.postgres import free_port
from devtools.procfile import read_procfile
from tests.support.environment import service_environment
from tests.support.processes import RunService
from tests.support.slow_clients import SlowClients
from tests.support.waiting import PATIENCE as SECONDS
from tests.support.waiting import eventually

POST = b"POST / HTTP/1.1\r\nHost: service.example\r\nContent-Length: 5\r\n\r\n"
PAGES = ("/sign-in", "/health/live", "/health/ready", "/public-api/account")
P95 = 0.3


@pytest.mark.parametrize(
    ("address", "is_ssl"), [("/run/web.sock", False), (("127.0.0.1", 8000), True), (b"\0web", False)]
)
def test_it_does_not_start_with_tls_or_on_a_socket_that_is_not_tcp(address: object, is_ssl: bool) -> None:
    config = SimpleNamespace(is_ssl=is_ssl, address=[address])
    with pytest.raises(RuntimeError, match="TCP addresses only, without TLS"):
        BufferedWorker.check_config(config, logging.getLogger())


def test_slow_clients_take_no_thread_and_a_begun_request_is_answered_after_sigterm() -> None:
    with small_web() as (web, port), dripping(port, {"headers": 10, "body": 10}, pause=0.1):
        assert status(port, "/") == 200
        begun = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
        begun.sendall(POST)
        assert status(port, "/") == 200  # so the connection before it is accepted
        web.terminate()
        eventually(lambda: is_refused(port), "no connection is accepted any more")
        begun.sendall(b"hello")
        answer = http.client.HTTPResponse(begun)
        answer.begin()
        assert (answer.read(), answer.getheader("Connection")) == (b"5", "close")
    assert web.returncode == 0


@pytest.mark.timed
def test_each_slow_client_is_cut_while_everybody_else_is_answered(run_service: RunService) -> None:
    port = run_service("web", WEB_CONCURRENCY="2", REQUESTS_PER_MINUTE="100000").port
    numbers = {"headers": 50, "body": 50, "reader": 10}
    took: list[float] = []
    with dripping(port, numbers) as clients:
        while any(len(clients.cut(kind)) < number for kind, number in numbers.items()):
            for path in PAGES:
                began = time.monotonic()
                assert status(port, path) in (200, 401)
                took.append(time.monotonic() - began)
            assert time.monotonic() - clients.all[0].opened < 2 * SECONDS
    assert sorted(took)[int(len(took) * 0.95)] < P95
    for kind in ("headers", "body"):
        assert max(clients.cut(kind)) < PATIENCE + LINGER + 5
        assert all(b" 408 " in each.answer for each in clients.all if each.kind == kind)


@contextmanager
def small_web() -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Run the Procfile's web process with an application that starts at once; stop it in the end."""
    port = free_port()
    command = read_procfile(ROOT / "Procfile")["web"].replace("wsgi:app", "tests.edge.small_app:app")
    env = service_environment(PORT=str(port), BIND_ADDRESS="127.0.0.1")
    web = tied.start(["/bin/sh", "-c", f"exec {command}"], output=subprocess.DEVNULL, env=env, cwd=ROOT)
    try:
        eventually(lambda: web_answers(f"127.0.0.1:{port}"), "the web process answers")
        yield web, port
    finally:
        tied.stop(web, grace=SECONDS)


@contextmanager
def dripping(port: int, numbers: Mapping[str, int], pause: float = 1.0) -> Iterator[SlowClients]:
    """Let slow clients drip beside the block."""
    clients, over = SlowClients(port, numbers, pause), threading.Event()
    thread = threading.Thread(target=clients.run, args=(over.is_set,))
    thread.start()
    try:
        eventually(lambda: all(each.bytes for each in clients.all), "each has dripped")
        yield clients
    finally:
        over.set()
        thread.join()
        clients.close()


def status(port: int, path: str) -> int:
    """The status of the response to a GET."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer.status


def is_refused(port: int) -> bool:
    """Whether nobody listens any more."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == errno.ECONNREFUSED
