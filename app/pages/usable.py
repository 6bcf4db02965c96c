"""Which pages posts may be written from and link to, and why another one is not used.

Posts use pages that are linkable and have words. why_unused gives the reason for any other page.
"""

from collections import Counter
from typing import Final

from sqlalchemy import ColumnElement, and_, func, literal_column, or_, select, true

from app.infra.db import db
from app.language.tags import language_code, spellings
from app.pages.model import Page
from app.pages.supplied import NEVER_READ

_NO_WORDS: Final[ColumnElement[int]] = literal_column("0")
"""A literal and no parameter, so that SQLite need not check the rows of a partial index again."""


def usable(page: type[Page] = Page) -> ColumnElement[bool]:
    """Return the condition that posts may quote and link to a page: why_unused returns None for it."""
    return and_(linkable(page), page.word_count > _NO_WORDS)


def choosable() -> ColumnElement[bool]:
    """Return the condition that a person may choose a page: it is usable, or will be read for the post."""
    return and_(linkable(), or_(Page.word_count > _NO_WORDS, NEVER_READ))


def linkable(page: type[Page] = Page) -> ColumnElement[bool]:
    """Return the condition that a person may link to a page, even one without text.

    Pages with noindex, with another canonical page, or that could not be read last time are not linkable.
    """
    own = or_(page.canonical_url.is_(None), page.canonical_url == page.url)
    return and_(~page.is_stale, ~page.noindex, own, page.fetch_error.is_(None))


def unreadable() -> ColumnElement[bool]:
    """Return the condition that a page is fresh and could not be read last time."""
    return and_(~Page.is_stale, Page.fetch_error.is_not(None))


def unused() -> ColumnElement[bool]:
    """Return the condition that posts do not use a fresh page, although it is not waiting to be read.

    The partial indexes of Page repeat this condition and that of unreadable in SQL.
    """
    return and_(~Page.is_stale, choosable().is_not(true()))


def language_of_pages(project_id: int) -> str:
    """Return the language that most usable pages of a project are in, English when none is known."""
    known = db.session.execute(
        select(Page.language, func.count())
        .where(Page.project_id == project_id, usable())
        .group_by(Page.language)
    )
    pages: Counter[str] = Counter()
    for language, count in known:
        if language is not None:
            pages[language_code(language)] += count
    return min(pages, key=lambda each: (-pages[each], each), default="en")


def quotable_in_language(language: str) -> ColumnElement[bool]:
    """Return the condition of a page that may be quoted in this language: in it, or in none that is known."""
    stored = func.lower(Page.language)
    codes = spellings(language_code(language))
    same = [each for code in codes for each in (stored == code, stored.startswith(f"{code}-"))]
    return or_(Page.language.is_(None), *same)


def why_unused(page: Page) -> str | None:
    """Return why posts do not use a page, in a few words; None for one that they may use."""
    if page.is_stale:
        return "It left the sitemap."
    if page.noindex:
        return "It asks not to be indexed."
    if page.canonical_url not in (None, page.url):
        return f"It names another page as its original: {page.canonical_url}"
    if page.fetch_error is not None:
        return str(page.fetch_error["message"])
    if page.word_count:
        return None
    return "It has not been read yet." if page.fetched_at is None else "It has no text."
