"""The sample site of bin/demo: the pages of demo/site, a sitemap, and a blog that takes published posts.

    /                 the pages, without .html in their addresses
    /sitemap.xml      with the host of the request; /robots.txt names it
    POST /posts       a publish target of the kind "webhook": responds with {id, url}
    /blog/<slug>      the published posts, for as long as it runs

It listens on the loopback only, so it does not check the signatures of posts. docs/webhooks.md explains how a
public receiver checks them.
"""

from __future__ import annotations

import html
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from devtools.local import ROOT

FOLDER = ROOT / "demo" / "site"
NAME = "BrambleboardDemo"
HTML = "text/html; charset=utf-8"
LARGEST_POST = 2_000_000


def addresses(folder: Path = FOLDER) -> list[str]:
    """Return the paths of the site's pages."""
    found = (file.relative_to(folder).with_suffix("").as_posix() for file in folder.rglob("*.html"))
    return sorted("/" + path.removesuffix("index").rstrip("/") for path in found)


def sitemap(base: str) -> str:
    """Return the sitemap of a site at ``base``, such as http://127.0.0.1:8765."""
    lines = "".join(f"  <url><loc>{base}{path}</loc></url>\n" for path in addresses())
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return f'{head}<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{lines}</urlset>\n'


def is_served(port: int) -> bool:
    """Return whether this sample site already runs on the port."""
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/robots.txt")
        return (connection.getresponse().getheader("Server") or "").startswith(NAME)
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()


@contextmanager
def served(port: int) -> Iterator[int]:
    """Serve the sample site on the loopback; yields its port (0 asks for any). Raises OSError."""
    server = Site(("127.0.0.1", port), Handler)
    threading.Thread(target=server.serve_forever, args=(0.1,), daemon=True).start()
    try:
        yield server.server_port
    finally:
        server.shutdown()
        server.server_close()


class Site(ThreadingHTTPServer):
    """The server, and the posts that were published to it, by publication id."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        self.posts: dict[str, dict[str, Any]] = {}
        super().__init__(address, handler)


class Handler(BaseHTTPRequestHandler):
    """One request to the sample site."""

    server_version = NAME
    protocol_version = "HTTP/1.1"
    server: Site

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path == "/robots.txt":
            self._send(200, "text/plain", f"User-agent: *\nAllow: /\nSitemap: {self._base()}/sitemap.xml\n")
        elif path == "/sitemap.xml":
            self._send(200, "application/xml", sitemap(self._base()))
        elif path == "/style.css":
            self._send(200, "text/css", (FOLDER / "style.css").read_text())
        elif path.startswith("/blog/"):
            self._send_post(path.removeprefix("/blog/"))
        else:
            self._send_page(path)

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length") or 0)
        if self.path != "/posts" or length > LARGEST_POST:
            self.close_connection = True
            self._send(404, "text/plain", "not here\n")
            return
        message = json.loads(self.rfile.read(length))
        data, posts = message["data"], self.server.posts
        publication_id = data["publication_id"]
        if (message["type"], publication_id in posts) in (
            ("blog_post.published", False),
            ("blog_post.updated", True),
        ):
            posts[publication_id] = {**data["post"], "content_sha256": data["content_sha256"]}
        if message["type"] == "blog_post.unpublished":
            posts.pop(publication_id, None)
        if publication_id not in posts:
            self._send(404, "application/json", "{}")
            return
        url = f"{self._base()}/blog/{posts[publication_id]['slug']}"
        answer = {"id": publication_id, "url": url, "content_sha256": posts[publication_id]["content_sha256"]}
        self._send(200, "application/json", json.dumps(answer))

    def _send_page(self, path: str) -> None:
        if path not in ("/", *addresses()):
            self._send(404, "text/plain", "not here\n")
            return
        file = FOLDER / f"{path.strip('/')}.html"
        if not file.is_file():
            file = FOLDER / path.strip("/") / "index.html"
        self._send(200, HTML, file.read_text())

    def _send_post(self, slug: str) -> None:
        post = next((post for post in self.server.posts.values() if post["slug"] == slug), None)
        if post is None:
            self._send(404, "text/plain", "not here\n")
            return
        title = html.escape(post["title"])
        head = f'<title>{title}</title><link rel="stylesheet" href="/style.css">'
        body = f"<main><h1>{title}</h1>{post['content_html']}</main>"
        self._send(200, HTML, f'<!doctype html><html lang="en"><meta charset="utf-8">{head}{body}</html>')

    def _base(self) -> str:
        return f"http://{self.headers.get('Host', '127.0.0.1')}"

    def _send(self, status: int, kind: str, text: str) -> None:
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", "default-src 'self'")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Log nothing."""
