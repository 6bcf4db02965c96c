"""Replaces sentences of an article: what its sources no longer say, or what an editor wants otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import select

from app.content.evidence.snapshot import snapshot_of_pages
from app.content.model import WrittenText
from app.content.pipeline import ALL_STAGES, Progress
from app.content.planning.preparing import prepare
from app.content.writing.article.refreshing import (
    PresentText,
    RefreshedText,
    is_refreshable,
    outdated,
    refresh_article,
    unchanged,
)
from app.content.writing.article.rewriting import rewrite_part
from app.content.writing.article.writer import Work
from app.content.writing.llm.questions import AnswerCache
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


def present_text(post: WrittenText) -> PresentText:
    """Return what a refresh has to know of a post."""
    return PresentText(post.content, post.description, tuple(post.trace))


def refresh(
    project_id: int,
    present: PresentText,
    page_ids: Sequence[int],
    payload: Mapping[str, Any],
    progress: Progress,
    should_stop: Callable[[], bool],
    remaining: Callable[[], float],
    cache: AnswerCache,
) -> RefreshedText | None:
    """Return an article's text with its outdated sentences written again, None where that is not enough.

    ``page_ids`` are its sources. No database connection is open while a model works. Raises ServiceFailure
    with what a text provider did, and what ``progress`` raises.
    """
    model = _Model(project_id, payload, page_ids, progress, should_stop, remaining, cache)
    changed = outdated(present.trace, model.snapshot)
    if not is_refreshable(present.trace, changed):
        return None
    if not changed:
        return unchanged(present)
    return refresh_article(present, model.request, model.snapshot, model.providers, model.work)


def rewrite(
    project_id: int,
    present: PresentText,
    positions: Sequence[int],
    instruction: str,
    page_ids: Sequence[int],
    payload: Mapping[str, Any],
    progress: Progress,
    should_stop: Callable[[], bool],
    remaining: Callable[[], float],
    cache: AnswerCache,
) -> RefreshedText:
    """Return an article's text with the sentences at these positions of its trace written anew.

    Otherwise as ``refresh``. Raises PROVIDER_FAILED, too, if the evidence supports no other words.
    """
    model = _Model(project_id, payload, page_ids, progress, should_stop, remaining, cache)
    return rewrite_part(
        present, positions, instruction, model.request, model.snapshot, model.providers, model.work
    )


class _Model:
    """What a model works with: the request, the pages as they are stored now, the providers and the job."""

    def __init__(
        self,
        project_id: int,
        payload: Mapping[str, Any],
        page_ids: Sequence[int],
        progress: Progress,
        should_stop: Callable[[], bool],
        remaining: Callable[[], float],
        cache: AnswerCache,
    ) -> None:
        prepared = prepare(project_id, payload)
        self.request = prepared.request
        self.snapshot = snapshot_of_pages(project_id, prepared.request.language, page_ids)
        self._models = (prepared.model, prepared.verify_model)
        release()

        def stage(name: str, message: str) -> None:
            release()
            progress(name, ALL_STAGES.index(name), len(ALL_STAGES), message)

        self.work = Work(stage, should_stop, remaining, cache)

    @property
    def providers(self) -> Providers:
        """The text providers of the project's models. Raises PROVIDER_REJECTED without any."""
        return providers_for(current_settings(), *self._models)
