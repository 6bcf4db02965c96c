"""Any query string gives a page, on both databases."""

from __future__ import annotations

import re

import pytest
from flask import Flask

from app.infra.db import db
from tests.dashboard.conftest import Visitor
from tests.support.plans import listening

HUGE = 10**30


@pytest.mark.parametrize(
    "path",
    [
        "/projects/{id}/pages?q=a%00b",
        "/projects/{id}/pages?q=%FF%ED%A0%80",
        "/projects/{id}/keywords?q=a%00b",
        "/projects/{id}/posts?status=%00",
        f"/projects/{{id}}/posts?page={HUGE}",
        f"/projects/{{id}}/posts/generate?like={HUGE}",
        f"/projects/{{id}}/settings/targets?post={HUGE}",
        "/projects/{id}/settings/targets?post=a%00b",
        f"/executions?project={HUGE}",
        f"/executions?project=-{HUGE}",
    ],
)
def test_no_query_breaks_a_page(alice: Visitor, project_id: int, path: str) -> None:
    assert alice.get(path.format(id=project_id)).status_code == 200


@pytest.mark.parametrize("page", ["/projects/{id}", "/projects/{id}/start"])
def test_a_page_without_news_is_asked_for_without_counting_posts_and_keywords(
    app: Flask, alice: Visitor, project_id: int, page: str
) -> None:
    path = page.format(id=project_id)
    found = re.search(r'data-live="([^"]+)" ?\s*data-since="([^"]*)"', alice.get(path).text)
    assert found
    with app.app_context():
        engine = db.engine
    with listening(engine) as heard:
        assert alice.get(f"{found[1]}?since={found[2]}").status_code == 204
    statements = [text for text, _ in heard]
    assert statements
    assert not [each for each in statements if "FROM blog_posts" in each or "FROM keywords" in each]
