"""Which pages posts may be written from and link to, and why another one is not used.

Posts use what is linkable and holds words; why_unused says of any other page what keeps it out.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from sqlalchemy import ColumnElement, and_, func, literal_column, or_, select, true

from app.infra.db import db
from app.language.tags import language_code, spellings
from app.pages.model import Page
from app.pages.supplied import NEVER_READ

_HAS_WORDS: Final = Page.word_count > literal_column("0")
"""Not a parameter: SQLite then knows that a row of an index on this needs no second look."""


def usable() -> ColumnElement[bool]:
    """Return the condition of a page that posts may quote and link to: why_unused returns None for it."""
    return and_(linkable(), _HAS_WORDS)


def choosable() -> ColumnElement[bool]:
    """Return the condition of a page that may be asked for: a usable one, or one that will be read for it."""
    return and_(linkable(), or_(_HAS_WORDS, NEVER_READ))


def linkable() -> ColumnElement[bool]:
    """Return the condition of a page that a person may link to, be it without text.

    A page that says noindex, names another page as its original or could not be read last time is not.
    """
    own = or_(Page.canonical_url.is_(None), Page.canonical_url == Page.url)
    return and_(~Page.is_stale, ~Page.noindex, own, Page.fetch_error.is_(None))


def unreadable() -> ColumnElement[bool]:
    """Return the condition of a fresh page that could not be read last time."""
    return and_(~Page.is_stale, Page.fetch_error.is_not(None))


def unused() -> ColumnElement[bool]:
    """Return the condition of a fresh page that posts do not use, and not for want of having been read yet.

    An index (Page) has these, and another the unreadable ones; each says the same word by word.
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
    told = func.lower(Page.language)
    codes = spellings(language_code(language))
    same = [each for code in codes for each in (told == code, told.startswith(f"{code}-"))]
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
    return "It has not been read yet." if page.fetched_at is None else "It holds no text."
