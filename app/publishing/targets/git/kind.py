"""Git: a Markdown file for each post, committed to a repository on this machine's disk. docs/git.md."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Final

from app.failures import failure, invalid_field
from app.infra.settings import current_settings
from app.publishing.targets.base import NOT_DELIVERED, Access, CheckStep, PublishProblem, Setting
from app.publishing.targets.git.file_kind import file_kind
from app.publishing.targets.git.posts import Posts
from app.publishing.targets.git.site import path_below, signature_of, site_of
from app.publishing.targets.steps import in_steps


@in_steps
def check(access: Access) -> Iterator[CheckStep]:
    """Open the repository and its branch, and look whether objects and branches may be written."""
    from app.publishing.targets.git.local import branch_ref, opened  # loads dulwich

    name = access.settings["repository"]
    with opened(current_settings().git_root, name) as repository:
        yield CheckStep("reachable", f"The repository “{name}” is there.")
        ref = branch_ref(repository, access.settings["branch"])
        branch = ref.decode("utf-8", "replace").removeprefix("refs/heads/")
        yield CheckStep("api_found", f"Posts are committed to the branch “{branch}”.")
        yield CheckStep("signed_in", "Nobody has to sign in to a repository on the disk.")
        _require_writable(Path(repository.commondir()))
        yield CheckStep("may_publish", "Commits can be written.")
        yield CheckStep("may_delete", "Posts can be removed: with another commit.")


def repository_path(text: str, field: str) -> str:
    """Return the path of a repository below GIT_ROOT. Raises INVALID_REQUEST, also if that is not set."""
    if not current_settings().git_root:
        raise invalid_field(field, "The operator of this service has not set GIT_ROOT.")
    return path_below(text, field)


@contextmanager
def _posts(access: Access) -> Iterator[Posts]:
    from app.publishing.targets.git.local import LocalBranch, branch_ref, opened, write_lock  # loads dulwich

    settings, root = access.settings, current_settings().git_root
    with opened(root, settings["repository"]) as repository, write_lock(repository) as lock:
        ref = branch_ref(repository, settings["branch"])
        yield Posts(site_of(settings), partial(LocalBranch, repository, lock, ref, signature_of(settings)))


def _require_writable(folder: Path) -> None:
    places = (folder, folder / "objects", folder / "refs" / "heads")
    if not all(os.access(place, os.W_OK | os.X_OK) for place in places):
        message = "This service may not write to the repository."
        raise PublishProblem(failure("TARGET_FORBIDDEN", message), NOT_DELIVERED)


GIT: Final = file_kind(
    _posts,
    Setting(
        "repository",
        label="Repository",
        hint="Its path below the folder that the operator of this service set.",
        check=repository_path,
        placeholder="blog.git",
    ),
    "the branch that HEAD names",
    name="git",
    title="Git repository on this server",
    summary="Each post becomes a Markdown file with front matter, committed to a branch.",
    check=check,
    is_offered=lambda: bool(current_settings().git_root),
)
