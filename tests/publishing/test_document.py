"""Posts as documents for targets, with their covers."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from io import BytesIO

import pytest
from flask import Flask
from PIL import Image

from app.content.model import BlogPost
from app.content.posts.covers import cover_bytes, describe_cover, remove_cover, upload_cover
from app.content.posts.images import add_image, image_bytes
from app.infra.db import db
from app.projects.model import Project
from app.publishing.document import content_sha256, document_of
from app.publishing.targets.text_images import at_addresses
from tests.support.pictures import opened, picture
from tests.support.publishing import alice_project, post_of

PUBLICATION_ID = "pub_0123456789abcdef0123456789abcdef"


@pytest.fixture
def post(db_app: Flask) -> Iterator[BlogPost]:
    yield post_of(alice_project())
    db.session.remove()


def test_a_generated_cover_is_sent_with_the_post(post: BlogPost) -> None:
    sent = document_of(post, PUBLICATION_ID).post["cover_image"]
    assert sent["url"] == f"/public-api/projects/{post.project_id}/blog-posts/{post.id}/cover"
    assert (sent["alt"], sent["media_type"], sent["source"]) == (post.title, "image/png", "generated")
    assert opened(base64.b64decode(sent["data"])).size == (sent["width"], sent["height"]) == (1200, 630)


def test_an_uploaded_cover_is_sent_unless_it_is_too_large(post: BlogPost) -> None:
    upload_cover(post, picture("WEBP"), "image/webp", "A red wall")
    sent = document_of(post, PUBLICATION_ID).post["cover_image"]
    assert (sent["alt"], sent["media_type"], sent["source"]) == ("A red wall", "image/webp", "uploaded")
    assert base64.b64decode(sent["data"]) == cover_bytes(post)
    noise = Image.effect_noise((900, 700), 90).convert("RGB")
    file = BytesIO()
    noise.save(file, "PNG")
    upload_cover(post, file.getvalue(), "image/png")
    assert document_of(post, PUBLICATION_ID).post["cover_image"]["data"] is None


def test_another_cover_or_alt_text_changes_the_digest(post: BlogPost) -> None:
    generated = content_sha256(post)
    upload_cover(post, picture(), "image/png")
    uploaded = content_sha256(post)
    describe_cover(post, "A red wall")
    described = content_sha256(post)
    assert len({generated, uploaded, described}) == 3
    remove_cover(post)
    assert content_sha256(post) == generated


def test_each_change_of_the_cover_increases_the_version(post: BlogPost) -> None:
    for change in (
        lambda: upload_cover(post, picture(), "image/png"),
        lambda: describe_cover(post, "A red wall"),
        lambda: remove_cover(post),
    ):
        before = post.version
        change()
        assert post.version == before + 1


def test_the_posting_has_the_cover_and_the_date(post: BlogPost) -> None:
    post.json_ld = [{"@type": "BlogPosting", "headline": "x"}]
    (posting,) = document_of(post, PUBLICATION_ID).post["json_ld"]
    assert posting["image"]["caption"] == post.title
    assert "datePublished" in posting


def test_the_images_of_a_text_are_sent_with_it_as_far_as_they_are_small(post: BlogPost) -> None:
    project = db.session.get_one(Project, post.project_id)
    file = BytesIO()
    Image.effect_noise((900, 700), 90).convert("RGB").save(file, "PNG")
    small, _ = add_image(project, picture(), "image/png", alt="A wall", file_name="Red Wall!.png")
    large, _ = add_image(project, file.getvalue(), "image/png", alt="", file_name=None)
    post.content = f"![Noise](image:{large.id}) ![None](image:99) ![A wall](image:{small.id})"
    sent = document_of(post, PUBLICATION_ID)
    assert [each.data for each in sent.images.values()] == [image_bytes(large), image_bytes(small)]
    first, second = sent.post["images"]
    assert (first["data"], base64.b64decode(second["data"])) == (None, image_bytes(small))
    assert second["file_name"] == f"red-wall-{small.content_hash[:8]}.png"
    assert second["reference"] == f"image:{small.id}"
    assert sent.post["content_html"] == (
        f'<p><img src="image:{large.id}" alt="Noise"> <img alt="None"> '
        f'<img src="image:{small.id}" alt="A wall"></p>\n'
    )
    there = at_addresses(sent, {small.id: "https://[::1]/wall.png?a&b"}).post["content_html"]
    assert there == (
        '<p><img alt="Noise"> <img alt="None"> '
        '<img src="https://&#91;::1]/wall.png?a&amp;b" alt="A wall"></p>\n'
    )


def test_deleting_a_post_deletes_its_cover(post: BlogPost) -> None:
    upload_cover(post, picture(), "image/png")
    db.session.delete(post)
    db.session.commit()
    assert db.session.execute(db.text("SELECT count(*) FROM blog_post_covers")).scalar() == 0
