"""Why posts do not use a page: the words and the database say the same."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import ColumnElement, select

from app.failures import failure
from app.infra.db import db
from app.infra.urls import url_key
from app.pages.model import Page
from app.pages.usable import choosable, linkable, usable, why_unused

URL = "https://bees.example/care"
READ = datetime(2026, 1, 1, tzinfo=UTC)
NOT_FOUND = failure("PAGE_UNREACHABLE", "The page could not be read: The server answered 404.").to_dict()


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, None),
        ({"canonical_url": URL}, None),
        ({"is_stale": True}, "left the sitemap"),
        ({"noindex": True}, "not to be indexed"),
        ({"canonical_url": "https://bees.example/"}, "original: https://bees.example/"),
        ({"canonical_url": "https://other.example/care"}, "original: https://other.example/care"),
        ({"fetch_error": NOT_FOUND}, "The page could not be read: The server answered 404."),
    ],
)
def test_a_page_is_used_unless_there_is_a_reason_why_not(
    project_id: int, values: dict[str, Any], words: str | None
) -> None:
    page = added(project_id, word_count=300, **values)
    assert {is_a(condition(), page) for condition in (usable, choosable, linkable)} == {words is None}
    reason = why_unused(page)
    assert reason is None if words is None else words in (reason or "")


@pytest.mark.parametrize(
    ("values", "words", "may_be_chosen"),
    [
        ({}, "It has not been read yet.", True),
        ({"fetched_at": READ}, "It has no text.", False),
        ({"fetched_at": READ, "word_count": 0}, "It has no text.", False),
    ],
    ids=["unread", "no text", "no words"],
)
def test_a_page_without_words_is_not_used_but_a_person_may_link_to_it(
    project_id: int, values: dict[str, Any], words: str, may_be_chosen: bool
) -> None:
    page = added(project_id, **values)
    assert why_unused(page) == words
    assert not is_a(usable(), page)
    assert is_a(choosable(), page) is may_be_chosen
    assert is_a(linkable(), page)


def is_a(condition: ColumnElement[bool], page: Page) -> bool:
    return db.session.scalar(select(Page.id).where(Page.id == page.id, condition)) is not None


def added(project_id: int, **values: Any) -> Page:
    page = Page(project_id=project_id, url=URL, url_key=url_key(URL), source="MANUAL", **values)
    db.session.add(page)
    db.session.commit()
    return page
