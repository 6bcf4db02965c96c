"""A target that has a post of its owner under the address of ours."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from tests.support.gateway import Gateway
from tests.support.ghost_site import GhostSite
from tests.support.servers import Request
from tests.support.wordpress_site import WordPressSite


class Place:
    """A look-alike with a post of its owner under the address of ours; ``gateway`` spoils its answers."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.wordpress, self.ghost = WordPressSite(), GhostSite()
        self.gateway = Gateway(self.wordpress.answer if kind == "wordpress" else self.ghost.answer)
        self.secret = self.wordpress.passwords["author"] if kind == "wordpress" else self.ghost.key
        self.settings = {"url": f"{self.gateway.url}/"}
        if kind == "wordpress":
            self.settings["username"] = "author"

    def write(self, **members: Any) -> None:
        """Let the owner write, or change, the post."""
        _written_at_wordpress(self, members) if self.kind == "wordpress" else _written_at_ghost(self, members)

    @property
    def rows(self) -> list[dict[str, Any]]:
        return list((self.wordpress if self.kind == "wordpress" else self.ghost).posts.values())

    def there(self) -> list[tuple[str, str]]:
        """The status and the title of each post."""
        return [(row["status"], row["title"]) for row in self.rows]

    def copy_under_its_address(self) -> Any:
        """Give the post's address to a copy of it; return the id of the copy."""
        posts: dict[Any, dict[str, Any]] = (
            self.wordpress.posts if self.kind == "wordpress" else self.ghost.posts
        )
        number, row = next(iter(posts.items()))
        copied: Any = self.wordpress.new_id() if self.kind == "wordpress" else "f" * len(number)
        posts[copied] = {**row, "id": copied}
        row["slug"] = "elsewhere"
        return copied

    def is_update(self, request: Request) -> bool:
        """Return whether a request changes a post."""
        if self.kind == "ghost":
            return request.method == "PUT"
        return request.method == "POST" and "/wp/v2/posts/" in request.path


def _written_at_wordpress(place: Place, members: dict[str, Any]) -> None:
    site = place.wordpress
    number = next(iter(site.posts), None) or site.new_id()
    former = site.posts.get(number, {})
    site.posts[number] = {
        "id": number, "author": site.ids["author"], "slug": "garden-notes", "status": "publish",
        "excerpt": "", "categories": [1], "tags": [], "featured_media": 0, **former,
        "title": members["title"],
        "content": members["text"], "modified": datetime.now(UTC),
    }  # fmt: skip


def _written_at_ghost(place: Place, members: dict[str, Any]) -> None:
    site = place.ghost
    post = next(iter(site.posts.values()), None)
    sent = {"title": members["title"], "html": members["text"], "slug": "garden-notes", "status": "published"}
    query = {"source": "html"}
    if post is None:
        site._create(sent, query)
    else:
        site._change(post, sent, query)
