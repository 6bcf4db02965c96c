"""Replaces sentences of an article: what its sources no longer say, or what an editor wants otherwise."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from app.content.drafts import PresentText
from app.content.evidence.snapshot import snapshot_of_pages
from app.content.planning.preparing import prepare
from app.content.writing.article.refreshing import Revision
from app.content.writing.article.writer import Work
from app.content.writing.providers.registry import providers_for
from app.infra.db import release
from app.infra.settings import current_settings
from app.pages.crawling.page_queue import make_due
from app.pages.crawling.reading import read_due_pages


def reread_sources(
    project_id: int, page_ids: Sequence[int], should_stop: Callable[[], bool]
) -> tuple[str, ...]:
    """Read the pages again that were read over a minute ago; return the addresses that could not be read.

    Commits. A page whose text was given is not fetched.
    """
    due = make_due(project_id, page_ids)
    if not due:
        return ()
    unread: list[str] = []
    read_due_pages(current_settings(), project_id, len(due), should_stop, among=due, on_failure=unread.append)
    return tuple(unread)


def revision_of_article(
    project_id: int, present: PresentText, page_ids: Sequence[int], payload: Mapping[str, Any], work: Work
) -> Revision:
    """Return the work of a model on single sentences of an article, with its sources as they are stored now.

    ``page_ids`` are the sources of the ``present`` text, ``payload`` is the input that it is of. The database
    connection is released.
    """
    prepared = prepare(project_id, payload)
    snapshot = snapshot_of_pages(project_id, prepared.request.language, page_ids)
    providers = partial(providers_for, current_settings(), prepared.model, prepared.verify_model)
    release()
    return Revision(present, prepared.request, snapshot, providers, work)
