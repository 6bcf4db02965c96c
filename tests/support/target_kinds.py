"""A kind of publish target that the service does not know: a diary of posts in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import pytest

from app.failures import failure, invalid_field
from app.infra.checks import display_url
from app.publishing.targets.base import (
    NOT_DELIVERED,
    Access,
    CheckStep,
    Document,
    EnteredSecret,
    PublishProblem,
    Reference,
    RemotePost,
    RemoteStatus,
    Setting,
    TargetKind,
)
from app.publishing.targets.registry import KINDS
from app.publishing.targets.steps import in_steps

PASSWORD = "open sesame"


@dataclass
class Diary:
    """The posts by their publication ids, and what its owner may do to them."""

    posts: dict[str, RemotePost] = field(default_factory=dict)
    taken: set[str] = field(default_factory=set)
    """Slugs of posts that are not ours."""
    others: dict[str, RemotePost] = field(default_factory=dict)
    """Such posts that may be changed, by their slugs."""

    @property
    def kind(self) -> TargetKind:
        return TargetKind(
            name="diary",
            title="Diary",
            summary="Posts appear in your diary.",
            unpublishing="Tear out the page, then confirm it here.",
            settings=(
                Setting("url", "Address of the diary", "Where it lies.", display_url, is_address=True),
                Setting("owner", "User name", "The name on its cover."),
                Setting(
                    "default_status", "New posts are", "", required=False, default="live",
                    choices=(("live", "Live at once"), ("draft", "Hidden drafts")),
                ),
            ),
            find=self.find,
            create=self.create,
            write=self.write,
            unpublish=self.unpublish,
            delete=self.delete,
            post_with_slug=lambda slug, _access: self.others.get(slug),
            check=in_steps(self.check),
            has_drafts=True,
            secret=EnteredSecret(
                "Password", "Inside the cover.", checked_password,
                steps=(("Open the diary", "Its key is old."),),
            ),
        )  # fmt: skip

    def edit(self, title: str, text: str) -> None:
        """Change its only post as its owner does."""
        ((key, post),) = self.posts.items()
        self.posts[key] = replace(post, title=title, text=text, digest="its own", fingerprint="its own")

    def find(self, reference: Reference, access: Access) -> RemotePost | None:
        let_in(access)
        return self.posts.get(reference.publication_id)

    def create(self, document: Document, access: Access) -> RemotePost:
        slug = document.post["slug"]
        given = f"{slug}-2" if slug in self.taken else slug
        return self._put(document, "draft", given, access)

    def write(self, document: Document, remote: RemotePost, access: Access) -> RemotePost:
        status: RemoteStatus = "draft" if document.visibility == "draft" else "live"
        return self._put(document, status, remote.slug or "", access)

    def unpublish(self, remote: RemotePost, access: Access) -> None:
        let_in(access)

    def delete(self, remote: RemotePost, access: Access) -> None:
        self.posts = {key: post for key, post in self.posts.items() if post != remote}

    def check(self, access: Access) -> Iterator[CheckStep]:
        yield CheckStep("reachable", "The diary is there.")
        let_in(access)
        yield CheckStep("api_found", "It can be opened.")
        yield CheckStep("signed_in", "The password is right.")

    def _put(self, document: Document, status: RemoteStatus, slug: str, access: Access) -> RemotePost:
        let_in(access)
        remote = RemotePost(
            f"page-{len(self.posts) + 1}", f"{access.settings['url']}{slug}", status, document.digest,
            document.digest, slug, document.post["title"], document.post["content_html"],
            document.publication_id,
        )  # fmt: skip
        self.posts[document.publication_id] = remote
        return remote


def checked_password(value: str, path: str) -> str:
    """Refuse anything that is no password of a diary."""
    if len(value) < 5:
        raise invalid_field(path, "It has at least five characters.")
    return value


def let_in(access: Access) -> None:
    """Raise PublishProblem for a wrong password."""
    if access.secret != PASSWORD:
        details = {"status": 401, "answer": "Who are you?"}
        raise PublishProblem(failure("TARGET_AUTH", details=details), NOT_DELIVERED)


@pytest.fixture
def diary(monkeypatch: pytest.MonkeyPatch) -> Diary:
    """A diary, whose kind is registered while the test runs."""
    found = Diary()
    monkeypatch.setitem(KINDS, "diary", found.kind)
    return found
