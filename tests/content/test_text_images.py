"""References to stored images in a text."""

from __future__ import annotations

import pytest

from app.content.rendering.html import render_html
from app.content.rendering.images import image_ids, image_markdown, with_addresses


def address(image_id: int) -> str | None:
    """Where readers get images 1 to 9."""
    return f"/pictures/{image_id}?a&b" if image_id < 10 else None


def test_a_stored_image_is_shown_at_its_address() -> None:
    html = render_html('![A <red> bike](image:3 "Ours")', address)
    assert html == '<p><img src="/pictures/3?a&amp;b" alt="A &lt;red&gt; bike" title="Ours"></p>\n'


@pytest.mark.parametrize("reference", ["image:12", "image:x", "image:", "image:07", "image:/3", "images:3"])
def test_an_image_without_an_address_shows_its_alt_text_alone(reference: str) -> None:
    assert render_html(f"![A bike]({reference})", address) == '<p><img alt="A bike"></p>\n'


def test_only_images_get_an_address_and_never_text_that_looks_like_one() -> None:
    text = (
        '[a link](image:3) `<img src="image:3">` <img src="image:3"> ![a src="image:3" b](https://a.example/)'
    )
    html = render_html(text, address)
    assert "/pictures/" not in html
    assert "<a>a link</a>" in html


def test_an_address_cannot_leave_its_attribute() -> None:
    html = render_html("![a](image:3)", lambda _: '" onerror="x" [gallery]')
    assert html == '<p><img src="&quot; onerror=&quot;x&quot; &#91;gallery]" alt="a"></p>\n'


def test_the_images_of_a_text_are_named_once_in_their_order() -> None:
    text = (
        "![b](image:2) ![a](<image:1>) ![b](image:2) [c](image:3) `![d](image:4)`\n\n![e][e]\n\n[e]: image:5"
    )
    assert image_ids(text) == [2, 1, 5]


def test_markdown_gets_the_addresses_of_all_kinds_of_references() -> None:
    text = '![b](image:2) ![a](<image:1> "x") image:3 ![no](image:12) ![e][e]\n\n[e]: image:5\n[f]: <image:6>'
    assert with_addresses(text, lambda n: None if n == 12 else f"./{n}.png") == (
        '![b](./2.png) ![a](<./1.png> "x") image:3 ![no](image:12) ![e][e]\n\n[e]: ./5.png\n[f]: <./6.png>'
    )


def test_the_reference_of_an_image_shows_exactly_its_alt_text() -> None:
    alt = r"A [red](x) *bike* \ `100` % _and_ more!"
    text = image_markdown(alt, 3)
    assert image_ids(text) == [3]
    assert render_html(text, lambda _: "/3") == f'<p><img src="/3" alt="{alt.replace("[", "&#91;")}"></p>\n'
