"""What the kinds of target have in common whose posts are files of a branch."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Final, TypeVar

from app.failures import invalid_field
from app.publishing.targets.base import Access, Setting, TargetKind
from app.publishing.targets.git.posts import Posts
from app.publishing.targets.git.site import SITE_SETTINGS

T = TypeVar("T")

_MOST_BRANCH: Final = 100


def file_kind(
    open_posts: Callable[[Access], AbstractContextManager[Posts]],
    repository: Setting,
    default_branch: str,
    *others: Setting,
    **own: Any,
) -> TargetKind:
    """Return a kind whose targets are repositories, with its ``own`` members.

    ``default_branch`` says which branch is used if none is named. A second commit for the same publication
    changes nothing, so a live post needs no hidden one before it, although the kind has drafts: they let the
    target be asked before anything is written.
    """

    def calling(act: Callable[..., T]) -> Callable[..., T]:
        def call(*given: Any) -> T:
            *what, access = given
            with open_posts(access) as posts:
                return act(posts, *what)

        return call

    branch = Setting(
        "branch",
        label="Branch",
        hint=f"Left empty: {default_branch}.",
        check=branch_name,
        placeholder="main",
        required=False,
    )
    return TargetKind(
        unpublishing="A commit hides the post; your site shows the change after its next build.",
        settings=(repository, branch, *SITE_SETTINGS, *others),
        find=calling(Posts.find),
        create=calling(Posts.create),
        write=calling(Posts.write),
        unpublish=calling(Posts.unpublish),
        delete=calling(Posts.delete),
        post_with_slug=calling(Posts.with_slug),
        has_drafts=True,
        is_built=True,
        **own,
    )


def branch_name(text: str, field: str) -> str:
    """Return the name of a branch. Raises INVALID_REQUEST."""
    from dulwich.refs import Ref, check_ref_format

    is_usable = len(text) <= _MOST_BRANCH and not text.startswith("-") and text.isprintable()
    if not is_usable or not check_ref_format(Ref(b"refs/heads/" + text.encode())):
        raise invalid_field(field, "This cannot be the name of a branch.")
    return text
