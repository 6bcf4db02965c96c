"""GitHub, Gitea and Forgejo: Markdown files, committed through the forge's API. docs/git.md."""

import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from typing import Final

from app.failures import failure, invalid_field
from app.infra.checks import confidential_url
from app.infra.http.response import SmallResponse
from app.publishing.targets.base import (
    NOT_DELIVERED,
    Access,
    CheckStep,
    EnteredSecret,
    PublishProblem,
    Setting,
)
from app.publishing.targets.git.contents_api import ForgeBranch
from app.publishing.targets.git.file_kind import file_kind
from app.publishing.targets.git.forge import Forge, member_of, problem_of, refused, succeeded
from app.publishing.targets.git.posts import Posts
from app.publishing.targets.git.site import author_of, site_of
from app.publishing.targets.http_calls import details_of
from app.publishing.targets.steps import in_steps

_GITHUB_API: Final = "https://api.github.com"
_REPOSITORY: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,99}/[A-Za-z0-9_.-]{1,100}")
_TOKEN: Final = re.compile(r"[\x21-\x7e]{8,255}")
_API_NEEDED: Final = (
    "Look at “Address of the API” under “More settings”. Left empty it is GitHub's. For Gitea and Forgejo it "
    "is the address of the start page with /api/v1 behind it."
)
_MOST_READS: Final = 200
"""Files that are read to find a post that somebody moved: each is a call, and forges limit calls."""
_MOST_TRIES: Final = 4


@in_steps
def check(access: Access) -> Iterator[CheckStep]:
    """Read the repository and its branch with the token, and look whether it may write."""
    forge = Forge(access)
    response = forge.get("")
    yield CheckStep("reachable", "The forge answers.")
    if not _is_api(forge, response):
        found = failure("TARGET_API_NOT_FOUND", hints=[_API_NEEDED], details=details_of(response))
        raise PublishProblem(found, NOT_DELIVERED)
    yield CheckStep("api_found", "The API of the forge was found.")
    if response.status == 401:
        raise problem_of(response)
    yield CheckStep("signed_in", "The forge accepts the token.")
    _require_push(forge, response)
    yield CheckStep("may_publish", "The token may commit to the branch.")
    yield CheckStep("may_delete", "Posts can be removed: with another commit.")


def _is_api(forge: Forge, response: SmallResponse) -> bool:
    try:
        if response.status == 404:
            # A forge hides a repository that the token does not see.
            response = forge.send("GET", "/user")
            return response.status == 401 or bool(member_of(succeeded(response), "login", str))
        return response.status in (401, 403, 429) or bool(member_of(succeeded(response), "full_name", str))
    except PublishProblem:
        return False


def _require_push(forge: Forge, response: SmallResponse) -> None:
    permissions = member_of(succeeded(response), "permissions", dict)
    if permissions.get("push") is not True:
        raise refused(response)
    _branch(forge).head  # noqa: B018 - reads the branch
    if forge.has_pages:
        return
    # The permissions are those of the token's owner. Only a write shows those of the token itself, and an
    # object that no commit has is removed by the forge.
    blob = forge.request("POST", "/git/blobs", {"content": "", "encoding": "utf-8"})
    if blob.status not in (201, 409):
        raise problem_of(blob)


def repository_name(text: str, field: str) -> str:
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


def _posts(access: Access) -> AbstractContextManager[Posts]:
    open_branch = partial(_branch, Forge(access))
    return nullcontext(Posts(site_of(access.settings), open_branch, _MOST_TRIES, _MOST_READS))


def _branch(forge: Forge) -> ForgeBranch:
    settings = forge.access.settings
    name = settings["branch"] or member_of(succeeded(forge.get("")), "default_branch", str)
    return ForgeBranch(forge, name, author_of(settings))


GITHUB: Final = file_kind(
    _posts,
    Setting(
        "repository",
        label="Repository",
        hint="Its owner and its name.",
        check=repository_name,
        placeholder="alice/blog",
    ),
    "the repository's default branch",
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
    name="github",
    title="GitHub, Gitea or Forgejo",
    summary="Each post becomes a Markdown file with front matter, committed through the forge's API.",
    check=check,
    secret=EnteredSecret(
        label="Access token",
        hint="A token that may read and write the contents of this repository, and nothing else.",
        check=token,
        sent_to="api_url",
        steps=(
            (
                "At GitHub: a fine-grained token",
                "Settings, Developer settings, Personal access tokens, Fine-grained tokens. Choose this "
                "repository alone, and under permissions “Contents: Read and write”.",
            ),
            (
                "At Gitea or Forgejo: an access token",
                "Settings, Applications, with “repository: Read and Write”. Also enter the address of the "
                "API under “More settings”.",
            ),
            ("Copy it at once", "The forge shows it only once."),
        ),
    ),
)
