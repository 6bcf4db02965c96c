"""What posts need of a branch, whether it is on the disk or at a forge."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Protocol

from app.publishing.targets.base import PublishProblem

Changes = Mapping[str, bytes | None]
"""The new content of files by their paths below the repository; None removes a file."""


class BranchMoved(Exception):
    """Raised if somebody else changed the branch meanwhile, so that the change has to be worked out again.

    ``problem`` is what is raised in the end if that goes on.
    """

    def __init__(self, problem: PublishProblem | None = None) -> None:
        self.problem = problem
        super().__init__()


class Branch(Protocol):
    """A branch as it was when it was opened. Each method raises PublishProblem if it fails."""

    def files(self, folder: str) -> Mapping[str, str]:
        """Return the blob ids of all files below a folder by their paths; none without the folder."""

    def has(self, path: str) -> bool:
        """Return whether there is a file at a path."""

    def read(self, path: str) -> bytes:
        """Return the content of a file that is there."""

    def commit(self, changes: Changes, message: str) -> None:
        """Commit the changes, nothing if they change nothing. Raises BranchMoved.

        A forge may take one file with each call: then the changes are made in their order.
        """


def blob_id(data: bytes) -> str:
    """Return the id that Git gives to a file's content."""
    return hashlib.sha1(b"blob %d\0%s" % (len(data), data), usedforsecurity=False).hexdigest()
