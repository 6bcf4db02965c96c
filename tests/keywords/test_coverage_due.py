"""What changes a page has the coverage of keywords counted again soon, on both databases."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import update

from app.accounts.service import sign_up
from app.infra.db import db
from app.keywords.counting import projects_due, refresh_coverage
from app.keywords.model import Keyword
from app.keywords.service import add_keyword
from app.pages.model import Page
from app.pages.service import add_page
from app.projects.model import Project
from app.projects.service import create_project

URL = "https://example.com/shoes"


@pytest.fixture
def project(db_app: Flask) -> Project:
    alice = sign_up("alice@example.com", "correct horse battery")
    project = create_project(alice, {"url": "https://example.com/"})
    add_keyword(project, {"keyword_text": "red shoes"})
    refresh_coverage(project.id)
    return project


def covering_pages(project: Project) -> int:
    """The pages that cover the keyword after the periodic task."""
    for project_id in projects_due(10):
        refresh_coverage(project_id)
    db.session.expire_all()
    return db.session.query(Keyword).filter(Keyword.project_id == project.id).one().covered_pages


def test_a_page_that_comes_with_its_text_is_counted(project: Project) -> None:
    add_page(project, {"url": URL, "title": "Red shoes", "content": "All of them are red."})
    assert covering_pages(project) == 1


def test_a_page_that_is_added_again_after_it_went_stale_is_counted(project: Project) -> None:
    add_page(project, {"url": URL, "title": "Red shoes", "content": "All of them are red."})
    db.session.execute(update(Page).values(is_stale=True))
    db.session.commit()
    refresh_coverage(project.id)
    assert covering_pages(project) == 0
    add_page(project, {"url": URL})
    assert covering_pages(project) == 1


def test_asking_for_a_count_is_no_change_of_the_project(project: Project) -> None:
    before = project.updated_at
    add_page(project, {"url": URL, "title": "Red shoes", "content": "All of them are red."})
    db.session.expire_all()
    assert project.updated_at == before
