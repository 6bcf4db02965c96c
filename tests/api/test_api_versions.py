"""The versions of a post, over HTTP with a key."""

from __future__ import annotations

from flask import Flask

from app.content.model import BlogPost
from app.content.posts.service import edit_post
from app.infra.db import db
from tests.api.conftest import Customer, code, member
from tests.api.test_api_covers import post_of


def test_the_saved_texts_of_a_post_are_listed_and_read(app: Flask, alice: Customer, bob: Customer) -> None:
    project_id = alice.project()
    post = post_of(app, project_id)
    with app.app_context():
        row = db.session.query(BlogPost).one()
        edit_post(row, 1, {"content": "First words."}, by="Alice")
        edit_post(row, 2, {"content": "Second words."}, by="Bob", why="autosaved")
    newest, oldest = member(alice.get(f"{post}/versions"), "versions")
    assert (newest["why"], newest["by"], newest["version"]) == ("autosaved", "Bob", 3)
    assert "content" not in newest
    read = member(alice.get(f"{post}/versions/{oldest['id']}"), "version")
    assert (read["content"], read["by"], read["why"]) == ("First words.", "Alice", "edited")

    other = post_of(app, project_id, slug="another-post")
    assert code(alice.get(f"{other}/versions/{oldest['id']}")) == (404, "POST_VERSION_NOT_FOUND")
    for path in (f"{post}/versions", f"{post}/versions/{oldest['id']}"):
        assert bob.get(path).status_code == 404
