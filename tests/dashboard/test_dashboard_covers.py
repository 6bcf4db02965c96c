"""The cover of a post on its page: shown, replaced, described and reset, with plain forms."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from werkzeug.test import TestResponse

from tests.dashboard.conftest import Visitor
from tests.support.pictures import opened, picture


@pytest.fixture
def post(things: dict[str, int]) -> str:
    return f"/projects/{things['project_id']}/posts/{things['post_id']}"


def send(who: Visitor, post: str, data: bytes | None, alt: str = "", name: str = "bike.png") -> TestResponse:
    """Send the cover's form as a browser does, with or without a file."""
    fields: dict[str, Any] = {"alt": alt, "picture": (BytesIO(data or b""), name if data is not None else "")}
    return who.client.post(f"{post}/cover", data={**who.hidden(f"{post}/cover"), **fields})


def test_a_posts_page_shows_its_cover_with_its_alt_text(alice: Visitor, post: str) -> None:
    page = alice.get(post)
    assert f'src="{post}/cover/image?v=' in page.text
    assert 'alt="A post"' in page.text
    assert "img-src 'self'" in page.headers["Content-Security-Policy"]
    image = alice.get(f"{post}/cover/image")
    assert (image.mimetype, opened(image.data).size) == ("image/webp", (1200, 630))
    assert image.headers["Cache-Control"] == "private, no-cache"
    assert image.headers["X-Content-Type-Options"] == "nosniff"


def test_above_the_text_the_generated_cover_is_smaller(alice: Visitor, post: str) -> None:
    for page in (post, f"{post}/edit"):
        assert "&amp;size=preview" in alice.get(page).text
    small = alice.get(f"{post}/cover/image?size=preview")
    assert (small.mimetype, opened(small.data).size) == ("image/webp", (800, 420))
    send(alice, post, picture("JPEG"), "A red wall", "wall.jpg")
    uploaded = alice.get(f"{post}/cover/image?size=preview")
    assert (uploaded.mimetype, opened(uploaded.data).size) == ("image/jpeg", (800, 420))


def test_another_picture_is_uploaded_and_described(alice: Visitor, post: str) -> None:
    answer = send(alice, post, picture("JPEG"), "A red wall", "wall.jpg")
    assert (answer.status_code, answer.location) == (302, post)
    assert 'alt="A red wall"' in alice.get(post).text
    assert alice.get(f"{post}/cover/image").mimetype == "image/jpeg"


def test_the_alt_text_is_changed_without_another_picture(alice: Visitor, post: str) -> None:
    send(alice, post, picture(), "A red wall")
    assert send(alice, post, None, "A wall in <Rome>").status_code == 302
    assert 'alt="A wall in &lt;Rome&gt;"' in alice.get(post).text


def test_the_generated_cover_comes_back(alice: Visitor, post: str) -> None:
    assert "Use the generated cover" not in alice.get(f"{post}/cover").text
    send(alice, post, picture("JPEG"), "A red wall", "wall.jpg")
    assert "Use the generated cover" in alice.get(f"{post}/cover").text
    assert alice.send(f"{post}/cover/generated", page=f"{post}/cover").location == post
    assert 'alt="A post"' in alice.get(post).text


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (b"no picture", "bike.png", "This is not a picture of the type image/png."),
        (picture("GIF"), "bike.gif", "Send a PNG, JPEG or WebP picture."),
        (bytes(5_000_001), "bike.png", "The picture is over 5 MB."),
        (None, "", "A generated cover is described by the post"),
    ],
)
def test_a_rejected_upload_shows_the_reason(
    alice: Visitor, post: str, data: bytes | None, name: str, words: str
) -> None:
    answer = send(alice, post, data, name=name)
    assert answer.status_code == 422
    assert words in answer.text
    assert "Generated" in alice.get(post).text


def test_a_picture_of_another_kind_is_refused_once_and_without_media_types(alice: Visitor, post: str) -> None:
    answer = send(alice, post, picture("GIF"), name="bike.gif").text
    card = answer.partition('class="failure"')[2].partition("<details")[0]
    assert "Send a PNG, JPEG or WebP picture." in card
    assert "image/" not in card
    assert "Change the input" not in card


def test_a_form_far_too_large_is_rejected_as_a_whole(alice: Visitor, post: str) -> None:
    answer = send(alice, post, bytes(6_500_000))
    assert answer.status_code == 413
    assert "at most 5 MB" in answer.text


def test_no_other_form_takes_more_than_a_megabyte(alice: Visitor, post: str) -> None:
    answer = alice.client.post(f"{post}/edit", data={"content": (BytesIO(bytes(1_000_001)), "a.png")})
    assert answer.status_code == 413


def test_bob_sees_no_cover_of_alices(bob: Visitor, charlie: Visitor, post: str) -> None:
    assert bob.get(f"{post}/cover/image").status_code == 404
    assert bob.get(f"{post}/cover").status_code == 404
    assert charlie.get(f"{post}/cover/image").status_code == 302


def test_an_upload_without_a_form_token_is_rejected(alice: Visitor, post: str) -> None:
    data = {"picture": (BytesIO(picture()), "bike.png")}
    assert alice.client.post(f"{post}/cover", data=data).status_code == 400
    assert 'alt="A post"' in alice.get(post).text


def test_a_brand_colour_is_set_in_the_projects_settings(alice: Visitor, post: str) -> None:
    before = alice.get(f"{post}/cover/image").data
    settings = f"{post.partition('/posts')[0]}/edit"
    assert alice.send(settings, {"name": "Shop", "brand_color": "blue"}).status_code == 422
    assert alice.send(settings, {"name": "Alice's shop", "brand_color": "#ffd400"}).status_code == 302
    assert alice.get(f"{post}/cover/image").data != before
