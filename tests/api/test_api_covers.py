"""The cover image of a post, over HTTP with a key."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app.content.model import BlogPost
from app.infra.db import db
from tests.api.conftest import Customer, code, member
from tests.support.pictures import opened, picture, taken_by_a_camera
from tests.support.plans import listening

TITLE = "How to store a bike"
GENERATED = {"alt": TITLE, "width": 1200, "height": 630, "media_type": "image/png", "source": "generated"}


def post_of(app: Flask, project_id: int, slug: str = "a-post", **members: Any) -> str:
    """Make a post; returns its path."""
    with app.app_context():
        post = BlogPost(
            project_id=project_id, title=TITLE, slug=slug, language="en", content="Some text.", engine="llm",
            draft_kind="full", json_ld=[{"@type": "BlogPosting", "headline": TITLE}, {"@type": "FAQPage"}],
            **members,
        )  # fmt: skip
        db.session.add(post)
        db.session.commit()
        return f"/projects/{project_id}/blog-posts/{post.id}"


@pytest.fixture
def post(app: Flask, alice: Customer) -> str:
    return post_of(app, alice.project())


def upload(who: Customer, post: str, data: bytes, media_type: str = "image/png") -> TestResponse:
    return who.send("PUT", f"{post}/cover", data=data, content_type=media_type)


def cover_of(who: Customer, post: str) -> dict[str, Any]:
    return dict(member(who.get(post), "post")["cover_image"])


def test_a_post_has_a_generated_cover(alice: Customer, post: str) -> None:
    assert cover_of(alice, post) == {"url": f"/public-api{post}/cover", **GENERATED}
    (listed,) = member(alice.get(post.rpartition("/")[0]), "posts")
    assert listed["cover_image"]["source"] == "generated"


def test_the_generated_cover_is_a_picture_of_its_own_etag(alice: Customer, post: str) -> None:
    answer = alice.get(f"{post}/cover")
    assert (answer.status_code, answer.mimetype) == (200, "image/png")
    assert opened(answer.data).size == (1200, 630)
    assert answer.headers["Cache-Control"] == "private, no-cache"
    again = alice.get(f"{post}/cover", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_the_generated_cover_changes_with_the_title_and_the_brand_color(
    app: Flask, alice: Customer, post: str
) -> None:
    etags = {alice.get(f"{post}/cover").headers["ETag"]}
    alice.patch(post.partition("/blog-posts")[0], {"brand_color": "#FFD400"})
    etags.add(alice.get(f"{post}/cover").headers["ETag"])
    with app.app_context():
        db.session.execute(db.update(BlogPost).values(title="Another title"))
        db.session.commit()
    etags.add(alice.get(f"{post}/cover").headers["ETag"])
    assert len(etags) == 3


@pytest.mark.parametrize("colour", ["red", "#12345", "#12345g", "#1234567", 7])
def test_a_brand_color_is_written_as_six_digits(alice: Customer, colour: Any) -> None:
    project = alice.project()
    assert code(alice.patch(f"/projects/{project}", {"brand_color": colour}))[1] == "INVALID_REQUEST"
    changed = alice.patch(f"/projects/{project}", {"brand_color": "#0B6B57"})
    assert member(changed, "project")["brand_color"] == "#0b6b57"
    assert (
        member(alice.patch(f"/projects/{project}", {"brand_color": None}), "project")["brand_color"] is None
    )


def test_an_uploaded_picture_takes_the_place_of_the_generated_one(alice: Customer, post: str) -> None:
    answer = upload(alice, post, taken_by_a_camera(), "image/jpeg")
    assert answer.status_code == 200, answer.text
    shown = member(answer, "post")
    assert shown["version"] == 2
    assert shown["cover_image"] == {
        "url": f"/public-api{post}/cover", "alt": TITLE, "width": 400, "height": 640,
        "media_type": "image/jpeg", "source": "uploaded",
    }  # fmt: skip
    sent = alice.get(f"{post}/cover")
    assert sent.mimetype == "image/jpeg"
    assert opened(sent.data).size == (400, 640)
    assert b"Camera maker" not in sent.data
    assert alice.get(f"{post}/cover", headers={"If-None-Match": sent.headers["ETag"]}).status_code == 304
    upload(alice, post, picture("WEBP"), "image/webp")
    assert alice.get(f"{post}/cover").mimetype == "image/webp"


def test_the_alt_text_of_an_uploaded_cover_is_changed_and_cleared(alice: Customer, post: str) -> None:
    upload(alice, post, picture())
    changed = alice.patch(f"{post}/cover", {"alt": "  A bike\nin the snow "})
    assert member(changed, "post")["cover_image"]["alt"] == "A bike in the snow"
    assert member(changed, "post")["version"] == 3
    cleared = alice.patch(f"{post}/cover", {"alt": None})
    assert member(cleared, "post")["cover_image"]["alt"] == TITLE


@pytest.mark.parametrize("body", [{}, {"alt": 7}, {"alt": "x" * 301}, {"alt": "x", "url": "y"}])
def test_an_invalid_alt_text_is_rejected(alice: Customer, post: str, body: dict[str, Any]) -> None:
    upload(alice, post, picture())
    assert code(alice.patch(f"{post}/cover", body)) == (422, "INVALID_REQUEST")


def test_a_generated_cover_has_no_other_alt_text_than_what_it_shows(alice: Customer, post: str) -> None:
    answer = alice.patch(f"{post}/cover", {"alt": "Something else"})
    assert code(answer) == (422, "INVALID_REQUEST")
    assert member(answer, "errors")[0]["field"] == "/alt"


def test_deleting_brings_the_generated_cover_back_and_twice_changes_nothing(
    alice: Customer, post: str
) -> None:
    before = alice.get(f"{post}/cover").data
    upload(alice, post, picture())
    versions = [member(alice.send("DELETE", f"{post}/cover"), "post")["version"] for _ in range(2)]
    assert versions == [3, 3]
    assert cover_of(alice, post)["source"] == "generated"
    assert alice.get(f"{post}/cover").data == before


@pytest.mark.parametrize(
    ("data", "media_type", "refused"),
    [
        (b"GIF89a", "image/gif", (415, "UNSUPPORTED_MEDIA_TYPE")),
        (b"{}", "application/json", (415, "UNSUPPORTED_MEDIA_TYPE")),
        (b"no picture", "image/png", (422, "INVALID_REQUEST")),
        (b"", "image/png", (422, "INVALID_REQUEST")),
        (bytes(5_000_001), "image/png", (413, "PAYLOAD_TOO_LARGE")),
    ],
)
def test_an_unusable_picture_is_rejected(
    alice: Customer, post: str, data: bytes, media_type: str, refused: tuple[int, str]
) -> None:
    assert code(upload(alice, post, data, media_type)) == refused
    assert cover_of(alice, post)["source"] == "generated"


def test_a_picture_of_more_than_a_megabyte_is_taken_here_and_nowhere_else(alice: Customer, post: str) -> None:
    large = picture("PNG", (1000, 700), compress_level=0)
    assert len(large) > 2_000_000
    assert upload(alice, post, large).status_code == 200
    sent = alice.send("PATCH", f"{post}/cover", data=bytes(1_000_001), content_type="application/json")
    assert code(sent) == (413, "PAYLOAD_TOO_LARGE")


def test_a_post_that_is_being_published_keeps_its_cover(app: Flask, alice: Customer, post: str) -> None:
    upload(alice, post, picture())
    with app.app_context():
        db.session.execute(db.update(BlogPost).values(status="publishing"))
        db.session.commit()
    for answer in (
        upload(alice, post, picture("JPEG"), "image/jpeg"),
        alice.patch(f"{post}/cover", {"alt": "Other"}),
        alice.send("DELETE", f"{post}/cover"),
    ):
        assert code(answer) == (409, "PUBLISH_IN_PROGRESS")
    assert cover_of(alice, post)["media_type"] == "image/png"


def test_bob_neither_sees_nor_changes_alices_cover(
    app: Flask, alice: Customer, bob: Customer, post: str
) -> None:
    own = bob.project("https://bob.example.com/")
    elsewhere = f"/projects/{own}/blog-posts/{post.rpartition('/')[2]}"
    for path, refused in ((post, "PROJECT_NOT_FOUND"), (elsewhere, "BLOG_POST_NOT_FOUND")):
        for answer in (
            bob.get(f"{path}/cover"),
            upload(bob, path, picture()),
            bob.patch(f"{path}/cover", {"alt": "Mine"}),
            bob.send("DELETE", f"{path}/cover"),
        ):
            assert code(answer) == (404, refused)
    assert cover_of(alice, post)["source"] == "generated"


def test_charlie_neither_reads_nor_changes_a_cover(charlie: Customer, post: str) -> None:
    assert code(charlie.get(f"{post}/cover")) == (401, "MISSING_API_KEY")
    assert code(upload(charlie, post, picture())) == (401, "MISSING_API_KEY")


def test_the_posting_of_the_schema_org_data_has_the_cover_as_its_image(alice: Customer, post: str) -> None:
    posting, faq = member(alice.get(post), "post")["json_ld"]
    assert posting["image"] == {
        "@type": "ImageObject", "caption": TITLE, "width": 1200, "height": 630, "encodingFormat": "image/png",
    }  # fmt: skip
    assert "image" not in faq
    upload(alice, post, picture("WEBP"), "image/webp")
    posting, _ = member(alice.get(post), "post")["json_ld"]
    assert (posting["image"]["width"], posting["image"]["encodingFormat"]) == (800, "image/webp")


def test_a_list_of_posts_loads_no_picture(app: Flask, alice: Customer) -> None:
    project = alice.project()
    for number in range(3):
        upload(alice, post_of(app, project, f"post-{number}"), picture())
    with app.app_context():
        engine = db.engine
    with listening(engine) as heard:
        listed = member(alice.get(f"/projects/{project}/blog-posts"), "posts")
    assert [each["cover_image"]["source"] for each in listed] == ["uploaded"] * 3
    about_covers = [text for text, _ in heard if "blog_post_covers" in text]
    assert len(about_covers) == 1
    assert "blog_post_covers.data" not in about_covers[0]
