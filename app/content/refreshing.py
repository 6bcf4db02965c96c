"""Replaces sentences of an article: what its sources no longer say, or what an editor wants otherwise."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import select

from app.content.drafts import PresentText, RefreshedText
from app.content.evidence.snapshot import snapshot_of_pages
from app.content.planning.preparing import prepare
from app.content.writing.article.refreshing import (
    is_refreshable,
    outdated,
    refresh_article,
    unchanged,
)
from app.content.writing.article.rewriting import rewrite_part
from app.content.writing.article.writer import Work
from app.content.writing.providers.base import Providers
from app.content.writing.providers.registry import providers_for
from app.infra.clock import utc_now
from app.infra.db import db, release
from app.infra.settings import current_settings
from app.pages.crawling.page_queue import set_due
from app.pages.crawling.reading import read_due_pages
from app.pages.model import Page

_JUST_READ: Final = timedelta(minutes=1)


def reread_sources(
    project_id: int, page_ids: Sequence[int], should_stop: Callable[[], bool]
) -> tuple[str, ...]:
    """Read the pages again that were read over a minute ago; return the addresses that could not be read.

    Commits. A page whose text was given is not fetched.
    """
    is_old = Page.fetched_at < utc_now() - _JUST_READ
    old = select(Page.id).where(Page.project_id == project_id, Page.id.in_(page_ids), is_old)
    due = db.session.scalars(old).all()
    if not due:
        return ()
    set_due(due, utc_now())
    db.session.commit()
    unread: list[str] = []
    read_due_pages(current_settings(), project_id, len(due), should_stop, among=due, on_failure=unread.append)
    return tuple(unread)


class Revision:
    """The work of a model on single sentences of an article, with its sources as they are stored now."""

    def __init__(
        self,
        project_id: int,
        present: PresentText,
        page_ids: Sequence[int],
        payload: Mapping[str, Any],
        work: Work,
    ) -> None:
        """``page_ids`` are the sources of the ``present`` text, ``payload`` is the input that it is of.

        The database connection is released.
        """
        prepared = prepare(project_id, payload)
        self._present = present
        self._request = prepared.request
        self._snapshot = snapshot_of_pages(project_id, prepared.request.language, page_ids)
        self._models = (prepared.model, prepared.verify_model)
        self._work = work
        release()

    def refresh(self) -> RefreshedText | None:
        """Return the text with its outdated sentences written again, None where that is not enough.

        Raises ServiceFailure with what a text provider did, and what ``work.stage`` raises.
        """
        trace = self._present.trace
        changed = outdated(trace, self._snapshot)
        if not is_refreshable(trace, changed):
            return None
        if not changed:
            return unchanged(self._present)
        return refresh_article(self._present, self._request, self._snapshot, self._providers(), self._work)

    def rewrite(self, positions: Sequence[int], instruction: str) -> RefreshedText:
        """Return the text with the sentences at these positions of its trace written anew.

        Raises as ``refresh``, and PROVIDER_FAILED if the evidence supports no other words.
        """
        return rewrite_part(
            self._present,
            positions,
            instruction,
            self._request,
            self._snapshot,
            self._providers(),
            self._work,
        )

    def _providers(self) -> Providers:
        return providers_for(current_settings(), *self._models)
