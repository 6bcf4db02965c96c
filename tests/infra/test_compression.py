"""Compressed responses, in a small application of the test's own."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Iterator
from random import Random

import pytest
from flask import Flask, Response, jsonify, request, send_file
from flask.testing import FlaskClient
from waitress.buffers import ReadOnlyFileBasedBuffer

from app.infra import compression
from app.infra.conditional import send_bytes

GZIP = {"Accept-Encoding": "gzip, deflate, br"}
TEXT = "Bees carry pollen from flower to flower. " * 100


@pytest.fixture
def client() -> FlaskClient:
    app = Flask("compressed")
    compression.init_app(app)

    @app.get("/text")
    def text() -> Response:
        response = Response(TEXT)
        response.add_etag()
        return response.make_conditional(request)

    @app.get("/json")
    def listed() -> Response:
        return jsonify([TEXT])

    @app.get("/made")
    def made() -> Response:
        return send_bytes("one", "text/markdown", TEXT.encode)

    @app.get("/stream")
    def stream() -> Response:
        return Response((f"{number},{TEXT[:60]}\n" for number in range(1_000)), mimetype="text/csv")

    @app.get("/file")
    def file() -> Response:
        return send_file(__file__, mimetype="text/plain")

    @app.get("/short")
    def short() -> Response:
        return Response("ok", mimetype="text/plain")

    @app.get("/picture")
    def picture() -> Response:
        return Response(TEXT.encode(), mimetype="image/png")

    @app.get("/nothing")
    def nothing() -> Response:
        return Response(status=204)

    return app.test_client()


@pytest.mark.parametrize("path", ["/text", "/json", "/made", "/file", "/stream"])
def test_a_text_is_compressed_and_says_that_it_depends_on_the_request(client: FlaskClient, path: str) -> None:
    plain = client.get(path)
    packed = client.get(path, headers=GZIP)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == plain.data
    assert len(packed.data) < len(plain.data) / 2
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"
    assert packed.headers.get("Content-Length") in (None, str(len(packed.data)))
    assert "Content-Encoding" not in plain.headers


@pytest.mark.parametrize("accepted", ["", "br", "identity", "gzip;q=0", "gzip;q=0.2, identity;q=0.9"])
def test_who_does_not_want_gzip_gets_plain_text(client: FlaskClient, accepted: str) -> None:
    answer = client.get("/text", headers={"Accept-Encoding": accepted})
    assert answer.text == TEXT
    assert answer.get_etag()[1] is False


@pytest.mark.parametrize("path", ["/picture", "/short", "/nothing"])
def test_a_picture_a_short_answer_and_an_empty_one_stay_as_they_are(client: FlaskClient, path: str) -> None:
    packed, plain = client.get(path, headers=GZIP), client.get(path)
    assert packed.data == plain.data
    assert "Content-Encoding" not in packed.headers


@pytest.mark.parametrize("path", ["/text", "/made", "/file"])
def test_either_etag_of_an_unchanged_text_gives_304(client: FlaskClient, path: str) -> None:
    packed, plain = client.get(path, headers=GZIP), client.get(path)
    assert packed.headers["ETag"] == f"W/{plain.headers['ETag']}"
    for etag in (packed.headers["ETag"], plain.headers["ETag"]):
        again = client.get(path, headers={**GZIP, "If-None-Match": etag})
        assert (again.status_code, again.data) == (304, b"")
        assert again.headers["ETag"] == packed.headers["ETag"]
        assert again.headers["Vary"] == "Accept-Encoding"
        assert "Content-Encoding" not in again.headers


def test_a_part_of_a_file_is_sent_as_it_lies(client: FlaskClient) -> None:
    part = client.get("/file", headers={**GZIP, "Range": "bytes=3-12"})
    assert (part.status_code, part.text) == (206, "Compressed")
    assert "Accept-Ranges" not in client.get("/file", headers=GZIP).headers


def test_a_file_that_the_web_server_would_send_itself_is_compressed(client: FlaskClient) -> None:
    served = {"wsgi.file_wrapper": ReadOnlyFileBasedBuffer}
    packed = client.get("/file", headers=GZIP, environ_overrides=served)
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == client.get("/file").data


def test_a_head_request_returns_the_headers_of_the_compressed_text(client: FlaskClient) -> None:
    head = client.head("/json", headers=GZIP)
    assert (head.headers["Content-Encoding"], head.data) == ("gzip", b"")


def test_a_long_stream_is_never_kept_in_memory() -> None:
    def pieces() -> Iterator[bytes]:
        for number in range(2_000):
            yield Random(number).randbytes(4_000)

    tracemalloc.start()
    try:
        sent = sum(len(piece) for piece in compression.packed(pieces()))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert sent > 8_000_000
    assert peak < 1_000_000


def test_the_length_of_a_compressed_text_differs_from_answer_to_answer(client: FlaskClient) -> None:
    lengths = {len(client.get("/json", headers=GZIP).data) for _ in range(20)}
    assert len(lengths) > 5
    assert max(lengths) - min(lengths) <= compression.LONGEST_NAME + 1
    assert json.loads(gzip.decompress(client.get("/json", headers=GZIP).data)) == [TEXT]
