"""The log of calls to publish targets: what was asked of a target, what came of it, and how long it took."""

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, Final, ParamSpec, TypeVar

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from app.failures import Failure
from app.infra.db import db, page_of, release
from app.infra.logs import cause_of
from app.infra.pruning import delete_older
from app.publishing.model import PublishCall, PublishTarget
from app.publishing.targets.base import PublishProblem, RemotePost, TargetKind

_log = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

KEPT_FOR: Final = timedelta(days=30)
_MOST_WORDS: Final = 200


@dataclass(frozen=True)
class CallLog:
    """Whose calls are logged: the target, the publication and the job, None for one outside of a job."""

    target_id: int
    publication_id: str
    job_id: int | None = None

    def logged(self, kind: TargetKind) -> TargetKind:
        """Return a kind whose calls are logged, each in a transaction of its own after the call."""
        return replace(
            kind,
            find=self._timed("find", kind.find),
            create=self._timed("create", kind.create),
            write=self._timed("write", kind.write),
            post_with_slug=kind.post_with_slug and self._timed("find", kind.post_with_slug),
            unpublish=kind.unpublish and self._timed("unpublish", kind.unpublish),
            delete=kind.delete and self._timed("delete", kind.delete),
        )

    def _timed(self, action: str, call: Callable[P, T]) -> Callable[P, T]:
        def timed(*given: P.args, **named: P.kwargs) -> T:
            started = time.monotonic()
            try:
                found = call(*given, **named)
            except PublishProblem as problem:
                self._write(action, problem.certainty, started, problem.failure)
                raise
            self._write(action, _outcome(action, found), started)
            return found

        return timed

    def _write(self, action: str, outcome: str, started: float, problem: Failure | None = None) -> None:
        """Add a line and commit. A log that cannot be written does not stop publishing."""
        details = (problem.details if problem is not None else None) or {}
        status, words = details.get("status"), details.get("answer")
        row = PublishCall(
            target_id=self.target_id,
            publication_id=self.publication_id,
            job_id=self.job_id,
            action=action,
            outcome=outcome,
            milliseconds=round((time.monotonic() - started) * 1000),
            code=problem.code if problem is not None else None,
            http_status=status if isinstance(status, int) else None,
            answer=words[:_MOST_WORDS] if isinstance(words, str) else None,
        )
        try:
            db.session.add(row)
            db.session.commit()
        except SQLAlchemyError as error:
            _log.warning("a call to target %s is not in the log: %s", self.target_id, cause_of(error))
        finally:
            release()


def list_calls(target: PublishTarget, page: int, page_size: int) -> tuple[Sequence[PublishCall], int]:
    """Return one page of the calls to a target, newest first, and how many there are."""
    mine = select(PublishCall).where(PublishCall.target_id == target.id)
    return page_of(mine.order_by(PublishCall.id.desc()), page, page_size)


def prune_calls() -> int:
    return delete_older(PublishCall.at, KEPT_FOR)


def _outcome(action: str, found: Any) -> str:
    if action in ("unpublish", "delete"):
        return "done"
    return found.status if isinstance(found, RemotePost) else "absent"
