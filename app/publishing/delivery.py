"""Sending once: after an unknown outcome the target is asked before anything is sent again.

send | answered: done
     | surely nothing there: the problem is told
     | unknown: look up to three times | found: done
                                       | surely not there: send once more, under the same id
                                       | the target cannot tell: unknown, nothing is sent again
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from app.publishing.base import (
    NOT_DELIVERED,
    UNKNOWN,
    Access,
    Delivered,
    Document,
    Publisher,
    PublishProblem,
)

LOOKS: Final = (1.0, 3.0, 9.0)
"""Seconds to wait before each look: a target that just lost an answer may need them to show the post."""


@dataclass(frozen=True)
class Delivery:
    """The calls about one publication. ``pause`` waits, and raises when the work has to end.

    ``update`` is the digest of a text that takes the place of the one at the target, None for the first.
    """

    publisher: Publisher
    access: Access
    publication_id: str
    pause: Callable[[float], None]
    looks: Sequence[float] = LOOKS
    update: str | None = None

    def find(self) -> Delivered | None:
        """Look until found; None when the last look says that the target surely has nothing.

        Raises PublishProblem of unknown outcome when the last look could not tell.
        """
        problem: PublishProblem | None = None
        for seconds in self.looks:
            self.pause(seconds)
            try:
                found = self.publisher.look(self.publication_id, self.access, self.update)
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
        """Send what ``prepare`` returns, called before each of at most two sends. Raises PublishProblem."""
        try:
            return self._send_once(prepare)
        except _NotThere:
            pass
        try:
            return self._send_once(prepare)
        except _NotThere as error:
            raise PublishProblem(error.problem.failure, NOT_DELIVERED) from error

    def _send_once(self, prepare: Callable[[], Document]) -> Delivered:
        document = prepare()
        try:
            return self.publisher.deliver(document, self.access)
        except PublishProblem as error:
            if error.certainty == NOT_DELIVERED:
                raise
            problem = error
        try:
            found = self.find()
        except PublishProblem:
            # The target cannot be asked: what went wrong with the sending says more.
            raise problem from None
        if found is None:
            raise _NotThere(problem)
        return found


class _NotThere(Exception):
    """A send of unknown outcome that looking settled: the target has nothing."""

    def __init__(self, problem: PublishProblem) -> None:
        self.problem = problem
        super().__init__(str(problem))
