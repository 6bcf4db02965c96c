"""Posts as files to download, over HTTP with a key."""

from __future__ import annotations

import json
import zipfile
from datetime import UTC, datetime
from html.parser import HTMLParser
from io import BytesIO

import pytest
import yaml
from flask import Flask

from app.content.model import BlogPost
from app.infra.db import db
from tests.api.conftest import Customer, code, member
from tests.api.test_api_covers import post_of
from tests.support.pictures import opened, picture

CONTENT = "Store it **dry**.\n\n<b>raw</b>\n\n## Where\n\nIn a shed.\n"


@pytest.fixture
def post(app: Flask, alice: Customer) -> str:
    return post_of(app, alice.project(), "bike-storage", description='Dry & "warm"', tags=["bikes", "no"])


def change(app: Flask, **members: object) -> None:
    with app.app_context():
        db.session.execute(db.update(BlogPost).values(**members))
        db.session.commit()


class Head(HTMLParser):
    """The tags of a document with their attributes, and the text of its title and its script."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self.feed(document)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self.tags[-1][0] if self.tags else "", data)


@pytest.mark.parametrize(
    ("form", "media_type", "name"),
    [("markdown", "text/markdown", "bike-storage.md"), ("html", "text/html", "bike-storage.html"),
     ("json", "application/json", "bike-storage.json"), ("zip", "application/zip", "bike-storage.zip")],
)  # fmt: skip
def test_a_post_is_downloaded_as_a_file_with_a_name_and_an_etag(
    app: Flask, alice: Customer, post: str, form: str, media_type: str, name: str
) -> None:
    answer = alice.get(f"{post}/export?format={form}")
    assert (answer.status_code, answer.mimetype) == (200, media_type)
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert answer.headers["Cache-Control"] == "private, no-cache"
    etag = {"If-None-Match": answer.headers["ETag"]}
    again = alice.get(f"{post}/export?format={form}", headers=etag)
    assert (again.status_code, again.data) == (304, b"")
    assert alice.get(f"{post}/export?format={form}").data == answer.data
    change(app, title="Another title")
    assert alice.get(f"{post}/export?format={form}", headers=etag).status_code == 200


def test_exports_have_the_images_of_the_text(app: Flask, alice: Customer, post: str) -> None:
    place = f"{post.partition('/blog-posts')[0]}/images?file_name=Red+bike.png"
    image = member(alice.send("POST", place, data=picture(), content_type="image/png"), "image")
    name = f"red-bike-{image['content_hash'][:8]}.png"
    change(app, content=f"![A bike](image:{image['id']})")
    assert f"![A bike]({name})" in alice.get(f"{post}/export?format=markdown").text
    assert '<img src="data:image/png;base64,' in alice.get(f"{post}/export?format=html").text
    shown = json.loads(alice.get(f"{post}/export?format=json").text)
    assert [each["file_name"] for each in shown["images"]] == [name]
    archive = zipfile.ZipFile(BytesIO(alice.get(f"{post}/export?format=zip").data))
    assert opened(archive.read(name)).size == (800, 420)
    assert f'<img src="{name}" alt="A bike">' in archive.read("bike-storage.html").decode()


def test_markdown_has_front_matter(app: Flask, alice: Customer, post: str) -> None:
    change(app, content=CONTENT, published_at=datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC))
    _, head, text = alice.get(f"{post}/export?format=markdown").text.split("---\n")
    members = yaml.safe_load(head)
    assert members.pop("image").startswith("bike-storage-")
    assert members.pop("date").isoformat() == "2026-03-04T05:06:07+00:00"
    assert members == {
        "title": "How to store a bike", "description": 'Dry & "warm"', "slug": "bike-storage",
        "tags": ["bikes", "no"], "language": "en", "image_alt": "How to store a bike",
    }  # fmt: skip
    assert text == f"\n{CONTENT}"


def test_html_is_a_complete_safe_document(app: Flask, alice: Customer, post: str) -> None:
    change(
        app, content=CONTENT, title="A <b> & </script>", meta_title="</title><script>x</script>",
        published_url="https://alice.example/?a=1&b=2",
        json_ld=[{"@type": "BlogPosting", "headline": "</script><script>alert(1)</script>"}],
    )  # fmt: skip
    document = alice.get(f"{post}/export?format=html").text
    head = Head(document)
    names = [name for name, _ in head.tags]
    assert document.startswith("<!doctype html>")
    assert names.count("script") == 1
    assert "b" not in names
    assert ("html", {"lang": "en", "dir": "ltr"}) in head.tags
    assert ("meta", {"name": "description", "content": 'Dry & "warm"'}) in head.tags
    assert ("link", {"rel": "canonical", "href": "https://alice.example/?a=1&b=2"}) in head.tags
    (posting,) = json.loads(head.texts["script"])
    assert posting["headline"] == "</script><script>alert(1)</script>"
    assert posting["mainEntityOfPage"]["@id"] == "https://alice.example/?a=1&b=2"
    assert "<h1>A &lt;b&gt; &amp; &lt;/script&gt;</h1>" in document
    assert "<p>Store it <strong>dry</strong>.</p>" in document


def test_json_has_what_publish_targets_get(alice: Customer, post: str) -> None:
    exported = json.loads(alice.get(f"{post}/export?format=json").data)
    assert exported["slug"] == "bike-storage"
    assert exported["content_html"] == "<p>Some text.</p>\n"
    assert exported["tags"] == ["bikes", "no"]
    assert (exported["published_at"], exported["url"]) == (None, None)
    assert exported["cover_image"]["alt"] == "How to store a bike"
    assert exported["cover_image"]["file_name"].endswith(".png")


def test_the_archive_has_every_format_and_the_image(alice: Customer, post: str) -> None:
    with zipfile.ZipFile(BytesIO(alice.get(f"{post}/export?format=zip").data)) as archive:
        assert archive.testzip() is None
        *texts, image = archive.namelist()
        assert texts == ["bike-storage.md", "bike-storage.html", "bike-storage.json"]
        assert opened(archive.read(image)).size == (1200, 630)
        assert f'<img src="{image}" alt="How to store a bike">' in archive.read(texts[1]).decode()
        assert f'image: "{image}"' in archive.read(texts[0]).decode()
        assert json.loads(archive.read(texts[2]))["cover_image"]["file_name"] == image


@pytest.mark.parametrize("query", ["", "?format=pdf", "?format=", "?format=html&page=1"])
def test_another_format_is_refused(alice: Customer, post: str, query: str) -> None:
    assert code(alice.get(f"{post}/export{query}")) == (422, "INVALID_REQUEST")


def test_nobody_elses_post_is_exported(alice: Customer, bob: Customer, post: str) -> None:
    assert code(bob.get(f"{post}/export?format=zip"))[0] == 404
    absent = f"{post.rpartition('/')[0]}/999"
    assert code(alice.get(f"{absent}/export?format=json")) == (404, "BLOG_POST_NOT_FOUND")
