"""200 keywords and an export of search results, imported by mouse, by the keys, and without JavaScript."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import expect

from tests.api.conftest import customer
from tests.browser.hands import Mouse
from tests.support.search_exports import search_export

pytestmark = pytest.mark.browser

KEYWORDS = 200
DAYS = ("2026-10-01", "2026-10-31")


@pytest.fixture
def database_kind() -> str:
    return "sqlite"


@pytest.fixture
def project(app: Flask, served: str, person: Mouse) -> str:
    """The address of a project whose owner is signed in."""
    project_id = customer(app, "alice").project()
    person.sign_in(served)
    return f"{served}/projects/{project_id}"


def upload(person: Mouse, file: Path) -> None:
    """Choose a file and have it read."""
    page = person.page
    person.attach(page.locator("input[type=file]"), file)
    person.press(page.get_by_role("main").get_by_role("button", name="Look at it"))


def test_keywords_come_from_a_file(person: Mouse, project: str, tmp_path: Path) -> None:
    page, file = person.page, tmp_path / "keywords.csv"
    rows = [f"garden word {number},{number * 10},{number % 90}" for number in range(1, KEYWORDS + 1)]
    file.write_text("\n".join(["Keyword,Volume,KD", *rows, "garden word 1,5,5"]))
    page.goto(f"{project}/keywords")
    person.press(page.get_by_role("link", name="Import", exact=True))
    upload(person, file)
    person.press(page.get_by_role("button", name=f"Import {KEYWORDS} new"))
    expect(page.get_by_role("status").filter(has_text=str(KEYWORDS)).first).to_be_visible()
    person.write(page.get_by_role("searchbox"), "garden word 137")
    person.page.keyboard.press("Enter")
    expect(page.get_by_role("rowheader", name="garden word 137")).to_be_visible()


def test_search_results_become_opportunities(person: Mouse, project: str, tmp_path: Path) -> None:
    page, file = person.page, tmp_path / "export.zip"
    queries = [("seed swap rules", 3, 4000, "8.2"), ("garden diary", 90, 1000, "1.4")]
    pages = [("https://alice.example.com/", 93, 5000, "4.0")]
    file.write_bytes(search_export(queries, pages, DAYS))
    page.goto(f"{project}/search")
    person.press(page.get_by_role("link", name="Import an export"))
    upload(person, file)
    person.press(page.get_by_role("button", name="Import 3 rows"))
    expect(page.get_by_role("main")).to_contain_text("seed swap rules")
    person.press(page.get_by_role("link", name="Plan a post about seed swap rules"))
    expect(page.get_by_role("textbox", name="Topic")).to_have_value("seed swap rules")
    # The page checks the topic; the next test's database is not to be asked for it.
    page.wait_for_load_state("networkidle")
