"""Answers that can be asked for conditionally, as careful servers give them."""

from __future__ import annotations

from collections.abc import Mapping
from email.utils import formatdate, parsedate_to_datetime

from app.infra.clock import utc_now
from tests.support.servers import Reply, Request, SiteServer


def serve_tagged(site: SiteServer, path: str, body: str | bytes, etag: str) -> str:
    """Answer ``path`` with an ETag, and by 304 who has it already; returns its address."""
    content = body.encode() if isinstance(body, str) else body

    def answer(request: Request) -> Reply:
        if request.headers.get("if-none-match") == etag:
            return Reply(304, {"ETag": etag})
        return Reply(200, {"ETag": etag}, content)

    site.routes[path] = answer
    return site.url + path


def serve_dated(site: SiteServer, path: str, body: str, modified: str) -> str:
    """Answer ``path`` with a Last-Modified date, and by 304 who names it; returns its address."""

    def answer(request: Request) -> Reply:
        if request.headers.get("if-modified-since") == modified:
            return Reply(304)
        return Reply(200, {"Last-Modified": modified}, body.encode())

    site.routes[path] = answer
    return site.url + path


def serve_file(site: SiteServer, path: str, body: str, modified: str) -> str:
    """Answer ``path`` as nginx does a file: its ETag is made of its date and size. Returns the ETag."""
    seconds = int(parsedate_to_datetime(modified).timestamp())
    etag = f'"{seconds:x}-{len(body.encode()):x}"'

    def answer(request: Request) -> Reply:
        headers = {"ETag": etag, "Last-Modified": modified}
        if request.headers.get("if-none-match") == etag:
            return Reply(304, headers)
        return Reply(200, headers, body.encode())

    site.routes[path] = answer
    return etag


def http_now(seconds: float = 0) -> str:
    """The present time, or one so many seconds away, as HTTP writes it."""
    return formatdate(utc_now().timestamp() + seconds, usegmt=True)


def asked_with(site: SiteServer, path: str) -> Mapping[str, str]:
    """The validators of the last request for ``path``."""
    headers = site.requests_for(path)[-1].headers
    names = ("if-none-match", "if-modified-since")
    return {name: headers[name] for name in names if name in headers}
