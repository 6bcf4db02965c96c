"""Branches of repositories at a forge, through the contents API that GitHub, Gitea and Forgejo share.

Each file is a commit of its own. The forge refuses to change a file that is not as its blob id says, so
nobody's change is lost. The post's own file comes last, so no post is read without its image.
"""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final
from urllib.parse import quote

from app.failures import failure
from app.publishing.targets.base import NOT_DELIVERED, PublishProblem
from app.publishing.targets.git.branch import BranchMoved, Changes, blob_id
from app.publishing.targets.git.forge import Forge, member_of, problem_of, succeeded
from app.publishing.targets.http_calls import rejection, unusable

_MOST_PAGES: Final = 50


@dataclass(frozen=True)
class ForgeBranch:
    """A branch at a forge, with the files that it had when they were first asked for."""

    forge: Forge
    name: str
    author: Mapping[str, str] | None

    def files(self, folder: str) -> Mapping[str, str]:
        """Return the blob ids of all files below a folder by their paths; none without the folder."""
        return {path: blob for path, blob in self._files.items() if path.startswith(f"{folder}/")}

    def has(self, path: str) -> bool:
        return path in self._files

    def read(self, path: str) -> bytes:
        response = succeeded(self.forge.get(f"/git/blobs/{self._files[path]}"))
        try:
            return base64.b64decode(member_of(response, "content", str))
        except ValueError:
            raise unusable(response) from None

    def commit(self, changes: Changes, message: str) -> None:
        """Make the changes that the branch does not have yet, in their order. Raises BranchMoved."""
        for path, data in changes.items():
            known = self._files.get(path)
            if known != (blob_id(data) if data is not None else None):
                self._change(path, data, known, message)

    @cached_property
    def head(self) -> str | None:
        """The id of the branch's last commit, None in an empty repository."""
        if not self.name:
            raise PublishProblem(failure("TARGET_API_NOT_FOUND"), NOT_DELIVERED)
        response = self.forge.get(f"/branches/{quote(self.name, safe='')}")
        if response.status == 404 and self.forge.is_empty():
            return None
        if response.status == 404:
            message = f"The repository has no branch “{self.name}”."
            raise PublishProblem(failure("TARGET_API_NOT_FOUND", message), NOT_DELIVERED)
        commit = member_of(succeeded(response), "commit", dict)
        head = commit.get("sha") or commit.get("id")
        if not isinstance(head, str):
            raise unusable(response)
        return head

    @cached_property
    def _files(self) -> Mapping[str, str]:
        if self.head is None:
            return {}
        found: dict[str, str] = {}
        for page in range(1, _MOST_PAGES + 1):
            response = succeeded(
                self.forge.get(f"/git/trees/{self.head}?recursive=true&per_page=1000&page={page}")
            )
            for entry in member_of(response, "tree", list):
                found |= _file(entry)
            if not member_of(response, "truncated", bool):
                return found
            if not self.forge.has_pages:
                break
        message = "The repository has more files than the forge lists."
        raise PublishProblem(failure("PUBLISH_REJECTED", message), NOT_DELIVERED)

    def _change(self, path: str, data: bytes | None, known: str | None, message: str) -> None:
        body: dict[str, Any] = {"message": message, "branch": self.name}
        if self.author is not None:
            body |= {"author": self.author, "committer": self.author}
        if known is not None:
            body["sha"] = known
        if data is not None:
            body["content"] = base64.b64encode(data).decode("ascii")
        method = "DELETE" if data is None else self.forge.creating if known is None else "PUT"
        response = self.forge.request(method, f"/contents/{quote(path)}", body)
        if response.status in (200, 201):
            member_of(response, "commit", dict)
            return
        if response.status == 409 or (response.status == 422 and self._has_changed(path, known)):
            raise BranchMoved(PublishProblem(rejection(response), NOT_DELIVERED))
        raise problem_of(response)

    def _has_changed(self, path: str, known: str | None) -> bool:
        return ForgeBranch(self.forge, self.name, None)._files.get(path) != known


def _file(entry: Any) -> dict[str, str]:
    if not isinstance(entry, dict) or entry.get("type") != "blob":
        return {}
    path, blob = entry.get("path"), entry.get("sha")
    return {path: blob} if isinstance(path, str) and isinstance(blob, str) else {}
