"""The addresses of a feed's entries: what they are relative to, and guids that are addresses."""

from __future__ import annotations

import pytest

from tests.support.sitemaps import read

ATOM = 'xmlns="http://www.w3.org/2005/Atom"'
HOST = "https://example.com"


@pytest.mark.parametrize(
    ("feed", "urls"),
    [
        (f'<feed {ATOM} xml:base="{HOST}/blog/"><entry><link href="one"/></entry></feed>', ["/blog/one"]),
        (f'<feed {ATOM} xml:base="/blog/"><entry><link href="one"/></entry></feed>', ["/blog/one"]),
        (
            f'<feed {ATOM} xml:base="/a/"><entry xml:base="b/"><link href="one"/></entry>'
            '<entry><link href="two"/></entry></feed>',
            ["/a/b/one", "/a/two"],
        ),
        (f'<feed {ATOM}><entry><link xml:base="/c/" href="one"/></entry></feed>', ["/c/one"]),
        (
            f'<feed {ATOM} xml:base="/a/"><entry><link rel="self" xml:base="/b/" href="x"/>'
            '<link href="one"/></entry></feed>',
            ["/a/one"],
        ),
        (f'<feed {ATOM} xml:base="/a/"><entry><link href="{HOST}/one"/></entry></feed>', ["/one"]),
        (f'<feed {ATOM}><entry><link href="one"/></entry></feed>', ["/one"]),
        (
            '<rss version="2.0"><channel xml:base="/a/"><item><link>one</link></item></channel>'
            "<channel><item><link>two</link></item></channel></rss>",
            ["/a/one", "/two"],
        ),
    ],
)
def test_an_address_is_relative_to_the_base_of_its_element(feed: str, urls: list[str]) -> None:
    assert read(feed.encode())[0] == [HOST + url for url in urls]


def test_a_base_means_nothing_in_a_sitemap() -> None:
    assert read(b'<urlset xml:base="/a/"><url><loc>one</loc></url></urlset>')[0] == [f"{HOST}/one"]


@pytest.mark.parametrize(
    ("item", "urls"),
    [
        (f"<guid>{HOST}/one</guid>", ["/one"]),
        (f'<guid isPermaLink="true"> {HOST}/one\n</guid>', ["/one"]),
        (f'<guid isPermaLink="false">{HOST}/one</guid>', []),
        (f"<link>{HOST}/two</link><guid>{HOST}/one</guid>", ["/two"]),
        (f"<guid>{HOST}/one</guid><link>{HOST}/two</link>", ["/two"]),
        (f"<link/><guid>{HOST}/one</guid>", ["/one"]),
        ("<guid>post-17</guid>", []),
        (f'<link>{HOST}/two</link><guid isPermaLink="false">post-17</guid>', ["/two"]),
    ],
)
def test_a_guid_is_the_address_of_an_item_without_a_link_unless_it_says_no(
    item: str, urls: list[str]
) -> None:
    feed = f'<rss version="2.0"><channel><item><title>x</title>{item}</item></channel></rss>'
    assert read(feed.encode())[0] == [HOST + url for url in urls]


def test_an_item_has_not_the_guid_of_the_one_before() -> None:
    items = f"<item><guid>{HOST}/one</guid></item><item><title>No address</title></item>"
    assert read(f"<rss><channel>{items}</channel></rss>".encode())[0] == [f"{HOST}/one"]
