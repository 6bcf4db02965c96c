"""Stores the vocabulary of pages that were read before there was one."""

from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy import bindparam, select, update

from app.infra.db import db, reading
from app.pages.model import Page, PageContent
from app.pages.vocabulary import Vocabulary, vocabulary_of

_BATCH: Final = 100


def fill_vocabularies(page_ids: Sequence[int]) -> Iterator[tuple[int, Vocabulary]]:
    """Yield the vocabulary of each page and store it; commits every hundred pages.

    A vocabulary that a reading of the page has stored meanwhile stays.
    """
    for at in range(0, len(page_ids), _BATCH):
        found = _counted(page_ids[at : at + _BATCH])
        _store(found)
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


def _store(found: Sequence[tuple[int, Vocabulary]]) -> None:
    if not found:
        return
    contents = PageContent.__table__
    statement = (
        update(contents)  # type: ignore[arg-type]
        .where(contents.c.page_id == bindparam("id"), contents.c.words.is_(None))
        .values(words=bindparam("counted"), headings=bindparam("heading_lines"))
    )
    rows = [{"id": page_id, "counted": each.words, "heading_lines": each.headings} for page_id, each in found]
    db.session.connection().execute(statement, rows)
    db.session.commit()
