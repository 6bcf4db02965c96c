"""Git: a Markdown file for each post, committed to a repository on this machine's disk. docs/git.md."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from dulwich.refs import Ref, check_ref_format

from app.failures import Failure, failure, invalid_field
from app.infra.settings import current_settings
from app.publishing.targets.base import (
    Access,
    CheckStep,
    Document,
    PublishProblem,
    Reference,
    RemotePost,
    Setting,
    TargetKind,
)
from app.publishing.targets.git.local import LocalBranch, branch_ref, opened, turn_at
from app.publishing.targets.git.posts import Posts
from app.publishing.targets.git.site import SITE_SETTINGS, path_below, signature_of, site_of

_MOST_BRANCH: Final = 100


def find(reference: Reference, access: Access) -> RemotePost | None:
    """Look for the publication in the branch's present files."""
    with _posts(access) as posts:
        return posts.find(reference)


def create(document: Document, access: Access) -> RemotePost:
    """Commit a new post, live or hidden as the document says.

    A commit is there completely or not at all, and a second one for the same publication changes nothing.
    So a live post needs no hidden one before it, although this kind has drafts: they let the target be asked
    before anything is written.
    """
    with _posts(access) as posts:
        return posts.create(document)


def write(document: Document, remote: RemotePost, access: Access) -> RemotePost:
    """Commit the document over its post; a changed slug moves the file."""
    with _posts(access) as posts:
        return posts.write(document, remote)


def post_with_slug(slug: str, access: Access) -> RemotePost | None:
    """Return the post that has a slug, whoever wrote it."""
    with _posts(access) as posts:
        return posts.with_slug(slug)


def unpublish(remote: RemotePost, access: Access) -> None:
    """Commit the post as hidden."""
    with _posts(access) as posts:
        posts.unpublish(remote)


def delete(remote: RemotePost, access: Access) -> None:
    """Commit the removal of the post and of its images. The history keeps them."""
    with _posts(access) as posts:
        posts.delete(remote)


def check(access: Access) -> Iterator[CheckStep]:
    """Open the repository and its branch, and look whether objects and branches may be written."""
    name = access.settings["repository"]
    try:
        with opened(current_settings().git_root, name) as repository:
            yield CheckStep("reachable", f"The repository “{name}” is there.")
            try:
                ref = branch_ref(repository, access.settings["branch"])
            except PublishProblem as problem:
                yield CheckStep("api_found", problem.failure.message, problem.failure)
                return
            branch = ref.decode("utf-8", "replace").removeprefix("refs/heads/")
            yield CheckStep("api_found", f"Posts are committed to the branch “{branch}”.")
            yield CheckStep("signed_in", "Nobody has to sign in to a repository on the disk.")
            refused = _refused(Path(repository.commondir()))
            if refused is not None:
                yield CheckStep("may_publish", refused.message, refused)
                return
            yield CheckStep("may_publish", "Commits can be written.")
            yield CheckStep("may_delete", "Posts can be removed: with another commit.")
    except PublishProblem as problem:
        yield CheckStep("reachable", problem.failure.message, problem.failure)


def repository_path(text: str, field: str) -> str:
    """Return the path of a repository below GIT_ROOT. Raises INVALID_REQUEST, also if that is not set."""
    if not current_settings().git_root:
        raise invalid_field(field, "The operator of this service has not set GIT_ROOT.")
    return path_below(text, field)


def branch_name(text: str, field: str) -> str:
    """Return the name of a branch. Raises INVALID_REQUEST."""
    is_usable = len(text) <= _MOST_BRANCH and not text.startswith("-") and text.isprintable()
    if not is_usable or not check_ref_format(Ref(b"refs/heads/" + text.encode())):
        raise invalid_field(field, "This cannot be the name of a branch.")
    return text


@contextmanager
def _posts(access: Access) -> Iterator[Posts]:
    settings, root = access.settings, current_settings().git_root
    with opened(root, settings["repository"]) as repository, turn_at(repository) as turn:
        ref = branch_ref(repository, settings["branch"])
        yield Posts(site_of(settings), partial(LocalBranch, repository, turn, ref, signature_of(settings)))


def _refused(folder: Path) -> Failure | None:
    places = (folder, folder / "objects", folder / "refs" / "heads")
    if all(os.access(place, os.W_OK | os.X_OK) for place in places):
        return None
    return failure("TARGET_FORBIDDEN", "This service may not write to the repository.")


GIT: Final = TargetKind(
    name="git",
    title="Git repository on this server",
    summary="Each post becomes a Markdown file with front matter, committed to a branch.",
    unpublishing="A commit hides the post; your site shows the change after its next build.",
    settings=(
        Setting(
            "repository",
            label="Repository",
            hint="Its path below the folder that the operator of this service set.",
            check=repository_path,
            placeholder="blog.git",
        ),
        Setting(
            "branch",
            label="Branch",
            hint="Left empty: the branch that HEAD names.",
            check=branch_name,
            placeholder="main",
            required=False,
        ),
        *SITE_SETTINGS,
    ),
    find=find,
    create=create,
    write=write,
    check=check,
    unpublish=unpublish,
    delete=delete,
    post_with_slug=post_with_slug,
    has_drafts=True,
    is_built=True,
    is_offered=lambda: bool(current_settings().git_root),
)
