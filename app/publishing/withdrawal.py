"""Unpublish a post at its target, and believe only what the target says afterwards."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.failures import failure
from app.publishing.delivery import LOOKUP_DELAYS, look_until
from app.publishing.existing import find_ours
from app.publishing.targets.base import (
    NOT_DELIVERED,
    UNKNOWN,
    Access,
    PublishProblem,
    Reference,
    RemotePost,
    TargetKind,
)
from app.publishing.targets.problems import certain

_MOST_ATTEMPTS: Final = 2


@dataclass(frozen=True)
class Withdrawal:
    """The calls that unpublish a post. ``pause`` waits, and raises when the job has to end.

    ``fingerprint`` is that of the text as this service left it at the target, None if it is not known.
    """

    kind: TargetKind
    access: Access
    reference: Reference
    pause: Callable[[float], None]
    fingerprint: str | None = None
    lookup_delays: Sequence[float] = LOOKUP_DELAYS

    def unpublish(self) -> RemotePost | None:
        """Hide the post from readers; return the draft that stays at the target, None if nothing stays.

        The draft has the fingerprint to remember: if somebody edited the post there, still the former one.
        Raises PublishProblem, with UNPUBLISH_NOT_CONFIRMED if the target still shows the post in the end. The
        certainty is unknown only if readers may see the post or not.
        """
        assert self.kind.unpublish is not None
        with certain(NOT_DELIVERED):
            first = found = self._find()
        for _ in range(_MOST_ATTEMPTS):
            if found is None or found.status == "draft":
                break
            try:
                self.kind.unpublish(found, self.access)
            except PublishProblem as problem:
                if problem.certainty == NOT_DELIVERED:
                    raise
            found = self._look_until_hidden()
        if found is None or first is None:
            return None
        if found.status != "draft":
            details = {"url": found.url}
            raise PublishProblem(failure("UNPUBLISH_NOT_CONFIRMED", details=details), NOT_DELIVERED)
        is_ours = first.fingerprint == self.fingerprint
        return found if is_ours else replace(found, fingerprint=self.fingerprint)

    def _look_until_hidden(self) -> RemotePost | None:
        delays = (0.0, *self.lookup_delays)
        try:
            return look_until(_is_hidden, self._find, self.pause, delays)
        except PublishProblem as problem:
            details = problem.failure.details
            raise PublishProblem(failure("UNPUBLISH_NOT_CONFIRMED", details=details), UNKNOWN) from problem

    def _find(self) -> RemotePost | None:
        return find_ours(self.kind, self.reference, self.access)


def _is_hidden(found: RemotePost | None) -> bool:
    return found is None or found.status == "draft"
