"""Finds pages by what a person typed: an address, its path, or words of the URL and title."""

import re
import unicodedata
from collections.abc import Iterable
from typing import Final

from sqlalchemy import ColumnElement, or_, select

from app.infra.db import db
from app.infra.urls import key_of, percent_normal
from app.pages.model import Page
from app.pages.usable import choosable
from app.projects.model import Project

_MOST_WORDS: Final = 8


def page_ids_at(project: Project, addresses: Iterable[str]) -> dict[str, int | None]:
    """Return the id of the project's page at each address, None where there is none."""
    keys: dict[str, bytes | None] = {address: key_of(address, project.url) for address in addresses}
    found = {
        row.url_key: row.id
        for row in db.session.execute(
            select(Page.id, Page.url_key).where(
                Page.project_id == project.id, Page.url_key.in_([key for key in keys.values() if key])
            )
        )
    }
    return {address: found.get(key) if key else None for address, key in keys.items()}


def pages_of(project: Project, page_ids: Iterable[int]) -> list[Page]:
    """Return the pages of the project among ``page_ids``, in that order."""
    wanted = list(page_ids)
    rows = db.session.scalars(select(Page).where(Page.project_id == project.id, Page.id.in_(wanted)))
    found = {row.id: row for row in rows}
    return [found[page_id] for page_id in wanted if page_id in found]


def find_pages(project: Project, text: str, most: int) -> list[Page]:
    """Return up to ``most`` pages that posts may use and whose URL or title has every word of ``text``.

    A page whose address or path is ``text`` comes first, then the newest.
    """
    words = text.split()[:_MOST_WORDS]
    if not words:
        return []
    # A path such as "/" is in every address, but means one page.
    meant = page_ids_at(project, [text])[text] or 0
    own = (Page.project_id == project.id, choosable())
    exact = db.session.scalars(select(Page).where(Page.id == meant, *own)).all()
    rows = db.session.scalars(
        select(Page)
        .where(*own, Page.id != meant, *(containing(word) for word in words))
        .order_by(Page.created_at.desc(), Page.id.desc())
        .limit(most - len(exact))
    )
    return [*exact, *rows]


def containing(text: str) -> ColumnElement[bool]:
    """Return the condition that a page's URL or title contains ``text``, in any case.

    URLs are stored percent-encoded, so the text is matched in that form, as it is and in lower case.
    """
    text = unicodedata.normalize("NFC", text)
    in_urls = dict.fromkeys(percent_normal(form).lower() for form in (text, text.lower()))
    return or_(*(Page.url.icontains(form, autoescape=True) for form in in_urls), _titled(text))


def _titled(text: str) -> ColumnElement[bool]:
    if text.isascii():
        return Page.title.icontains(text, autoescape=True)
    # SQLite's LIKE and lower() fold ASCII only; a regular expression costs twice as much.
    return Page.title.regexp_match(f"(?i){re.escape(text)}")
