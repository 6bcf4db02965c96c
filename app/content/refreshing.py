"""Refreshes an article: reads its sources again and replaces what they no longer say."""

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
from app.content.writing.article.writer import Work
from app.content.writing.llm.questions import AnswerCache
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
    prepared = prepare(project_id, payload)
    snapshot = snapshot_of_pages(project_id, prepared.request.language, page_ids)
    release()
    changed = outdated(present.trace, snapshot)
    if not is_refreshable(present.trace, changed):
        return None
    if not changed:
        return unchanged(present)

    def stage(name: str, message: str) -> None:
        release()
        progress(name, ALL_STAGES.index(name), len(ALL_STAGES), message)

    providers = providers_for(current_settings(), prepared.model, prepared.verify_model)
    work = Work(stage, should_stop, remaining, cache)
    return refresh_article(present, prepared.request, snapshot, providers, work)
