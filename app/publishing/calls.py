"""The log of calls to publish targets: what was asked of a target, what came of it, and how long it took."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final, TypeVar

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from app.failures import Failure
from app.infra.db import db, page_of, release
from app.infra.logs import cause_of
from app.infra.pruning import delete_older
from app.publishing.model import PublishCall, PublishTarget
from app.publishing.targets.base import Access, Document, PublishProblem, Reference, RemotePost, TargetKind

_log = logging.getLogger(__name__)

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
        unpublish, remove, with_slug = kind.unpublish, kind.delete, kind.post_with_slug

        def find(reference: Reference, access: Access) -> RemotePost | None:
            return self._timed("find", lambda: kind.find(reference, access), _status_of)

        def finds_with_slug(slug: str, access: Access) -> RemotePost | None:
            assert with_slug is not None
            return self._timed("find", lambda: with_slug(slug, access), _status_of)

        def create(document: Document, access: Access) -> RemotePost:
            return self._timed("create", lambda: kind.create(document, access), _status_of)

        def write(document: Document, remote: RemotePost, access: Access) -> RemotePost:
            return self._timed("write", lambda: kind.write(document, remote, access), _status_of)

        def unpublishes(remote: RemotePost, access: Access) -> None:
            assert unpublish is not None
            self._timed("unpublish", lambda: unpublish(remote, access), lambda _: "done")

        def deletes(remote: RemotePost, access: Access) -> None:
            assert remove is not None
            self._timed("delete", lambda: remove(remote, access), lambda _: "done")

        return replace(
            kind,
            find=find,
            post_with_slug=None if with_slug is None else finds_with_slug,
            create=create,
            write=write,
            unpublish=None if unpublish is None else unpublishes,
            delete=None if remove is None else deletes,
        )

    def _timed(self, action: str, call: Callable[[], T], outcome: Callable[[T], str]) -> T:
        started = time.monotonic()
        try:
            found = call()
        except PublishProblem as problem:
            self._write(action, problem.certainty, started, problem.failure)
            raise
        self._write(action, outcome(found), started)
        return found

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
    """Remove old calls; return how many. Run it periodically."""
    return delete_older(PublishCall.at, KEPT_FOR)


def _status_of(remote: RemotePost | None) -> str:
    return "absent" if remote is None else remote.status
