"""Which requests the web server takes, and what it tells the application of those that it refuses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest

from app.content.assembly import pictures
from app.dashboard.forms import upload
from app.edge.refusal import REFUSED
from app.edge.request import LARGEST_BODY, LARGEST_HEADERS
from app.spreadsheets import tables
from tests.edge.conftest import MakeEdge

Seen = list[tuple[Any, ...]]
TO = b"POST /public-api/projects?a=1 HTTP/1.1\r\nHost: a\r\n"
IN_CHUNKS = TO + b"Transfer-Encoding: chunked\r\n\r\n"
PATH = "/public-api/projects"
ONE_BYTE_EACH = b"1\r\nx\r\n" * 40_000
HIDDEN = b"1;" + b"x" * 9_000

REFUSALS = {
    b"nonsense\r\n\r\n": (400, "/public-api"),
    b"get / HTTP/1.1\r\n\r\n": (400, "/"),
    b"GET /ideas HTTP/1.1\r\nNo header\r\n\r\n": (400, "/ideas"),
    TO + b"Content-Length: -1\r\n\r\n": (400, PATH),
    TO + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\n": (400, PATH),
    TO + f"Content-Length: {LARGEST_BODY + 1}\r\n\r\n".encode(): (413, PATH),
    TO + b"Cookie: " + b"x" * LARGEST_HEADERS: (431, PATH),
    TO + b"Transfer-Encoding: gzip, chunked\r\n\r\n": (501, PATH),
    IN_CHUNKS + b"x\r\n": (400, PATH),
    IN_CHUNKS + ONE_BYTE_EACH: (400, PATH),
    IN_CHUNKS + HIDDEN: (400, PATH),
    IN_CHUNKS + b"0\r\nX-Trailer: " + b"x" * 9_000: (400, PATH),
}


@pytest.mark.parametrize("sent", REFUSALS, ids=lambda sent: sent[-20:])
def test_a_request_that_cannot_be_is_refused_by_the_application(edge: MakeEdge, sent: bytes) -> None:
    it = edge(app)
    answer = it.answer(it.connect(sent))
    assert answer.split(b"\r\n\r\n")[1] == b"%d %s\n" % (REFUSALS[sent][0], REFUSALS[sent][1].encode())
    assert b"Connection: close\r\n" in answer


@pytest.mark.parametrize(
    "sent", [IN_CHUNKS + b"3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", TO + b"Content-Length: 5\r\n\r\nabcde"]
)
def test_the_application_gets_the_whole_body_with_its_length(edge: MakeEdge, sent: bytes) -> None:
    it = edge(app)
    assert it.answer(it.connect(sent)).endswith(b"\r\n\r\n5 abcde\n")


def test_a_client_that_waits_for_a_go_gets_it_unless_its_request_is_refused(edge: MakeEdge) -> None:
    it = edge(app)
    wanted = it.connect(TO + b"Content-Length: 5\r\nExpect: 100-continue\r\n\r\n")
    assert it.answer(wanted).startswith(b"HTTP/1.1 100")
    wanted.send(b"abcde")
    assert it.answer(wanted).startswith(b"HTTP/1.1 200")
    refused = it.connect(TO + b"Content-Length: 99999999\r\nExpect: 100-continue\r\n\r\n")
    assert it.answer(refused).startswith(b"HTTP/1.1 413")


def app(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
    """Answers with the length and the body, or with the status and the path of a refusal."""
    if REFUSED in environ:
        status, said = environ[REFUSED], f"{environ[REFUSED]} {environ['PATH_INFO']}\n".encode()
    else:
        status, said = 200, environ["CONTENT_LENGTH"].encode() + b" " + environ["wsgi.input"].read() + b"\n"
    start(f"{status} As said", [("Content-Length", str(len(said)))])
    return [said]


def test_an_application_that_fails_even_to_refuse_costs_only_the_connection(edge: MakeEdge) -> None:
    def broken(_environ: dict[str, Any], _start: Any) -> Iterable[bytes]:
        raise RuntimeError("This application is broken.")

    it = edge(broken)
    assert it.rest(it.connect(b"GET / HTTP/1.1\r\n\r\n")) == b""
    it.until(lambda: not it.listener.active_channels, "the connection is closed")


def test_the_largest_body_of_any_endpoint_is_received() -> None:
    assert max(tables.MOST_BYTES, pictures.MOST_BYTES) + upload._FORM_BYTES <= LARGEST_BODY
