"""Sending once: after an unknown outcome the target is asked before anything is sent again.

send | answered: done
     | surely nothing there: the problem is told
     | unknown: look up to three times | found: done
                                       | surely not there: send once more, under the same id
                                       | the target cannot tell: unknown, nothing is sent again

What a failure leaves hidden at the target is cleared away: it would be in the way of the next publication.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from app.publishing.base import (
    NOTHING_THERE,
    UNKNOWN,
    Access,
    Delivered,
    Document,
    Outcome,
    Publisher,
    PublishProblem,
)

LOOKS: Final = (1.0, 3.0, 9.0)
"""Seconds to wait before each look: a target that just lost an answer may need them to show the post."""


@dataclass(frozen=True)
class Delivery:
    """The calls about one publication. ``pause`` waits, and raises when the work has to end.

    ``update`` is the digest of a text that takes the place of the one at the target, None for the first.
    ``is_repeat`` tells that something of it may have been sent before.
    """

    publisher: Publisher
    access: Access
    sid: str
    pause: Callable[[float], None]
    looks: Sequence[float] = LOOKS
    update: str | None = None
    is_repeat: bool = False

    def find(self) -> Delivered | None:
        """Look until found; None when the last look says that the target surely has nothing.

        Raises PublishProblem of unknown outcome when the last look could not tell.
        """
        problem: PublishProblem | None = None
        for seconds in self.looks:
            self.pause(seconds)
            try:
                found = self.publisher.look(self.sid, self.access, self.update)
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
        for may_be_hidden in (self.is_repeat, True):
            try:
                return self._send_once(prepare)
            except _NotThere as lost:
                problem = lost.problem
            except PublishProblem as refused:
                if refused.outcome == UNKNOWN or (refused.outcome == NOTHING_THERE and not may_be_hidden):
                    raise
                problem = refused
                break
        raise PublishProblem(problem.failure, self._cleared()) from problem

    def _cleared(self) -> Outcome:
        try:
            self.publisher.clear(self.sid, self.access)
        except PublishProblem:
            return UNKNOWN  # the publication's id is the only way to what is left there: it is not given up
        return NOTHING_THERE

    def _send_once(self, prepare: Callable[[], Document]) -> Delivered:
        document = prepare()
        try:
            return self.publisher.deliver(document, self.access)
        except PublishProblem as error:
            if error.outcome != UNKNOWN:
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
