"""The pages that a generation names: which were never read, and which cannot be used."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import select

from app.infra.db import db
from app.pages.model import Page
from app.pages.supplied import NEVER_READ
from app.pages.usable import why_unused

_LISTED: Final = 5


def never_read(project_id: int, page_ids: Sequence[int]) -> list[int]:
    """Return the pages that were never read and have no supplied text."""
    if not page_ids:
        return []
    return list(
        db.session.scalars(
            select(Page.id).where(Page.project_id == project_id, Page.id.in_(page_ids), NEVER_READ)
        )
    )


def why_not_used(project_id: int, page_ids: Sequence[int]) -> tuple[str, ...]:
    """Return a warning for each of the pages that posts cannot use now."""
    if not page_ids:
        return ()
    pages = db.session.scalars(
        select(Page).where(Page.project_id == project_id, Page.id.in_(page_ids)).order_by(Page.id)
    )
    reasons = ((page.url, why_unused(page)) for page in pages)
    return tuple(f"{url} was requested, but cannot be used now. {why}" for url, why in reasons if why)


def listed(urls: Sequence[str]) -> str:
    """Return the first few addresses as one line, and how many more there are."""
    more = len(urls) - _LISTED
    return ", ".join([*urls[:_LISTED], *([f"and {more} more"] if more > 0 else [])])
