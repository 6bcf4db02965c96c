"""Why posts do not use a page: the words and the database say the same."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from app.failures import failure
from app.infra.db import db
from app.infra.urls import url_key
from app.pages.model import Page
from app.pages.usable import usable, why_unused

URL = "https://bees.example/care"


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({}, None),
        ({"canonical_url": URL}, None),
        ({"is_stale": True}, "left the sitemap"),
        ({"noindex": True}, "not to be indexed"),
        ({"canonical_url": "https://bees.example/"}, "original: https://bees.example/"),
        ({"canonical_url": "https://other.example/care"}, "original: https://other.example/care"),
    ],
)
def test_a_page_is_used_unless_words_say_why_not(
    project_id: int, values: dict[str, Any], words: str | None
) -> None:
    page = Page(project_id=project_id, url=URL, url_key=url_key(URL), source="MANUAL", **values)
    db.session.add(page)
    db.session.commit()
    assert db.session.scalar(select(usable()).where(Page.id == page.id)) is (words is None)
    told = why_unused(page)
    assert told is None if words is None else words in (told or "")


def test_a_page_that_could_not_be_read_says_so(project_id: int) -> None:
    error = failure("PAGE_UNREACHABLE", "The page could not be read: The server answered 404.").to_dict()
    page = Page(project_id=project_id, url=URL, url_key=url_key(URL), source="MANUAL", fetch_error=error)
    db.session.add(page)
    db.session.commit()
    assert why_unused(page) == "The page could not be read: The server answered 404."
