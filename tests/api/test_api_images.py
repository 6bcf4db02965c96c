"""The images of a project's texts, over HTTP with a key."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from flask import Flask
from werkzeug.test import TestResponse

from app.content.model import BlogPost
from app.content.posts import images
from app.infra.db import db
from tests.api.conftest import Customer, code, member
from tests.support.pictures import opened, picture, taken_by_a_camera


@pytest.fixture
def place(alice: Customer) -> str:
    """The path of the images of Alice's project."""
    return f"/projects/{alice.project()}/images"


def added(who: Customer, place: str, data: bytes | None = None, **known: str) -> TestResponse:
    query = f"?{urlencode(known)}" if known else ""
    return who.send("POST", f"{place}{query}", data=data or picture(), content_type="image/png")


def showing(app: Flask, place: str, content: str, slug: str = "a-post") -> int:
    """Make a post of the project with a text; returns its id."""
    with app.app_context():
        post = BlogPost(
            project_id=int(place.split("/")[2]), title="How to store a bike", slug=slug, language="en",
            content=content, engine="llm", draft_kind="full",
        )  # fmt: skip
        db.session.add(post)
        db.session.commit()
        return post.id


def test_an_image_is_added_read_and_listed(alice: Customer, place: str) -> None:
    answer = added(alice, place, alt="A  red [bicycle] ", file_name="C:\\pictures\\Red bike.png")
    assert answer.status_code == 201, answer.text
    image = member(answer, "image")
    assert answer.headers["Location"] == f"/public-api{place}/{image['id']}"
    assert image["markdown"] == rf"![A red \[bicycle\]](image:{image['id']})"
    shown = {name: image[name] for name in ("alt", "file_name", "media_type", "width", "height", "added_by")}
    assert shown == {
        "alt": "A red [bicycle]", "file_name": "Red bike.png", "media_type": "image/png", "width": 800,
        "height": 420, "added_by": 'API key "tests"',
    }  # fmt: skip
    assert member(alice.get(f"{place}/{image['id']}"), "image") == image
    assert member(alice.get(place), "images") == [image]


def test_a_picture_is_sent_as_it_is_stored_with_an_etag(alice: Customer, place: str) -> None:
    answer = alice.send("POST", place, data=taken_by_a_camera(), content_type="image/jpeg")
    image = member(answer, "image")
    sent = alice.get(image["url"].removeprefix("/public-api"))
    assert (sent.mimetype, opened(sent.data).size, len(sent.data)) == (
        "image/jpeg",
        (400, 640),
        image["size"],
    )
    assert b"Camera maker" not in sent.data
    assert sent.headers["Cache-Control"] == "private, no-cache"
    assert sent.headers["X-Content-Type-Options"] == "nosniff"
    again = alice.get(f"{place}/{image['id']}/file", headers={"If-None-Match": sent.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")


def test_a_picture_that_is_there_already_is_not_stored_twice(alice: Customer, place: str) -> None:
    first = member(added(alice, place, alt="A wall"), "image")
    again = added(alice, place, alt="Another wall")
    assert (again.status_code, member(again, "created"), member(again, "image")) == (200, False, first)
    assert member(alice.get(place), "pagination")["total"] == 1


def test_the_alt_text_of_an_image_is_changed_and_cleared(alice: Customer, place: str) -> None:
    image = member(added(alice, place), "image")
    changed = alice.patch(f"{place}/{image['id']}", {"alt": "A wall\nin Rome"})
    assert member(changed, "image")["markdown"] == f"![A wall in Rome](image:{image['id']})"
    assert member(alice.patch(f"{place}/{image['id']}", {"alt": None}), "image")["alt"] == ""
    assert code(alice.patch(f"{place}/{image['id']}", {"alt": "x" * 301})) == (422, "INVALID_REQUEST")


@pytest.mark.parametrize(
    ("data", "media_type", "refused"),
    [
        (b"GIF89a", "image/gif", (415, "UNSUPPORTED_MEDIA_TYPE")),
        (b"no picture", "image/png", (422, "INVALID_REQUEST")),
        (bytes(5_000_001), "image/png", (413, "PAYLOAD_TOO_LARGE")),
    ],
)
def test_what_no_cover_could_be_is_no_image_either(
    alice: Customer, place: str, data: bytes, media_type: str, refused: tuple[int, str]
) -> None:
    assert code(alice.send("POST", place, data=data, content_type=media_type)) == refused
    assert member(alice.get(place), "images") == []


def test_a_project_has_a_limited_number_of_images(
    alice: Customer, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(images, "MOST_IMAGES", 1)
    first = added(alice, place)
    assert code(added(alice, place, picture(colour=(1, 2, 3)))) == (403, "LIMIT_REACHED")
    assert added(alice, place).status_code == 200
    alice.send("DELETE", f"{place}/{member(first, 'image')['id']}")
    assert added(alice, place, picture(colour=(1, 2, 3))).status_code == 201


def test_the_images_of_a_project_have_a_limited_size(
    alice: Customer, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(images, "MOST_TOTAL_BYTES", 100)
    assert code(added(alice, place)) == (403, "LIMIT_REACHED")


def test_an_image_that_a_post_shows_is_not_removed(app: Flask, alice: Customer, place: str) -> None:
    image, other = (member(added(alice, place, picture(colour=(n, 0, 0))), "image")["id"] for n in range(2))
    post = showing(app, place, f"A bike.\n\n![A red bike](image:{image})\n\n`image:{other}`")
    showing(app, place, f"![One with a longer number](image:{image}0)", "another-post")
    refused = alice.send("DELETE", f"{place}/{image}")
    assert code(refused) == (409, "IMAGE_IN_USE")
    assert member(refused, "failure")["details"] == {"blog_post_ids": [post]}
    assert alice.send("DELETE", f"{place}/{other}").status_code == 200
    assert code(alice.get(f"{place}/{other}/file")) == (404, "IMAGE_NOT_FOUND")


def test_the_html_of_a_post_has_the_addresses_of_its_images(app: Flask, alice: Customer, place: str) -> None:
    post = showing(app, place, '![A "red" bike](image:12 "Ours") and [a link](image:12)')
    shown = member(alice.get(f"{place.removesuffix('images')}blog-posts/{post}"), "post")
    assert (
        f'<img src="/public-api{place}/12/file" alt="A &quot;red&quot; bike" title="Ours">'
        in (shown["content_html"])
    )
    assert "<a>a link</a>" in shown["content_html"]


def test_the_checks_name_images_that_the_project_does_not_have(
    app: Flask, alice: Customer, bob: Customer, place: str
) -> None:
    own = member(added(alice, place), "image")["id"]
    bobs = member(added(bob, f"/projects/{bob.project('https://bob.example.com/')}/images"), "image")["id"]
    text = f"![Ours](image:{own}) ![His](image:{bobs}) ![None](image:x) ![Named](https://bees.example/b.png)"
    post = showing(app, place, text)
    shown = member(alice.get(f"{place.removesuffix('images')}blog-posts/{post}"), "post")
    checks: dict[str, Any] = {check["code"]: check for check in shown["quality"]["checks"]}
    assert checks["UNKNOWN_IMAGE"]["where"] == [f"image:{bobs}", "image:x"]
    assert checks["UNKNOWN_IMAGE"]["severity"] == "block"
    assert checks["LOST_LINK"]["passed"]


def test_bob_neither_sees_nor_changes_alices_images(alice: Customer, bob: Customer, place: str) -> None:
    image = member(added(alice, place), "image")["id"]
    elsewhere = f"/projects/{bob.project('https://bob.example.com/')}/images"
    for path, refused in ((place, "PROJECT_NOT_FOUND"), (elsewhere, "IMAGE_NOT_FOUND")):
        for answer in (
            bob.get(f"{path}/{image}"),
            bob.get(f"{path}/{image}/file"),
            bob.patch(f"{path}/{image}", {"alt": "Mine"}),
            bob.send("DELETE", f"{path}/{image}"),
        ):
            assert code(answer) == (404, refused)
    assert alice.get(f"{place}/{image}").status_code == 200
