"""Style sheets and scripts: local, compressed, cached for a year."""

from __future__ import annotations

import gzip
import random
import re
from html import unescape

import pytest
from sqlalchemy import update

from app.content.model import BlogPost
from app.infra.db import db

WORDS = "workshop brake rim chain oil dry winter cellar tyre pump light spoke saddle frame bell rust".split()
LONG_TEXT = " ".join(random.Random(1).choices(WORDS, k=1500))
MOST_REQUESTS = 7
"""A browser sends one more: it asks for the mark twice, as a picture and as the icon of its tab."""


def test_a_page_loads_little_and_nothing_from_elsewhere(charlie):
    sent = charlie.client.get("/sign-in", headers={"Accept-Encoding": "gzip"}).data
    page = gzip.decompress(sent).decode()
    loaded = re.findall(r'(?:href|src)="([^"]+\.(?:css|js|svg))"', page)
    assert loaded
    assert all(address.startswith("/assets/") for address in loaded)
    sizes = [len(charlie.client.get(a, headers={"Accept-Encoding": "gzip"}).data) for a in set(loaded)]
    assert sum(sizes) + len(sent) < 60_000
    assert len(set(loaded)) < 8


@pytest.mark.thorough
def test_no_page_of_a_project_loads_more(alice):
    alice.send("/projects/sample", page="/projects/new")
    for path in ("", "/pages", "/keywords", "/posts/generate", "/calendar", "/ideas", "/start"):
        sent, requests = first_view(alice.client, f"/projects/1{path}")
        assert sent < 60_000, path
        assert requests <= MOST_REQUESTS, path


def test_no_page_of_a_post_with_a_long_title_loads_more(app, alice, things):
    title = "How a small workshop stores, cleans and repairs bicycles with hydraulic brakes " * 3
    with app.app_context():
        db.session.execute(update(BlogPost).values(title=title[:165].strip(), content=LONG_TEXT))
        db.session.commit()
    post = f"/projects/{things['project_id']}/posts/{things['post_id']}"
    for path in (post, f"{post}/edit"):
        sent, requests = first_view(alice.client, path)
        assert "cover/image" in alice.get(path).text
        assert sent < 60_000, path
        assert requests <= MOST_REQUESTS, path


def first_view(client, path):
    """How many bytes a page and what it loads at once have, and how many requests that takes."""
    packed = {"Accept-Encoding": "gzip"}
    page = client.get(path, headers=packed).data
    loaded = re.findall(
        r'(?:href|src)="(/assets/[^"]+|[^"]+/cover/image[^"]*)"', gzip.decompress(page).decode()
    )
    waiting = set(map(unescape, loaded))
    sizes = {}
    while waiting:
        address = waiting.pop()
        sizes[address] = client.get(address, headers=packed).data
        if address.endswith(".js"):
            imported = re.findall(r'from "\.\.(/[^"]+)"', gzip.decompress(sizes[address]).decode())
            waiting |= {f"/assets{each}" for each in imported} - set(sizes)
    return len(page) + sum(map(len, sizes.values())), 1 + len(sizes)


def test_an_asset_is_kept_as_long_as_its_address_names_its_content(charlie):
    address = re.search(r"/assets/\w+/app\.css", charlie.get("/sign-in").text)[0]
    kept = charlie.get(address)
    assert kept.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    outdated = charlie.get("/assets/0000000000000000/app.css")
    assert outdated.headers["Cache-Control"] == "public, max-age=60"
    assert kept.data == outdated.data


def test_packed_and_plain_are_the_same(charlie):
    address = re.search(r"/assets/\w+/app\.css", charlie.get("/sign-in").text)[0]
    packed = charlie.client.get(address, headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(packed.data) == charlie.get(address).data


def test_modules_import_each_other_by_addresses_that_name_their_content(charlie):
    script = charlie.get("/assets/0000000000000000/live.js").text
    imported = re.search(r'from "\.\.(/\w+/parts\.js)";', script)[1]
    answer = charlie.get(f"/assets{imported}")
    assert answer.status_code == 200
    assert "immutable" in answer.headers["Cache-Control"]


def test_the_pictures_of_the_first_page_are_small_and_wait_until_they_are_seen(charlie):
    page = charlie.get("/").text
    addresses = set(re.findall(r'"(/assets/[^"]+\.webp)"', page))
    assert len(addresses) == 2
    for address in addresses:
        picture = charlie.client.get(address, headers={"Accept-Encoding": "gzip"})
        assert picture.mimetype == "image/webp"
        assert len(picture.data) <= 40_000
    assert all(
        'loading="lazy"' in image and "alt=" in image for image in re.findall(r"<img[^>]+webp[^>]+>", page)
    )


def test_nothing_else_is_served(charlie):
    assert charlie.get("/assets/0000000000000000/config.py").status_code == 404
    assert charlie.get("/assets/0000000000000000/..%2fapp.py").status_code == 404
