"""Hidden drafts at targets whose post was rolled back: remembered with the rollback, then deleted there."""

import logging
from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from sqlalchemy import select, update

from app.infra.clock import utc_now
from app.infra.db import changed_rows, db, release
from app.infra.http.client import fetcher_from
from app.infra.settings import current_settings
from app.publishing.calls import CallLog
from app.publishing.model import HIDDEN_STATES, AbandonedDraft, Publication, PublishTarget
from app.publishing.reconcile import alone
from app.publishing.service import access_to
from app.publishing.targets.base import PublishProblem, Reference
from app.publishing.targets.registry import KINDS, kind_of

_log = logging.getLogger(__name__)

RETRY_AFTER: Final = timedelta(minutes=15)
KEPT_FOR: Final = timedelta(days=7)
"""How long a deletion that fails is tried again; after that the draft stays at the target."""

_SECONDS: Final = 10.0


def drafts_of(post_id: int) -> list[AbandonedDraft]:
    """Return what ``abandon`` needs to have the hidden drafts of a post deleted; stores nothing.

    A post that its target had before this service updated it is not among them: it stays there, hidden.
    """
    deletable = [kind.name for kind in KINDS.values() if kind.delete is not None]
    rows = db.session.scalars(
        select(Publication)
        .join(PublishTarget, PublishTarget.id == Publication.target_id)
        .where(
            Publication.blog_post_id == post_id,
            Publication.state.in_(HIDDEN_STATES),
            Publication.external_id.is_not(None),
            Publication.existing_id.is_(None),
            PublishTarget.kind.in_(deletable),
            PublishTarget.removed_at.is_(None),
        )
    )
    return [
        AbandonedDraft(
            target_id=row.target_id, publication_id=row.publication_id, external_id=row.external_id or ""
        )
        for row in rows
    ]


def abandon(drafts: Iterable[AbandonedDraft]) -> None:
    """Remember drafts that are to be deleted at their targets; commits nothing."""
    db.session.add_all(drafts)


def delete_abandoned_drafts(limit: int = 20) -> int:
    """Delete the abandoned drafts that are due, each at its target; return how many were due.

    Run it periodically; two concurrent runs do nothing twice. No transaction is open during a call.
    """
    due = db.session.scalars(
        select(AbandonedDraft.id)
        .where(AbandonedDraft.next_try_at <= utc_now())
        .order_by(AbandonedDraft.next_try_at)
        .limit(limit)
    ).all()
    release()
    for row_id in due:
        with alone(_log, "abandoned draft %s could not be deleted", row_id):
            _delete(row_id)
    return len(due)


def _delete(row_id: int) -> None:
    draft = _claim(row_id)
    if draft is None:
        return
    target = db.session.get_one(PublishTarget, draft.target_id)
    kind = CallLog(target.id, draft.publication_id).logged(kind_of(target.kind))
    reference = Reference(draft.publication_id, external_id=draft.external_id)
    is_over = draft.created_at < utc_now() - KEPT_FOR
    try:
        access = access_to(target, fetcher_from(current_settings(), total_seconds=_SECONDS))
        release()
        found = kind.find(reference, access)
        # A person at the target may have published it: then it is theirs.
        if found is not None and found.status == "draft" and kind.delete is not None:
            kind.delete(found, access)
    except PublishProblem as problem:
        if not is_over:
            return
        _log.warning("abandoned draft %s stays at its target: %s", row_id, problem)
    stored = db.session.get(AbandonedDraft, row_id)
    if stored is not None:
        db.session.delete(stored)
    db.session.commit()


def _claim(row_id: int) -> AbandonedDraft | None:
    now = utc_now()
    due = AbandonedDraft.id == row_id, AbandonedDraft.next_try_at <= now
    is_taken = changed_rows(update(AbandonedDraft).where(*due).values(next_try_at=now + RETRY_AFTER))
    db.session.commit()
    return db.session.get_one(AbandonedDraft, row_id) if is_taken else None
