"""Posts in a language that is read from right to left, on pages in English."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from flask import Flask

from app.content.model import BlogPost
from app.infra.db import db
from tests.dashboard.conftest import Visitor

TEXT = "هل تصونون الخزانات؟ اتصل على 06 500 0147.\n"


@pytest.fixture
def post(app: Flask, things: dict[str, int]) -> str:
    with app.app_context():
        stored = db.session.get_one(BlogPost, things["post_id"])
        stored.language, stored.title, stored.content = "ar", "كم يكلّف تنظيف الخزان؟", TEXT
        db.session.commit()
    return f"/projects/{things['project_id']}/posts/{things['post_id']}"


def shown(alice: Visitor, path: str) -> BeautifulSoup:
    return BeautifulSoup(alice.get(path).text, "html.parser")


def test_an_arabic_post_is_read_from_right_to_left(alice: Visitor, post: str) -> None:
    page = shown(alice, post)
    text = page.select_one("article#text")
    assert text is not None
    assert (text["lang"], text["dir"]) == ("ar", "rtl")
    assert "\u200e06 500 0147" in text.get_text()
    assert page.select_one("header.title-of-post[dir=rtl] h1") is not None
    assert page.select_one(".serp[dir=rtl] .url[dir=ltr]") is not None


def test_each_line_of_an_edited_text_has_its_own_direction(alice: Visitor, post: str) -> None:
    page = shown(alice, f"{post}/edit")
    assert {
        page.select_one(f"#{name}[dir=auto]") is not None for name in ("title", "content", "meta_title")
    } == {True}


def test_a_title_does_not_turn_the_words_beside_it(alice: Visitor, post: str) -> None:
    lead = shown(alice, f"{post}/versions").select_one(".lead bdi")
    assert lead is not None
    assert lead.get_text() == "كم يكلّف تنظيف الخزان؟"


def test_an_exported_page_says_its_direction(alice: Visitor, post: str) -> None:
    assert '<html lang="ar" dir="rtl">' in alice.get(f"{post}/export/html").text
