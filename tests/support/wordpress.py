"""WordPress sites for tests: the look-alike, and in thorough runs a real one, behind the same gateway."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from app.infra.http.client import Fetcher
from app.infra.http.response import FetchPolicy
from app.publishing.targets.base import Access
from tests.support.gateway import Forward, Gateway
from tests.support.real_wordpress import RealWordPress
from tests.support.servers import Reply, Request
from tests.support.wordpress_site import OPTIONS, WordPressSite


class Blog:
    """A WordPress site. Its users are named as their roles, with the application ``passwords``.

    ``options`` are those of tests/support/wordpress_site.py. ``gateway`` has the requests of the service, and
    spoils answers. ``rest`` is somebody else's call, past the gateway. Answers take less than ``patience``,
    in seconds.
    """

    def __init__(self, forward: Forward, passwords: Mapping[str, str], patience: float) -> None:
        self.patience = patience
        self.options: set[str] = set()
        self.passwords = passwords
        self._forward = forward
        self.gateway = Gateway(self._with_options)

    @property
    def url(self) -> str:
        return self.gateway.url

    def access(
        self,
        role: str = "author",
        path: str = "/",
        *,
        password: str = "",
        seconds: float = 20,
        **settings: str,
    ) -> Access:
        """Return the access of a target on this site."""
        host, _, port = self.gateway.address.partition(":")
        policy = FetchPolicy("tests", allow=frozenset({(host, int(port))}), total_seconds=seconds)
        values = {"url": self.url + path, "username": role, **settings}
        return Access(values, password or self.passwords[role], Fetcher(policy))

    def rest(self, method: str, route: str, role: str = "administrator", **members: Any) -> Any:
        """Call the API as one of the users; return its JSON."""
        pair = f"{role}:{self.passwords[role]}".encode()
        headers = {
            "host": self.gateway.address,
            "authorization": f"Basic {base64.b64encode(pair).decode()}",
            "content-type": "application/json",
        }
        body = json.dumps(members).encode() if members else b""
        return json.loads(self._forward(Request(method, f"/wp-json/wp/v2/{route}", headers, body)).body)

    def posts(self, status: str = "any") -> list[dict[str, Any]]:
        """Return the posts of the site that the tests made: all but the trash, or those of one status."""
        found = self.rest("GET", "posts?status=any&context=edit&per_page=100")
        return [post for post in found if status in ("any", post["status"]) and post["slug"] != "hello-world"]

    def writes(self) -> list[Request]:
        """Return the service's requests that write posts."""
        return [each for each in self.gateway.requests if each.method != "GET" and "/posts" in each.path]

    def empty(self) -> None:
        """Remove the posts of former tests."""
        for post in self.posts():
            self.rest("DELETE", f"posts/{post['id']}?force=true")

    def _with_options(self, request: Request) -> Reply:
        headers = {**request.headers, OPTIONS: " ".join(sorted(self.options))}
        return self._forward(replace(request, headers=headers))


@pytest.fixture(
    params=["look-alike", pytest.param("real", marks=[pytest.mark.thorough, pytest.mark.wordpress])]
)
def wordpress(request: pytest.FixtureRequest) -> Iterator[Blog]:
    """A site without posts of ours."""
    with blog_of(request.param, request) as made:
        yield made


@contextmanager
def blog_of(kind: str, request: pytest.FixtureRequest) -> Iterator[Blog]:
    """A site without posts of ours: a look-alike, or the real one."""
    if kind == "real":
        real: RealWordPress = request.getfixturevalue("real_wordpress")
        made = Blog(real.forward, real.passwords, 3)
    else:
        site = WordPressSite()
        made = Blog(site.answer, site.passwords, 0.5)
    yield made
    made.options.clear()
    made.empty()
    made.gateway.close()
