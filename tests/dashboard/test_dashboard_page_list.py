"""The list of pages: its order, and as a file."""

from __future__ import annotations

import csv
import io
import re

import pytest
from flask import Flask

from app.infra.db import db
from app.pages.model import Page
from app.pages.service import add_page
from app.projects.service import find_project
from tests.dashboard.conftest import Visitor


@pytest.fixture
def here(app: Flask, project_id: int) -> str:
    """Three pages, the first of which is the oldest; no post links to any of them."""
    with app.app_context():
        for name in ("mills", "cups", "beans"):
            fields = {
                "url": f"https://alice.example.com/{name}",
                "title": name.title(),
                "content": "They hum.",
            }
            add_page(find_project(project_id), fields)
    return f"/projects/{project_id}/pages"


def listed(alice: Visitor, path: str) -> list[str]:
    return re.findall(r'<span class="muted">/(\w+)</span>', alice.get(path).text)


def exported(alice: Visitor, path: str) -> list[list[str]]:
    answer = alice.get(path)
    assert answer.mimetype == "text/csv"
    return list(csv.reader(io.StringIO(answer.text)))[1:]


@pytest.mark.parametrize("state", ["", "unlinked"])
def test_the_oldest_page_can_come_first(alice: Visitor, here: str, state: str) -> None:
    assert listed(alice, f"{here}?state={state}") == ["beans", "cups", "mills"]
    assert listed(alice, f"{here}?state={state}&order=oldest") == ["mills", "cups", "beans"]
    assert listed(alice, f"{here}?state={state}&order=oldest&q=m") == ["mills", "cups", "beans"]
    assert listed(alice, f"{here}?state={state}&order=none") == ["beans", "cups", "mills"]


def test_the_file_has_the_pages_of_the_filter_and_no_formula(app: Flask, alice: Visitor, here: str) -> None:
    with app.app_context():
        mills, cups = db.session.query(Page).order_by(Page.id).limit(2)
        mills.title, cups.is_stale = "@SUM(1+1)", True
        db.session.commit()
    rows = exported(alice, f"{here}/export.csv")
    assert [row[:4] for row in rows] == [
        ["https://alice.example.com/mills", "'@SUM(1+1)", "fresh", "2"],
        ["https://alice.example.com/cups", "Cups", "stale", "2"],
        ["https://alice.example.com/beans", "Beans", "fresh", "2"],
    ]
    assert [row[1] for row in exported(alice, f"{here}/export.csv?state=stale")] == ["Cups"]
    assert [row[1] for row in exported(alice, f"{here}/export.csv?state=unlinked&q=BEAN")] == ["Beans"]


def test_ticked_pages_are_always_used_and_that_is_undone(app: Flask, alice: Visitor, here: str) -> None:
    def preferred() -> list[str]:
        with app.app_context():
            rows = db.session.query(Page.title).filter(Page.always_use).order_by(Page.id)
            return [title for (title,) in rows]

    with app.app_context():
        ids = [str(page_id) for (page_id,) in db.session.query(Page.id).order_by(Page.id)]
        db.session.get_one(Page, int(ids[0])).always_use = True
        db.session.commit()
    answer = alice.send(f"{here}/ticked", {"page_ids": ids[:2], "do": "use", "back": f"{here}?q=x"}, here)
    assert answer.location == f"{here}?q=x"
    assert preferred() == ["Mills", "Cups"]
    page = alice.get(here).text
    assert "1 page is now always used." in page
    undo = re.search(r'action="([^"]+/ticked/undo[^"]*)"', page)
    assert undo
    alice.send(undo[1].replace("&amp;", "&"), page=here)
    assert preferred() == ["Mills"], "what was preferred before stays so"
    alice.send(f"{here}/ticked", {"page_ids": ids, "do": "leave"}, here)
    assert preferred() == []
    alice.send(f"{here}/ticked", {"do": "leave"}, here)
    assert "tick the pages first" in alice.get(here).text
    written = alice.send(f"{here}/ticked", {"page_ids": ids[1:], "do": "write"}, here).location or ""
    assert written.endswith(f"/posts/generate?page_ids={ids[1]}&page_ids={ids[2]}")


def test_bob_cannot_prefer_pages_of_alice(bob: Visitor, here: str) -> None:
    for path in ("ticked", "ticked/undo"):
        assert bob.send(f"{here}/{path}", {"do": "use"}, "/settings").status_code == 404
