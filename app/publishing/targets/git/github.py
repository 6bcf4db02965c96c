"""GitHub, Gitea and Forgejo: Markdown files, committed through the forge's API. docs/git.md."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import Final

from app.failures import Failure, failure, invalid_field
from app.infra.checks import confidential_url
from app.infra.http.response import SmallResponse
from app.publishing.targets.base import (
    Access,
    CheckStep,
    Document,
    EnteredSecret,
    PublishProblem,
    Reference,
    RemotePost,
    Setting,
    TargetKind,
)
from app.publishing.targets.git.contents_api import ForgeBranch
from app.publishing.targets.git.forge import Forge, member_of, problem_of, refused, succeeded
from app.publishing.targets.git.kind import branch_name
from app.publishing.targets.git.posts import Posts
from app.publishing.targets.git.site import SITE_SETTINGS, author_of, site_of
from app.publishing.targets.http_calls import details_of

_GITHUB_API: Final = "https://api.github.com"
_REPOSITORY: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}/[A-Za-z0-9_.-]{1,100}")
_TOKEN: Final = re.compile(r"[\x21-\x7e]{8,255}")
_MOST_READS: Final = 200
"""Files that are read to find a post that somebody moved: each is a call, and forges limit calls."""
_MOST_TRIES: Final = 4


def find(reference: Reference, access: Access) -> RemotePost | None:
    """Look for the publication in the branch's present files."""
    return _posts(access).find(reference)


def create(document: Document, access: Access) -> RemotePost:
    """Commit a new post, live or hidden as the document says, its image before it.

    A second commit for the same publication changes nothing, so a live post needs no hidden one before it,
    although this kind has drafts: they let the target be asked before anything is written.
    """
    return _posts(access).create(document)


def write(document: Document, remote: RemotePost, access: Access) -> RemotePost:
    """Commit the document over its post; a changed slug moves the file."""
    return _posts(access).write(document, remote)


def post_with_slug(slug: str, access: Access) -> RemotePost | None:
    """Return the post that has a slug, whoever wrote it."""
    return _posts(access).with_slug(slug)


def unpublish(remote: RemotePost, access: Access) -> None:
    """Commit the post as hidden."""
    _posts(access).unpublish(remote)


def delete(remote: RemotePost, access: Access) -> None:
    """Commit the removal of the post and of its image. The history keeps both."""
    _posts(access).delete(remote)


def check(access: Access) -> Iterator[CheckStep]:
    """Read the repository and its branch with the token, and look whether it may write."""
    forge = Forge(access)
    try:
        response = forge.get("")
    except PublishProblem as problem:
        yield CheckStep("reachable", problem.failure.message, problem.failure)
        return
    yield CheckStep("reachable", "The forge answers.")
    yield from _check_repository(forge, response)


def _check_repository(forge: Forge, response: SmallResponse) -> Iterator[CheckStep]:
    if not _is_api(forge, response):
        failed = failure("TARGET_API_NOT_FOUND", details=details_of(response))
        yield CheckStep("api_found", failed.message, failed)
        return
    yield CheckStep("api_found", "The API of the forge was found.")
    if response.status == 401:
        failed = problem_of(response).failure
        yield CheckStep("signed_in", failed.message, failed)
        return
    yield CheckStep("signed_in", "The forge accepts the token.")
    failed_or_none = _write_refusal(forge, response)
    if failed_or_none is not None:
        yield CheckStep("may_publish", failed_or_none.message, failed_or_none)
        return
    yield CheckStep("may_publish", "The token may commit to the branch.")
    yield CheckStep("may_delete", "Posts can be removed: with another commit.")


def _is_api(forge: Forge, response: SmallResponse) -> bool:
    """Return whether the address is a forge's API: it answers about the repository, or about the token."""
    try:
        if response.status == 404:
            # A forge hides a repository that the token does not see.
            response = forge.send("GET", "/user")
            return response.status == 401 or bool(member_of(succeeded(response), "login", str))
        return response.status in (401, 403, 429) or bool(member_of(succeeded(response), "full_name", str))
    except PublishProblem:
        return False


def _write_refusal(forge: Forge, response: SmallResponse) -> Failure | None:
    """Return why the token cannot commit to the branch, None if it can."""
    try:
        permissions = member_of(succeeded(response), "permissions", dict)
        if permissions.get("push") is not True:
            return refused(response)
        _branch(forge).head  # noqa: B018 - reads the branch
        if forge.has_pages:
            return None
        # The permissions are those of the token's owner. Only a write shows those of the token itself, and an
        # object that no commit has is removed by the forge.
        blob = forge.request("POST", "/git/blobs", {"content": "", "encoding": "utf-8"})
        return None if blob.status in (201, 409) else problem_of(blob).failure
    except PublishProblem as problem:
        return problem.failure


def repository_name(text: str, field: str) -> str:
    """Return the name of a repository with its owner. Raises INVALID_REQUEST."""
    name = text.strip().strip("/")
    if not _REPOSITORY.fullmatch(name) or name.endswith(("/.", "/..")):
        raise invalid_field(field, "Give the owner and the name, such as alice/blog.")
    return name.removesuffix(".git")


def api_address(text: str, field: str) -> str:
    """Return the address of a forge's API without a slash at its end.

    Raises URL_NOT_ALLOWED, also for http unless the operator allowed the host.
    """
    return confidential_url(text, field).rstrip("/")


def token(value: str, field: str) -> str:
    """Return an access token. Raises INVALID_REQUEST, which does not repeat it."""
    text = value.strip()
    if not _TOKEN.fullmatch(text):
        raise invalid_field(field, "This is no access token: copy it again at the forge.")
    return text


def _posts(access: Access) -> Posts:
    forge = Forge(access)
    return Posts(site_of(access.settings), partial(_branch, forge), _MOST_TRIES, _MOST_READS)


def _branch(forge: Forge) -> ForgeBranch:
    settings = forge.access.settings
    name = settings["branch"] or member_of(succeeded(forge.get("")), "default_branch", str)
    return ForgeBranch(forge, name, author_of(settings))


GITHUB: Final = TargetKind(
    name="github",
    title="GitHub, Gitea or Forgejo",
    summary="Each post becomes a Markdown file with front matter, committed through the forge's API.",
    unpublishing="A commit hides the post; your site shows the change after its next build.",
    settings=(
        Setting(
            "repository",
            label="Repository",
            hint="Its owner and its name.",
            check=repository_name,
            placeholder="alice/blog",
        ),
        Setting(
            "branch",
            label="Branch",
            hint="Left empty: the repository's default branch.",
            check=branch_name,
            placeholder="main",
            required=False,
        ),
        *SITE_SETTINGS,
        Setting(
            "api_url",
            label="Address of the API",
            hint="Left empty: GitHub. For Gitea and Forgejo it ends in /api/v1.",
            check=api_address,
            placeholder=_GITHUB_API,
            is_address=True,
            required=False,
            default=_GITHUB_API,
        ),
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
    secret=EnteredSecret(
        label="Access token",
        hint="A token that may read and write the contents of this repository, and nothing else.",
        check=token,
        sent_to="api_url",
    ),
)
