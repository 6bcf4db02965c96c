"""Links of a page's text to other sites, stored with their blocks."""

from __future__ import annotations

import pytest

from app.pages.extraction.blocks import Block, OutLink
from app.pages.extraction.extract import extract
from app.pages.extraction.outlinks import LONGEST_TEXT, MOST_OF_A_BLOCK, OutLinks

URL = "https://bees.example.org/guide/hives"


def links_of(*paragraphs: str) -> list[tuple[str, str]]:
    """Return the links kept of a page with these paragraphs: words and address."""
    html = "<h1>Hives</h1>" + "".join(f"<p>{text}</p>" for text in paragraphs)
    return [tuple(link) for block in extract(html.encode(), URL).blocks for link in block.links]


def test_a_link_to_another_site_is_kept_with_its_words() -> None:
    text = (
        'The <a href="HTTPS://Www.Wood.org:443/pine?kind=1#top">Pine <b>board</b>\n society</a> tells more.'
    )
    assert links_of(text) == [("Pine board society", "https://www.wood.org/pine?kind=1")]


def test_links_into_the_own_site_are_kept_apart() -> None:
    own = ("/course", "hives#top", "https://bees.co.uk/x", "https://shop.bees.co.uk/", "https://wood.co.uk/")
    page = b"".join(f'<p>Ask at <a href="{url}">place {n}</a>.</p>'.encode() for n, url in enumerate(own))
    blocks = extract(page, "https://www.bees.co.uk/").blocks
    assert [link.url for block in blocks for link in block.links] == ["https://wood.co.uk/"]
    assert [link.url for block in blocks for link in block.own_links] == [
        "https://www.bees.co.uk/course",
        "https://www.bees.co.uk/hives",
        "https://bees.co.uk/x",
        "https://shop.bees.co.uk/",
    ]
    assert [Block.from_json(block.to_json()) for block in blocks] == list(blocks)


def test_a_link_to_the_page_itself_is_not_kept() -> None:
    (block,) = extract(b'<p>See <a href="#top">the top of it</a> again.</p>', URL).blocks
    assert not block.own_links


def test_an_address_stays_as_the_page_writes_it_where_it_is_a_plain_one() -> None:
    text = 'The <a href="https://wood.org#pine">wood people</a> sell <a href="https://oak.org/a b">oak</a>.'
    assert links_of(text) == [("wood people", "https://wood.org#pine"), ("oak", "https://oak.org/a%20b")]


@pytest.mark.parametrize(
    "attributes",
    [
        'href="javascript:alert(1)"',
        'href="data:text/html,x"',
        'href="vbscript:x"',
        'href="mailto:bee@wood.org"',
        'href="https://user:secret@wood.org/"',
        'href="https://wood.org\\@evil.org/"',
        'href="http://127.0.0.1:8080/"',
        'href="http://localhost/"',
        'href="http://intranet/"',
        'href="https://www.example.com/"',
        'href="https://printer.local/"',
        'href="https://wood.org/ad" rel="sponsored noopener"',
        'href="https://wood.org/ad" rel="NOFOLLOW"',
        'href="https://wood.org/ad" hidden',
        'href="https://wood.org/' + "x" * 600 + '"',
        'href=""',
        "name=there",
    ],
)
def test_what_a_post_should_not_lead_to_is_not_kept(attributes: str) -> None:
    assert links_of(f"Read what the <a {attributes}>wood people</a> say about pine.") == []


def test_words_that_say_nothing_or_occur_twice_are_no_anchors() -> None:
    assert links_of('See <a href="https://wood.org/">[1]</a> on pine.') == []
    assert links_of('Pine is pine: <a href="https://wood.org/">pine</a>, said the pine.') == []


def test_a_block_keeps_few_links_and_an_address_once() -> None:
    many = " ".join(f'<a href="https://wood{n}.org/">Wood number{n}x</a> and' for n in range(9))
    assert len(links_of(f"There are {many} more of them to be read by anyone.")) == MOST_OF_A_BLOCK
    twice = '<a href="https://wood.org/">Pine</a> and <a href="https://wood.org/">oak</a> are woods.'
    assert links_of(twice) == [("Pine", "https://wood.org/")]


def test_headings_tables_and_code_keep_no_links() -> None:
    link = '<a href="https://wood.org/">Wood</a>'
    html = f"<h2>{link}</h2><pre>{link}</pre><table><tr><td>{link}</td><td>2</td></tr></table><p>Text.</p>"
    assert not any(block.links for block in extract(html.encode(), URL).blocks)


def test_links_change_no_digest_and_survive_storage() -> None:
    linked = extract(b'<p>Ask the <a href="https://wood.org/">wood people</a> first.</p>', URL)
    plain = extract(b"<p>Ask the wood people first.</p>", URL)
    assert linked.content_hash == plain.content_hash
    (block,) = linked.blocks
    assert block.links == (OutLink("wood people", "https://wood.org/"),)
    assert Block.from_json(block.to_json()) == block
    assert "links" not in plain.blocks[0].to_json()


def test_links_after_the_last_that_a_block_may_keep_are_not_looked_at() -> None:
    words = [f"Wood number{n}x" for n in range(MOST_OF_A_BLOCK + 1)]
    links = iter([(anchor, {"href": f"https://{anchor[-8:]}.org/"}) for anchor in words])
    assert len(OutLinks(URL, URL).of(" and ".join(words), links)[0]) == MOST_OF_A_BLOCK
    assert next(links)[0] == words[-1]


def test_a_text_that_is_no_paragraph_keeps_no_links() -> None:
    link = '<a href="https://wood.org/">wood people</a>'
    rest = LONGEST_TEXT - len("wood people ")
    assert links_of(f"{link} {'x' * rest}") == [("wood people", "https://wood.org/")]
    assert links_of(f"{link} {'x' * (rest + 1)}") == []
