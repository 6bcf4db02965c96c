"""A WSGI application that starts at once: it answers with the length of the body."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def app(environ: dict[str, Any], start: Any) -> Iterable[bytes]:
    """Answer one request."""
    said = str(len(environ["wsgi.input"].read())).encode()
    start("200 OK", [("Content-Length", str(len(said)))])
    return [said]
