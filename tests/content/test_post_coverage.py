"""How many posts target a keyword, counted on both databases."""

from __future__ import annotations

import pytest
from flask import Flask

from app.content.artefacts import SourceSnapshot
from app.content.posts.keyword_coverage import refresh_due_coverage
from app.content.posts.service import edit_post
from app.infra.clock import utc_now
from app.infra.db import db
from app.keywords.model import Keyword
from app.keywords.service import add_keyword
from app.projects.model import Project
from tests.support.bees import store
from tests.support.publishing import post_of


@pytest.fixture
def project_id(db_app: Flask, bees: SourceSnapshot) -> int:
    return store(bees)


def add(project_id: int, *texts: str) -> None:
    for text in texts:
        add_keyword(db.session.get_one(Project, project_id), {"keyword_text": text})


def covered(project_id: int) -> dict[str, tuple[int, int]]:
    db.session.rollback()
    rows = db.session.query(Keyword).filter(Keyword.project_id == project_id).populate_existing()
    return {row.keyword_text: (row.covered_pages, row.covered_posts) for row in rows}


def test_a_post_counts_for_each_of_its_keywords_whatever_their_case(project_id: int) -> None:
    add(project_id, "beehive", "honey", "wax")
    project = db.session.get_one(Project, project_id)
    post_of(project, keywords=["Beehive", "honey", "honey"])
    post_of(project, slug="second", keywords=["beehive"])
    assert refresh_due_coverage(10) == 1
    counts = covered(project_id)
    assert {text: posts for text, (_pages, posts) in counts.items()} == {"beehive": 2, "honey": 1, "wax": 0}
    assert counts["beehive"][0] > 0


def test_a_keyword_whose_post_is_gone_is_not_covered_any_more(project_id: int) -> None:
    add(project_id, "wax")
    project = db.session.get_one(Project, project_id)
    post = post_of(project, keywords=["wax"])
    refresh_due_coverage(10)
    assert covered(project_id)["wax"][1] == 1
    db.session.delete(post)
    project.coverage_due_at = utc_now()
    db.session.commit()
    refresh_due_coverage(10)
    assert covered(project_id)["wax"][1] == 0


def test_what_is_not_due_is_not_counted(project_id: int) -> None:
    add(project_id, "wax")
    assert (refresh_due_coverage(10), refresh_due_coverage(10)) == (1, 0)
    post_of(db.session.get_one(Project, project_id), keywords=["wax"])
    assert refresh_due_coverage(10) == 0
    assert covered(project_id)["wax"][1] == 0


def test_other_keywords_of_a_post_are_counted_soon(project_id: int) -> None:
    add(project_id, "wax", "honey")
    post = post_of(db.session.get_one(Project, project_id), keywords=["wax"])
    refresh_due_coverage(10)
    edit_post(post, post.version, {"keywords": ["wax"]})
    assert refresh_due_coverage(10) == 0
    edit_post(post, post.version, {"keywords": ["honey"]})
    assert refresh_due_coverage(10) == 1
    assert {text: posts for text, (_pages, posts) in covered(project_id).items()} == {"wax": 0, "honey": 1}
