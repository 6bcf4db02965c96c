"""The editor over HTTP: autosave, checks and preview of unsaved text, conflicts, ended sessions, versions."""

from __future__ import annotations

import re
from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app.content.model import BlogPost, BlogPostVersion
from app.content.posts.versions import MOST_KEPT
from app.infra.clock import utc_now
from app.infra.db import db
from tests.dashboard.conftest import Visitor, visitor_with_account

HERE = {"Origin": "http://localhost"}
TYPED = {
    "title": "A post",
    "slug": "a-post",
    "meta_title": "",
    "description": "",
    "content": "Hello **you**.\n\n## More\n\nText.",
}


@pytest.fixture
def path(things: dict[str, int]) -> str:
    return f"/projects/{things['project_id']}/posts/{things['post_id']}"


@pytest.fixture
def edit(path: str) -> str:
    return f"{path}/edit"


def autosave(who: Visitor, edit: str, version: int, **typed: str) -> TestResponse:
    return who.send(f"{edit}/save", {**TYPED, "version": str(version), **typed}, page=edit)


def kept(app: Flask) -> list[tuple[Any, ...]]:
    with app.app_context():
        rows = db.session.query(BlogPostVersion).order_by(BlogPostVersion.id)
        return [(row.why, row.version, row.by, row.content) for row in rows]


def stored(app: Flask) -> str:
    with app.app_context():
        return str(db.session.query(BlogPost.content).scalar())


def test_the_editor_saves_by_itself_and_a_run_of_saves_is_one_version(app, alice, edit):
    first = autosave(alice, edit, 1)
    assert first.status_code == 200
    assert first.json["version"] == 2
    assert re.fullmatch(r"\d\d:\d\d", first.json["at"])
    assert autosave(alice, edit, 2, content="Longer now.").json["version"] == 3
    assert kept(app) == [("autosaved", 3, "alice@example.com", "Longer now.")]
    # A save by hand ends the run: what follows does not take its place.
    alice.send(edit, {**TYPED, "version": "3", "content": "By hand."})
    autosave(alice, edit, 4, content="And on.")
    assert [row[0] for row in kept(app)] == ["autosaved", "edited", "autosaved"]


def test_a_save_by_itself_says_why_it_was_refused_and_changes_nothing(app, alice, edit):
    untitled = autosave(alice, edit, 1, title=" ")
    assert (untitled.status_code, untitled.json["message"]) == (422, "Give the post a title.")
    address = autosave(alice, edit, 1, slug="Not an address")
    assert address.status_code == 422
    assert "lower-case letters" in address.json["message"]
    autosave(alice, edit, 1, content="First.")
    late = autosave(alice, edit, 1, content="Second.")
    assert (late.status_code, late.json["code"]) == (409, "POST_CHANGED")
    assert stored(app) == "First."


def test_unsaved_text_is_checked_and_shown_by_the_rules_of_publishing_and_not_saved(app, alice, edit):
    typed = {**TYPED, "content": "[TODO] Hello <script>alert(1)</script> **you**", "meta_title": "Short"}
    checks = alice.send(f"{edit}/check", typed, page=edit).text
    assert "Fix before publishing" in checks
    assert 'href="#content" data-find="[TODO]' in checks
    assert 'href="#meta_title"' in checks
    preview = alice.send(f"{edit}/preview", typed, page=edit).text
    assert "<strong>you</strong>" in preview
    assert "<script>" not in preview
    assert stored(app) == "Some *text*."


def test_a_post_without_text_says_so_and_leads_to_the_editor(alice, edit):
    post = edit.removesuffix("/edit")
    assert "no text yet" not in alice.get(post).text
    alice.send(edit, TYPED | {"content": ""})
    assert f'no text yet. <a href="{edit}">' in alice.get(post).text


def test_the_keyboard_reaches_a_table_that_has_to_be_scrolled(alice, edit):
    table = "| Hours | Price |\n|---|---|\n| 8 | 12 |\n"
    alice.send(edit, TYPED | {"content": table})
    for text in (
        alice.get(edit.removesuffix("/edit")).text,
        alice.send(f"{edit}/preview", {"content": table}, page=edit).text,
    ):
        assert '<table tabindex="0">' in text


def test_without_a_script_the_form_previews_and_checks_what_was_typed(app, alice, edit):
    page = alice.send(edit, {**TYPED, "version": "1", "content": "[TODO] **Mine**", "do": "look"})
    assert "<strong>Mine</strong>" in page.text
    assert "[TODO] **Mine**</textarea>" in page.text
    assert 'data-find="[TODO]' in page.text
    assert "https:" in page.headers["Content-Security-Policy"]
    assert stored(app) == "Some *text*."


def test_a_new_title_takes_the_address_and_the_title_in_search_along_if_asked(app, alice, edit):
    with app.app_context():
        db.session.query(BlogPost).update({"meta_title": "A post"})
        db.session.commit()
    assert "Make both from the title" in alice.get(edit).text
    typed = {**TYPED, "version": "1", "title": "Über Grinder", "meta_title": "A post"}
    shown = alice.send(edit, {**typed, "do": "along"}).text
    assert re.search(r'name="slug"[^>]* value="uber-grinder"', shown)
    assert re.search(r'name="meta_title"[^>]* value="Über Grinder', shown)
    made = alice.send(f"{edit}/along", typed, page=edit).json
    assert made["slug"] == "uber-grinder"
    with app.app_context():
        post = db.session.query(BlogPost).one()
        assert (post.title, post.slug) == ("A post", "a-post")
        post.status, post.published_at = "published", utc_now()
        db.session.commit()
    assert "slug" not in alice.send(f"{edit}/along", typed, page=edit).json
    assert "The address is published and stays" in alice.get(edit).text


def test_of_two_texts_either_can_be_kept_and_neither_is_lost(app, alice, edit):
    alice.send(edit, {**TYPED, "version": "1", "content": "Their words stand here."})
    mine = {**TYPED, "version": "1", "content": "My words stand here."}
    page = alice.send(edit, mine)
    assert page.status_code == 422
    assert "<del>Their</del> words stand here." in page.text
    assert "<ins>My</ins> words stand here." in page.text
    version = re.search(r'name="version" value="(\d+)"', page.text)
    assert version
    assert alice.send(edit, {**mine, "version": version[1], "do": "theirs"}).location == edit
    assert stored(app) == "Their words stand here."
    alice.send(edit, {**mine, "version": version[1]})
    assert stored(app) == "My words stand here."
    assert [(row[0], row[3].split()[0]) for row in kept(app)] == [
        ("edited", "Their"),
        ("set_aside", "My"),
        ("edited", "My"),
    ]


def test_text_sent_after_the_session_ended_is_shown_again_and_saved_after_signing_in(app, alice, edit):
    typed = {**TYPED, "version": "1", **alice.hidden(edit), "content": "Hours of <b>work"}
    alice.client.delete_cookie("session")
    page = alice.client.post(edit, data=typed, headers=HERE)
    assert page.status_code == 401
    assert "Hours of &lt;b&gt;work</textarea>" in page.text
    alice.sign_in("alice@example.com")
    again = alice.client.post(edit, data=typed, headers=HERE)
    assert again.status_code == 400
    assert "Hours of &lt;b&gt;work</textarea>" in again.text
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', again.text))
    saved = alice.client.post(edit, data={**fields, "content": "Hours of <b>work"}, headers=HERE)
    assert saved.location == edit.removesuffix("/edit")
    assert stored(app) == "Hours of <b>work"


def test_text_from_another_site_is_never_shown_as_ones_own(alice, charlie, edit):
    for who in (alice, charlie):
        for headers in ({}, {"Origin": "https://evil.example"}):
            page = who.client.post(edit, data={**TYPED, "content": "Buy this"}, headers=headers)
            assert "Buy this" not in page.text


def test_after_signing_in_again_the_editor_gets_a_new_token(alice, edit):
    old = alice.hidden(edit)
    alice.client.delete_cookie("session")
    data = {**TYPED, "version": "1", **old}
    assert alice.client.post(f"{edit}/save", data=data).status_code == 302
    alice.sign_in("alice@example.com")
    assert alice.client.post(f"{edit}/save", data=data).status_code == 400
    token = alice.get(f"{edit}/token").json["token"]
    assert alice.client.post(f"{edit}/save", data={**data, "csrf_token": token}).status_code == 200


def test_a_version_is_compared_and_brought_back_unless_the_post_has_changed(app, alice, path, edit):
    alice.send(edit, {**TYPED, "version": "1", "title": "Old title", "content": "Old words."})
    alice.send(edit, {**TYPED, "version": "2", "title": "New title", "content": "New words."})
    listed = alice.get(f"{path}/versions").text
    old = re.findall(rf'href="({path}/versions/\d+)"', listed)[-1]
    page = alice.get(old).text
    assert "<del>Old</del>" in page
    assert "<ins>New</ins>" in page
    assert alice.send(old, {"version": "2"}).status_code == 422
    assert stored(app) == "New words."
    assert alice.send(old, {"version": "3"}).location == path
    assert stored(app) == "Old words."
    assert "<h1>Old title</h1>" in alice.get(path).text
    assert [row[0] for row in kept(app)] == ["edited", "edited", "restored"]


def test_a_post_keeps_its_newest_versions(app, alice, edit):
    with app.app_context():
        post_id = db.session.query(BlogPost.id).scalar()
        same = {"meta_title": "", "description": "", "word_count": 1, "by": ""}
        texts = [
            {"title": "A post", "content": str(n), "version": n, "why": "edited"} for n in range(MOST_KEPT)
        ]
        db.session.add_all(BlogPostVersion(blog_post_id=post_id, **same, **text) for text in texts)
        db.session.commit()
    alice.send(edit, {**TYPED, "version": "1", "content": "The newest."})
    rows = kept(app)
    assert (len(rows), rows[0][3], rows[-1][3]) == (MOST_KEPT, "1", "The newest.")


def test_pages_of_the_site_are_found_to_be_linked(alice, edit):
    found = alice.get(f"{edit}/pages?q=grinders").text
    assert 'data-link="https://alice.example.com/grinders"' in found
    assert "No page that posts may use" in alice.get(f"{edit}/pages?q=teapots").text


def test_nobody_else_reads_or_writes_in_the_editor(app, alice, path, edit):
    alice.send(edit, {**TYPED, "version": "1"})
    with app.app_context():
        version_id = db.session.query(BlogPostVersion.id).scalar()
    bob = visitor_with_account(app, "bob@example.com")
    token = bob.hidden("/settings")
    for ending in ("pages", "token"):
        assert bob.get(f"{edit}/{ending}").status_code == 404
    for ending in ("save", "check", "preview"):
        sent = bob.client.post(f"{edit}/{ending}", data={**TYPED, **token, "version": "2"})
        assert sent.status_code == 404
    assert bob.get(f"{path}/versions").status_code == 404
    assert bob.get(f"{path}/versions/{version_id}").status_code == 404
