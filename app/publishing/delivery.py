"""Send a post once: after an unclear result the target is asked before anything is sent again.

send | accepted: done
     | certainly not delivered: the problem is raised
     | unknown: look up to three times | found: done
                                       | certainly not there: send once more, under the same publication id
                                       | the target cannot tell: stays unknown, nothing is sent again
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from app.publishing.targets.base import (
    NOT_DELIVERED,
    UNKNOWN,
    Access,
    Delivered,
    Document,
    PublishProblem,
    TargetKind,
)

LOOKUP_DELAYS: Final = (1.0, 3.0, 9.0)
"""Seconds to wait before each lookup: a target that lost an answer may need them to show the post."""

_MOST_SENDS: Final = 2


@dataclass(frozen=True)
class Delivery:
    """The calls about one publication. ``pause`` waits, and raises when the job has to end.

    ``update`` is the digest of a text that replaces the one at the target, None for the first text.
    """

    kind: TargetKind
    access: Access
    publication_id: str
    pause: Callable[[float], None]
    lookup_delays: Sequence[float] = LOOKUP_DELAYS
    update: str | None = None

    def find(self) -> Delivered | None:
        """Look up until found; return None if the target certainly does not have the text at the last lookup.

        Raises PublishProblem, with certainty unknown, if the target could not tell at the last lookup.
        """
        problem: PublishProblem | None = None
        for seconds in self.lookup_delays:
            self.pause(seconds)
            try:
                found = self.kind.look_up(self.publication_id, self.access, self.update)
            except PublishProblem as error:
                problem = PublishProblem(error.failure, UNKNOWN)
                continue
            problem = None
            if found is not None:
                return found
        if problem is not None:
            raise problem
        return None

    def send(self, prepare: Callable[[], Document]) -> Delivered:
        """Send the document that ``prepare`` returns, at most twice; it is prepared again each time.

        Raises PublishProblem.
        """
        for _ in range(_MOST_SENDS):
            document = prepare()
            try:
                return self.kind.deliver(document, self.access)
            except PublishProblem as problem:
                if problem.certainty == NOT_DELIVERED:
                    raise
                failure = problem.failure
            try:
                found = self.find()
            except PublishProblem:
                # Why sending failed says more than why the lookup failed.
                raise PublishProblem(failure, UNKNOWN) from None
            if found is not None:
                return found
        raise PublishProblem(failure, NOT_DELIVERED)
