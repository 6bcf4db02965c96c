"""Counts the words of pages that were read before words were counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy import bindparam, select, update

from app.infra.db import db, reading
from app.pages.model import Page, PageContent
from app.pages.vocabulary import Vocabulary, vocabulary_of

_AT_ONCE: Final = 100


def fill_vocabularies(page_ids: Sequence[int]) -> Iterator[tuple[int, Vocabulary]]:
    """Count the words of pages, keep them, and yield each page's; commits every hundred pages.

    What a reading of the page has written meanwhile stays.
    """
    for at in range(0, len(page_ids), _AT_ONCE):
        found = _counted(page_ids[at : at + _AT_ONCE])
        _keep(found)
        yield from found


def _counted(page_ids: Sequence[int]) -> list[tuple[int, Vocabulary]]:
    db.session.commit()
    with reading():
        rows = db.session.execute(
            select(Page.id, Page.title, Page.description, PageContent.blocks)
            .join(PageContent, PageContent.page_id == Page.id)
            .where(Page.id.in_(page_ids))
            .order_by(Page.id)
        ).all()
        db.session.commit()
    return [(row.id, vocabulary_of(row.title, row.description, row.blocks)) for row in rows]


def _keep(found: Sequence[tuple[int, Vocabulary]]) -> None:
    if not found:
        return
    contents = PageContent.__table__
    statement = (
        update(contents)  # type: ignore[arg-type]
        .where(contents.c.page_id == bindparam("id"), contents.c.words.is_(None))
        .values(words=bindparam("counted"), headings=bindparam("spoken"))
    )
    rows = [{"id": page_id, "counted": each.words, "spoken": each.headings} for page_id, each in found]
    db.session.connection().execute(statement, rows)
    db.session.commit()
