"""Images in Ghost: the cover of a post, and those of its text."""

from __future__ import annotations

from dataclasses import replace

from bs4 import BeautifulSoup

from app.content.rendering.html import render_html
from app.content.rendering.images import reference_to
from app.publishing.targets.ghost.kind import create, write
from tests.support.ghosts import Blog, changed, document, picture


def test_an_image_is_uploaded_again_only_if_it_changed(ghost: Blog) -> None:
    sent = document(picture=picture("0a1b2c3d"))
    published = write(sent, create(sent, ghost.access()), ghost.access())
    (first,) = ghost.posts(sent.publication_id)
    assert "garden-notes-0a1b2c3d" in first["feature_image"]
    published = write(changed(sent, title="New title"), published, ghost.access())
    (second,) = ghost.posts(sent.publication_id)
    assert second["feature_image"] == first["feature_image"]
    other = replace(changed(sent, digest="c" * 64), picture=picture("99999999"))
    write(other, published, ghost.access())
    (third,) = ghost.posts(sent.publication_id)
    assert "garden-notes-99999999" in third["feature_image"]


def test_the_images_of_a_text_are_uploaded_once_and_shown_where_the_site_has_them(ghost: Blog) -> None:
    text = "![A notebook](image:12)\n\nSee ![a bed](image:13) here.\n\n![Gone](image:14)"
    images = {12: picture("0a1b2c3d"), 13: picture("77777777")}
    references = {image_id: reference_to(image_id) for image_id in images}.get
    sent = document(content_html=render_html(text, references), images=images)
    published = write(sent, create(sent, ghost.access()), ghost.access())
    (first,) = ghost.posts(sent.publication_id)
    shown = BeautifulSoup(first["html"], "lxml").find_all("img", src=True)
    assert [each["alt"] for each in shown] == ["A notebook", "a bed"]
    assert [ghost.page(str(each["src"]))[0] for each in shown] == [200, 200]
    assert ["0a1b2c3d" in shown[0]["src"], "77777777" in shown[1]["src"]] == [True, True]
    write(changed(sent, content_html=render_html(f"{text}\n\nMore.", references)), published, ghost.access())
    (second,) = ghost.posts(sent.publication_id)
    assert [e["src"] for e in BeautifulSoup(second["html"], "lxml").find_all("img", src=True)] == [
        each["src"] for each in shown
    ]
