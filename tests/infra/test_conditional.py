"""Large files are sent from disk, and only if the client does not have them."""

from __future__ import annotations

from typing import IO

import pytest
from flask import Flask, Response
from werkzeug.test import Client

from app.infra.conditional import send_file

PIECE = bytes(range(256)) * 1024


class Files:
    """Sends files of some pieces, and counts how often one is written."""

    written = 0
    file: IO[bytes] | None = None

    def send(self, pieces: int) -> Response:
        return send_file("one", "application/zip", lambda file: self._write(file, pieces))

    def _write(self, file: IO[bytes], pieces: int) -> None:
        self.written += 1
        self.file = file
        for _ in range(pieces):
            file.write(PIECE)
        if pieces == 0:
            raise RuntimeError("no pieces")


@pytest.fixture
def files() -> Files:
    return Files()


@pytest.fixture
def visitor(files: Files) -> Client:
    app = Flask(__name__)
    app.testing = True
    app.add_url_rule("/<int:pieces>", view_func=files.send)
    return app.test_client()


@pytest.mark.parametrize("pieces", [1, 5])
def test_a_file_is_sent_whole_with_its_length_and_closed(files: Files, visitor: Client, pieces: int) -> None:
    answer = visitor.get(f"/{pieces}")
    assert (answer.status_code, answer.mimetype) == (200, "application/zip")
    assert answer.content_length == pieces * len(PIECE)
    assert answer.data == PIECE * pieces
    answer.close()
    assert files.file is not None
    assert files.file.closed


def test_a_client_that_has_the_file_gets_304(files: Files, visitor: Client) -> None:
    answer = visitor.get("/5", headers={"If-None-Match": '"one"'})
    assert (answer.status_code, answer.data, files.written) == (304, b"", 0)


def test_what_cannot_be_written_fails_before_anything_is_sent(files: Files, visitor: Client) -> None:
    with pytest.raises(RuntimeError):
        visitor.get("/0")
    assert files.file is not None
    assert files.file.closed
