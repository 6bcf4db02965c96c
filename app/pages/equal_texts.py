"""Pages of a project that have the same text: as sources and subjects they count once.

``Page.text_key`` is equal for equal texts. The titles, descriptions and addresses of the pages may differ.
"""

from collections.abc import Collection, Iterable
from typing import Final

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import aliased

from app.infra.db import db
from app.pages.model import Page
from app.pages.usable import usable

_KEY_LENGTH: Final = 32


def text_key(content_hash: str, word_count: int) -> str | None:
    """Return the key of a text, None for one without words."""
    return content_hash[:_KEY_LENGTH] if word_count else None


def copies_among(conditions: Collection[ColumnElement[bool]], most: int) -> frozenset[int]:
    """Return which pages repeat the text of another one, of those that meet the conditions.

    Of equal texts the preferred page is no copy, else the one with the shortest address, else the oldest. Of
    very many pages, ``most`` are compared: the preferred and then the newest.
    """
    rows = db.session.execute(
        select(Page.id, Page.text_key, Page.always_use, func.length(Page.url).label("length"))
        .where(*conditions)
        .order_by(Page.always_use.desc(), Page.id.desc())
        .limit(most)
    ).all()
    ordered = sorted(rows, key=lambda row: (not row.always_use, row.length, row.id))
    kept = one_of_each((row.id, row.text_key) for row in ordered)
    return frozenset(row.id for row in rows) - frozenset(kept)


def one_of_each(pages: Iterable[tuple[int, str | None]]) -> list[int]:
    """Return the ids of the pages, given with their text_key, without those that repeat an earlier text."""
    found: dict[str | int, int] = {}
    for page_id, key in pages:
        found.setdefault(page_id if key is None else key, page_id)
    return list(found.values())


def page_with_the_same_text(page_ids: Collection[int]) -> dict[int, Page]:
    """Return for each of these pages that posts use the oldest other one with the same text, if any."""
    if not page_ids:
        return {}
    other = aliased(Page)
    oldest = (
        select(func.min(other.id))
        .where(
            other.project_id == Page.project_id,
            other.text_key == Page.text_key,
            other.id != Page.id,
            usable(other),
        )
        .scalar_subquery()
    )
    found = aliased(Page)
    pairs = select(Page.id, found).join(found, found.id == oldest).where(Page.id.in_(page_ids), usable())
    return dict(db.session.execute(pairs).all())
