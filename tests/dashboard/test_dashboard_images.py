"""Pictures in the text of a post: added while somebody writes, with and without a script, and shown."""

from __future__ import annotations

from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app.content.model import BlogPost, PostRemoval, ProjectImage
from app.infra.clock import utc_now
from app.infra.db import db
from app.projects.service import find_project
from app.publishing.removal import prune_removals, remove_drafts
from tests.dashboard.conftest import Visitor
from tests.support.pictures import opened, picture

TYPED = {"title": "A post", "slug": "a-post", "meta_title": "", "description": "", "content": "Just typed."}


@pytest.fixture
def site(things: dict[str, int]) -> str:
    return f"/projects/{things['project_id']}"


@pytest.fixture
def post(site: str, things: dict[str, int]) -> str:
    return f"{site}/posts/{things['post_id']}"


def send(who: Visitor, path: str, page: str, data: bytes | None = None, **fields: Any) -> TestResponse:
    file = (BytesIO(data or picture()), "Red bike.png")
    return who.client.post(path, data={**who.hidden(page), **fields, "picture": file})


def add(who: Visitor, site: str, post: str, alt: str = "") -> str:
    """Add a picture as the editor's script does; returns what shows it."""
    answer = send(who, f"{site}/images", f"{post}/edit", alt=alt)
    assert answer.status_code == 201, answer.text
    return str((answer.json or {})["markdown"])


def test_a_picture_is_added_and_shown_in_the_preview_and_on_the_posts_page(
    app: Flask, alice: Visitor, site: str, post: str
) -> None:
    markdown = add(alice, site, post, "A  [red] bike ")
    with app.app_context():
        image = db.session.scalars(db.select(ProjectImage)).one()
        assert (image.file_name, image.alt, image.added_by) == (
            "Red bike.png", "A [red] bike", "alice@example.com",
        )  # fmt: skip
        db.session.execute(db.update(BlogPost).values(content=f"Look:\n\n{markdown}"))
        db.session.commit()
    shown = f'<img src="{site}/images/1" alt="A &#91;red] bike">'
    assert shown in alice.get(post).text
    assert (
        shown in alice.send(f"{post}/edit/preview", {**TYPED, "content": markdown}, page=f"{post}/edit").text
    )
    offered = r'value="![A \[red\] bike](image:1)" data-alt="A [red] bike"'
    assert offered in alice.get(f"{post}/edit").text
    assert r"<code>![A \[red\] bike](image:1)</code>" in alice.get(f"{site}/images").text
    sent = alice.get(f"{site}/images/1")
    assert (sent.mimetype, opened(sent.data).size) == ("image/png", (800, 420))
    assert sent.headers["X-Content-Type-Options"] == "nosniff"
    assert sent.headers["Cache-Control"] == "private, no-cache"


def test_without_a_script_a_picture_is_added_and_nothing_typed_is_lost(
    alice: Visitor, site: str, post: str
) -> None:
    page = send(alice, f"{post}/edit/picture", f"{post}/edit", alt="A red bike", version="1", **TYPED)
    assert page.status_code == 200
    assert "Just typed.</textarea>" in page.text
    assert "Not saved" in page.text
    assert "![A red bike](image:1)</code>" in page.text
    assert alice.get(f"{post}/edit/picture").location == f"{post}/edit"


def test_a_refused_picture_says_why_beside_its_field_and_to_the_script(
    alice: Visitor, site: str, post: str
) -> None:
    typed = send(alice, f"{post}/edit/picture", f"{post}/edit", b"no picture", version="1", **TYPED)
    assert typed.status_code == 422
    assert "This is not a picture of the type image/png." in typed.text
    assert "Just typed.</textarea>" in typed.text
    told = send(alice, f"{site}/images", f"{post}/edit", bytes(5_000_001))
    assert (told.status_code, told.json["message"]) == (413, "The picture is over 5 MB.")
    missing = alice.send(f"{site}/images", page=f"{post}/edit")
    assert (missing.status_code, missing.json["message"]) == (422, "Choose a file.")


def test_what_a_picture_shows_is_changed_on_the_page_of_pictures(
    app: Flask, alice: Visitor, bob: Visitor, site: str, post: str
) -> None:
    add(alice, site, post, "A bike")
    answer = alice.send(f"{site}/images/1/describe?page=1", {"alt": "A red  bike"}, f"{site}/images")
    assert answer.location == f"{site}/images?page=1#p1"
    page = alice.get(f"{site}/images").text
    assert "Description saved." in page
    assert 'name="alt" value="A red bike"' in page
    assert "<code>![A red bike](image:1)</code>" in page
    assert alice.send(f"{site}/images/1/describe", {"alt": "x" * 301}, f"{site}/images").status_code == 422
    assert bob.send(f"{site}/images/1/describe", {"alt": "Mine"}, "/settings").status_code == 404
    with app.app_context():
        assert db.session.scalars(db.select(ProjectImage.alt)).one() == "A red bike"


def test_a_text_shows_at_most_fifty_pictures(alice: Visitor, site: str, post: str) -> None:
    shows = add(alice, site, post, "A bike")
    for times, status in ((51, 422), (50, 302)):
        typed = {**TYPED, "version": "1", "content": "\n\n".join([shows] * times)}
        answer = alice.send(f"{post}/edit", typed, f"{post}/edit")
        assert answer.status_code == status
        assert ("The text shows 51 pictures; a post has at most 50." in answer.text) == (times == 51)


def test_a_picture_is_removed_once_no_post_shows_it(app: Flask, alice: Visitor, site: str, post: str) -> None:
    assert "No pictures yet" in alice.get(f"{site}/images").text
    add(alice, site, post, "A red bike")
    with app.app_context():
        db.session.execute(db.update(BlogPost).values(content="![A bike](image:1)"))
        db.session.commit()
    page = alice.get(f"{site}/images").text
    assert f'href="{post}">A post</a>' in page
    assert "Remove A red bike" not in page
    assert alice.send(f"{site}/images/1/remove", page=f"{post}/edit").status_code == 409
    with app.app_context():
        db.session.execute(db.update(BlogPost).values(content="`![A bike](image:1)`"))
        db.session.commit()
    assert "Remove A red bike" in alice.get(f"{site}/images").text
    assert alice.send(f"{site}/images/1/remove", page=f"{site}/images").location == f"{site}/images"
    assert alice.get(f"{site}/images/1").status_code == 404


def test_a_picture_of_a_deleted_draft_stays_until_the_draft_cannot_come_back(
    app: Flask, alice: Visitor, site: str, post: str, things: dict[str, int]
) -> None:
    add(alice, site, post, "A red bike")
    with app.app_context():
        db.session.execute(db.update(BlogPost).values(content="![A bike](image:1)"))
        db.session.commit()
        assert remove_drafts(find_project(things["project_id"]), [things["post_id"]])[1] == 1
    page = alice.get(f"{site}/images").text
    assert "A post (deleted; can be brought back for a day)" in page
    assert "Remove A red bike" not in page
    assert alice.send(f"{site}/images/1/remove", page=f"{site}/images").status_code == 409
    with app.app_context():
        db.session.execute(db.update(PostRemoval).values(created_at=utc_now() - timedelta(hours=25)))
        assert prune_removals() == 1
    assert "Remove A red bike" in alice.get(f"{site}/images").text
    assert alice.send(f"{site}/images/1/remove", page=f"{site}/images").status_code == 302


def test_bob_neither_sees_nor_adds_pictures_of_alices(
    alice: Visitor, bob: Visitor, site: str, post: str
) -> None:
    add(alice, site, post)
    assert bob.get(f"{site}/images/1").status_code == bob.get(f"{site}/images").status_code == 404
    assert send(bob, f"{site}/images", "/settings").status_code == 404
