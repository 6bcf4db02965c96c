"""Copying and downloading a post on its page."""

from __future__ import annotations

import zipfile
from io import BytesIO

import pytest
from flask import Flask

from app.content.model import BlogPost
from app.content.posts.images import add_image
from app.infra.db import db
from app.projects.service import find_project
from tests.dashboard.conftest import Visitor
from tests.support.pictures import picture


@pytest.fixture
def post(things: dict[str, int]) -> str:
    return f"/projects/{things['project_id']}/posts/{things['post_id']}"


def test_a_posts_page_has_its_text_to_copy_and_links_to_download_it(alice: Visitor, post: str) -> None:
    page = alice.get(post).text
    assert 'data-copy="as-markdown" hidden' in page
    assert 'data-copy="as-html" hidden' in page
    assert "data-copy-from" not in page
    assert 'id="as-html" aria-label="HTML">&lt;p&gt;' in page
    for form in ("markdown", "html", "json", "zip"):
        assert f'href="{post}/export/{form}"' in page


def test_the_html_to_copy_contains_the_images_that_the_project_has(
    app: Flask, alice: Visitor, bob: Visitor, post: str, things: dict[str, int]
) -> None:
    with app.app_context():
        image, _ = add_image(
            find_project(things["project_id"]), picture(), "image/png", alt="", file_name=None
        )
        content = f"![A hive](image:{image.id}) ![Gone](image:{image.id}0)"
        db.session.execute(db.update(BlogPost).values(content=content))
        db.session.commit()
    page = alice.get(post).text
    assert f'data-copy-from="{post}/export/text"' in page
    assert f'href="{post}/export/text">Show the HTML' in page
    shown = alice.get(f"{post}/export/text")
    assert (shown.status_code, shown.mimetype) == (200, "text/plain")
    assert shown.headers["X-Content-Type-Options"] == "nosniff"
    assert shown.text.startswith('<p><img src="data:image/png;base64,')
    assert shown.text.endswith('" alt="A hive"> <img alt="Gone"></p>\n')
    assert bob.get(f"{post}/export/text").status_code == 404


@pytest.mark.parametrize(
    ("form", "ending"), [("markdown", ".md"), ("html", ".html"), ("json", ".json"), ("zip", ".zip")]
)
def test_each_link_downloads_a_file(alice: Visitor, post: str, form: str, ending: str) -> None:
    answer = alice.get(f"{post}/export/{form}")
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"].startswith("attachment; filename=")
    assert answer.headers["Content-Disposition"].endswith(f'{ending}"')
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_the_archive_of_the_page_can_be_opened(alice: Visitor, post: str) -> None:
    with zipfile.ZipFile(BytesIO(alice.get(f"{post}/export/zip").data)) as archive:
        assert len(archive.namelist()) == 4


def test_another_format_and_another_customers_post_are_not_found(
    alice: Visitor, bob: Visitor, post: str
) -> None:
    assert alice.get(f"{post}/export/pdf").status_code == 404
    assert bob.get(f"{post}/export/zip").status_code == 404
