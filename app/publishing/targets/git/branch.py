"""Changes of a branch, whether it is on the disk or at a forge."""

import hashlib
from collections.abc import Mapping

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


def blob_id(data: bytes) -> str:
    return hashlib.sha1(b"blob %d\0%s" % (len(data), data), usedforsecurity=False).hexdigest()
