"""Pages that lead to others, titled boxes, and lines that only share a page or list its languages."""

from __future__ import annotations

import pytest

from app.pages.extraction.extract import extract

SENTENCE = "Words of the page that make up a sentence of some length."
LINKS = "".join(
    f'<li><a href="/{name}">All about {name} and more</a></li>' for name in ("one", "two", "three")
)


def blocks(main: str) -> list[tuple[str, str]]:
    """The kinds and texts of a page with a menu and this main part, after its heading."""
    menu = f"<ul>{LINKS.replace('All about', 'Menu:')}</ul>"
    found = extract(f"<body>{menu}{main}</body>".encode(), "https://example.com/", "text/html").blocks
    return [(block.kind, block.text) for block in found if block.kind != "heading"]


@pytest.mark.parametrize(
    "main",
    [
        f"<main><h1>Guides to the garden</h1><ul>{LINKS}</ul></main>",
        f"<main><h1>Guides to the garden</h1><div class='toctree-wrapper'><ul>{LINKS}</ul></div></main>",
        f"<div><h1>Guides</h1><div class='toctree-wrapper compound'><ul>{LINKS}</ul></div></div>",
    ],
    ids=["main", "contents in main", "contents"],
)
def test_the_links_of_a_page_without_other_text_are_found_by_search_but_not_quoted(main: str) -> None:
    assert blocks(main) == [("label", f"All about {name} and more") for name in ("one", "two", "three")]


def test_the_links_of_a_page_with_text_are_a_menu() -> None:
    text = f"<p>{SENTENCE * 3}</p>"
    contents = f"<div class='toctree-wrapper'><ul>{LINKS}</ul></div>"
    assert blocks(f"<main><h1>Garden</h1>{text}<ul>{LINKS}</ul>{contents}</main>") == [("p", SENTENCE * 3)]


@pytest.mark.parametrize(
    "title",
    [
        '<a id="x"></a><div class="titlepage"><p class="title"><b>Back to basics</b></p></div>',
        '<p class="sidebar-title">Back to basics</p>',
    ],
    ids=["DocBook", "Docutils"],
)
def test_a_titled_box_is_text_and_a_sidebar_is_not(title: str) -> None:
    main = f"<p>{SENTENCE}</p><div class='sidebar'>{title}<p>In the box.</p></div>"
    texts = [text for _, text in blocks(f"{main}<div class='sidebar'><p>Beside it.</p></div>")]
    assert texts == [SENTENCE, "Back to basics", "In the box."]


@pytest.mark.parametrize(
    "line",
    [
        "<p>Available Languages: en</p>",
        "<p>Available Languages:  da  |  de  |  pt-br </p>",
        "<p>Version: 2.4</p>",
        "<p>Version: 7.1 · <a href='/7.0'>7.0</a> · <a href='/6.4'>6.4</a></p>",
        "<p>Supported Versions: <a href='/c'>Current</a> (<a href='/15'>15</a>) / 14 / devel</p>",
        "<p>Translations: <a href='/de'>de</a> <a href='/fr'>fr</a></p>",
        "<p>Share on Facebook Tweet</p>",
        "<ul><li><a href='/f'>Share on Facebook</a></li></ul>",
        "<ul><li><a href='/t'>Tweet</a></li></ul>",
    ],
)
def test_a_line_that_shares_the_page_or_lists_its_languages_or_versions_is_a_label(line: str) -> None:
    assert [kind for kind, _ in blocks(f"<main><h1>A</h1><p>{SENTENCE}</p>{line}</main>")] == ["p", "label"]


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("<p>Version: 2.4 brings a faster parser.</p>", "p"),
        ("<p>Languages: everybody learns two of them.</p>", "p"),
        ("<ul><li>Tweet</li></ul>", "li"),
        ("<ul><li><a href='/t'>Share on this page what you have grown in spring</a></li></ul>", "li"),
    ],
)
def test_a_line_that_says_something_is_text(line: str, kind: str) -> None:
    assert [kind for kind, _ in blocks(f"<main><h1>A</h1><p>{SENTENCE}</p>{line}</main>")] == ["p", kind]
