"""A blog that is connected before a journey begins."""

from __future__ import annotations

from tests.api.conftest import Customer
from tests.support import wordpress


def connect(alice: Customer, project_id: int, blog: wordpress.Blog) -> None:
    """Connect a WordPress site to a project, for posts that go live."""
    settings = {"url": blog.url, "username": "author"}
    body = {"name": "Blog", "kind": "wordpress", "settings": settings, "secret": blog.passwords["author"]}
    assert alice.post(f"/projects/{project_id}/publish-targets", body).status_code == 201
