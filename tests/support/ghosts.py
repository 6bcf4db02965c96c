"""The Ghost that a test publishes to: a look-alike, then real ones, versions 5 and 6, where installed."""

from __future__ import annotations

import http.client
import uuid
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any
from urllib.parse import urlsplit

import pytest

from app.infra.http.client import Fetcher
from app.infra.http.response import FetchPolicy
from app.publishing.targets.base import Access, Document, Picture, Reference, RemotePost, Visibility
from app.publishing.targets.ghost import api
from tests.support import pictures
from tests.support.gateway import Gateway, to_server
from tests.support.ghost_site import GhostSite
from tests.support.real_ghost import RealGhost, installed_ghost


@dataclass(frozen=True)
class Blog:
    """One Ghost, and what its owner does there. ``site`` is set for the look-alike."""

    name: str
    url: str
    key: str
    site: GhostSite | None = None

    @property
    def short(self) -> float:
        """Seconds after which a call may be given up: a real Ghost takes more than one for its first post."""
        return 0.4 if self.site else 3.0

    def access(self, url: str | None = None, *, key: str | None = None, seconds: float = 15) -> Access:
        """What calls to it need; ``url`` is that of a gateway in front of it."""
        address = url or self.url
        place = urlsplit(address)
        allow = frozenset({(place.hostname or "", place.port or 80)})
        http_client = Fetcher(FetchPolicy("tests", allow=allow, total_seconds=seconds))
        return Access({"url": f"{address}/"}, key or self.key, http_client)

    def gateway(self) -> Gateway:
        """A gateway in front of it; close it."""
        return Gateway(to_server(urlsplit(self.url).port or 80))

    def posts(self, publication_id: str) -> list[dict[str, Any]]:
        """The posts that carry the marker of a publication."""
        answer = api.posts_of(api.request(self.access(), "GET", "posts/?limit=100&formats=html"))
        return [post for post in answer if publication_id in (post["codeinjection_head"] or "")]

    def edit(self, remote: RemotePost, **members: Any) -> None:
        """Change a post as its owner does in Ghost's editor."""
        path = f"posts/{remote.external_id}/"
        there = api.only_post(api.request(self.access(), "GET", path))
        post = {**members, "updated_at": there["updated_at"]}
        api.only_post(api.send(self.access(), "PUT", f"{path}?source=html", post))

    def page(self, address: str) -> tuple[int, str]:
        """The status and the HTML that a reader gets."""
        place = urlsplit(address)
        connection = http.client.HTTPConnection(place.netloc, timeout=30)
        try:
            connection.request("GET", place.path or "/")
            response = connection.getresponse()
            return response.status, response.read().decode(errors="replace")
        finally:
            connection.close()

    def clear(self) -> None:
        """Delete its posts."""
        for post in api.posts_of(api.request(self.access(), "GET", "posts/?limit=100")):
            api.request(self.access(), "DELETE", f"posts/{post['id']}/")


@pytest.fixture(
    params=[
        "look-alike",
        pytest.param("5", marks=pytest.mark.thorough),
        pytest.param("6", marks=pytest.mark.thorough),
    ]
)
def ghost(request: pytest.FixtureRequest, look_alike: Blog) -> Blog:
    """Each Ghost in turn, without posts of other tests."""
    return look_alike if request.param == "look-alike" else real_blog(request.param, request)


def real_blog(version: str, request: pytest.FixtureRequest) -> Blog:
    """A real Ghost, without posts of other tests."""
    real: RealGhost = request.getfixturevalue("real_ghosts")(version)
    found = Blog(version, real.url, real.key)
    found.clear()
    return found


@pytest.fixture
def look_alike() -> Iterator[Blog]:
    """A look-alike of its own for each test."""
    site = GhostSite()
    yield Blog("look-alike", site.url, site.key, site)
    site.close()


@pytest.fixture(scope="session")
def real_ghosts() -> Iterator[Any]:
    """Starts the real Ghost of a version once."""
    running: list[RealGhost] = []

    @cache
    def start(version: str) -> RealGhost:
        running.append(installed_ghost(version))
        return running[-1]

    yield start
    for each in running:
        each.close()


def document(**changed: Any) -> Document:
    """A post to publish, with an id and a slug of its own. Names of a Document's members change those."""
    own = {
        name: changed.pop(name)
        for name in ("visibility", "picture", "images", "digest", "is_update")
        if name in changed
    }
    number = uuid.uuid4().hex
    post = {
        "title": "Garden notes",
        "slug": f"garden-notes-{number[:8]}",
        "meta_title": "Garden notes that help",
        "description": "What to write down in a garden notebook.",
        "tags": ["Gardening", "Notes"],
        "content_html": "<p>Write down what was sown.</p>",
        "json_ld": [],
        **changed,
    }
    return Document(f"pub_{number}", own.pop("digest", "a" * 64), post, **own)


def changed(
    first: Document, *, digest: str = "b" * 64, visibility: Visibility = "live", **post: Any
) -> Document:
    """The same publication with another text."""
    update = visibility == "live"
    return replace(first, digest=digest, visibility=visibility, is_update=update, post={**first.post, **post})


def picture(digest: str = "0a1b2c3d") -> Picture:
    """A small image."""
    return Picture(
        pictures.picture(size=(40, 20)), "image/png", "A notebook between beds", f"garden-notes-{digest}.png"
    )


def reference(of: Document, external_id: str | None = None) -> Reference:
    """What is known of a publication."""
    return Reference(of.publication_id, of.post["slug"], external_id=external_id)
