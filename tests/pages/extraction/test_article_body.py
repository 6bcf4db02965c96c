"""What is beside the element with an article's paragraphs is a label, if it has few words or mostly links."""

from __future__ import annotations

import pytest

from tests.support.html_pages import read

PARAGRAPH = f"<p>Bees {'fly out when the sun warms the hive, and ' * 3}sleep.</p>"
TEXT = f'<div class="text">{PARAGRAPH * 12}</div>'
ARTICLE = '<meta property="og:type" content="article">'
RATING = '<div class="x"><p>Rate this</p><p>4 of 5 stars</p></div>'
TEASERS = '<div class="x"><h3><a href="/wasps">Wasps build nests of paper</a></h3></div>' * 2
INGREDIENTS = "".join(f"<li>{number} spoons of honey and of warm milk</li>" for number in range(4))


def kinds(body: str, head: str = ARTICLE) -> dict[str, str]:
    return {block.text: block.kind for block in read(f"<h1>Honey</h1>{body}", head)}


@pytest.mark.parametrize(
    "body",
    [
        f'<div itemprop="articleBody">{TEXT}{RATING}</div>', f'<div class="story-body">{TEXT}{RATING}</div>',
        f'<div class="hentry">{TEXT}{RATING}</div>', f'<div id="articlebody">{TEXT}{RATING}</div>',
    ],
)  # fmt: skip
def test_the_markup_says_that_there_is_an_article(body: str) -> None:
    assert {kinds(body, head="")[line] for line in ("Rate this", "4 of 5 stars")} == {"label"}


def test_lines_beside_the_paragraphs_of_an_article_are_labels() -> None:
    assert kinds(f"{TEXT}{RATING}")["4 of 5 stars"] == "label"
    assert kinds(f"<section>{RATING}<div>{TEXT}</div></section>")["4 of 5 stars"] == "label"


def test_headings_of_other_articles_beside_the_text_are_labels() -> None:
    found = kinds(f"{TEXT}{TEASERS}<h2>Elsewhere</h2>")
    assert [found[text] for text in ("Honey", "Elsewhere")] == ["heading", "label"]
    assert found["Wasps build nests of paper"] == "label"


def test_a_page_that_is_no_article_keeps_its_short_lines() -> None:
    assert kinds(f"{TEXT}{RATING}", head="")["4 of 5 stars"] == "p"


def test_an_article_keeps_its_lists_and_its_other_paragraphs() -> None:
    found = kinds(f"{TEXT}<div><h2>Ingredients</h2><ul>{INGREDIENTS}</ul></div><div>{PARAGRAPH}</div>")
    assert found["Ingredients"] == "heading"
    assert found["3 spoons of honey and of warm milk"] == "li"
    assert set(found.values()) == {"heading", "li", "p"}


def test_a_menu_beside_the_text_is_a_label_however_long() -> None:
    menu = "".join(f"<p><a href='/{n}'>Wasps build nests</a> today {n}</p>" for n in range(9))
    assert kinds(f"{TEXT}<div>{menu}</div>")["Wasps build nests today 7"] == "label"


def test_short_lines_between_two_parts_with_paragraphs_are_text() -> None:
    assert kinds(f"{TEXT}{RATING}{TEXT}")["4 of 5 stars"] == "p"


def test_a_page_with_two_paragraphs_is_no_article_for_that() -> None:
    assert kinds(f"<div>{PARAGRAPH * 2}</div>{RATING}")["4 of 5 stars"] == "p"


def test_long_lines_that_are_links_are_no_paragraphs() -> None:
    linked = PARAGRAPH.replace("<p>", "<p><a href='/wasps'>").replace("</p>", "</a></p>")
    assert kinds(f"{TEXT}{RATING}<div>{linked * 3}</div>")["4 of 5 stars"] == "label"


def test_a_paragraph_beside_the_text_stays_with_the_links_around_it() -> None:
    links = "".join(f"<p><a href='/{n}'>Wasps build nests of paper number {n}</a></p>" for n in range(9))
    assert kinds(f"{TEXT}<div>{PARAGRAPH}{links}</div>")["Wasps build nests of paper number 7"] == "p"
