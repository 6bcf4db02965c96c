"""The pages that a post was made from, as they are now: its checks and its page need the same."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import select

from app.content.artefacts import SourcePage
from app.content.evidence.quotes import QuotedPage
from app.content.model import WrittenText
from app.infra.db import db
from app.pages.extraction.blocks import Block
from app.pages.model import Page, PageContent
from app.pages.usable import usable


class StoredSource(NamedTuple):
    """A page that a post was made from. ``content_hash`` and ``blocks`` are None if it has no text."""

    page_id: int
    url: str
    title: str | None
    description: str | None
    fetched_at: datetime | None
    is_stale: bool
    is_usable: bool
    content_hash: str | None
    blocks: list[Any] | None


def sources_of(text: WrittenText) -> list[StoredSource]:
    """Return the pages that a text was made from and that still exist."""
    if not text.sources:
        return []
    rows = db.session.execute(
        select(
            Page.id,
            Page.url,
            Page.title,
            Page.description,
            Page.fetched_at,
            Page.is_stale,
            usable(),
            PageContent.content_hash,
            PageContent.blocks,
        )
        .outerjoin(PageContent, PageContent.page_id == Page.id)
        .where(Page.id.in_([source["page_id"] for source in text.sources]))
    )
    return [StoredSource(*row) for row in rows]


def quoted_pages(sources: Iterable[StoredSource]) -> dict[int, QuotedPage]:
    """Return the sources that have a text, by their ids, to look up quotes in."""
    return {
        each.page_id: QuotedPage(
            SourcePage(
                page_id=each.page_id,
                url=each.url,
                title=each.title,
                description=each.description,
                always_use=False,
                blocks=tuple(map(Block.from_json, each.blocks)),
            )
        )
        for each in sources
        if each.blocks is not None
    }


def source_hashes(page_ids: Sequence[int]) -> dict[str, Any]:
    """Return the content hash of each page that may be used now, by its id as text."""
    if not page_ids:
        return {}
    rows = db.session.execute(
        select(PageContent.page_id, PageContent.content_hash)
        .join(Page, Page.id == PageContent.page_id)
        .where(PageContent.page_id.in_(page_ids), usable())
    )
    return {str(page_id): content_hash for page_id, content_hash in rows}


def have_changed(text: WrittenText, sources: Sequence[StoredSource] | None = None) -> bool:
    """Return whether a source has changed, or may no longer be used, since the text was made.

    Without the ``sources`` only their hashes are read.
    """
    if sources is None:
        return source_hashes([source["page_id"] for source in text.sources]) != text.source_hashes
    now = {str(each.page_id): each.content_hash for each in sources if each.is_usable and each.content_hash}
    return now != text.source_hashes
