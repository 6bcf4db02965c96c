"""What is beside the element with an article's paragraphs is a label, if it has few words or mostly links.

Sources: ``_grabArticle`` of Mozilla's Readability; the words of its ``unlikelyCandidates`` and ``negative``.
"""

from __future__ import annotations

import pytest

from tests.support.html_pages import read

PARAGRAPH = f"<p>Bees {'fly out when the sun warms the hive, and ' * 3}sleep.</p>"
TEXT = f'<div class="text">{PARAGRAPH * 12}</div>'
ARTICLE = '<meta property="og:type" content="article">'
RATING = '<div class="x"><p>Rate this</p><p>4 of 5 stars</p></div>'
TEASERS = '<div class="x"><h3><a href="/wasps">Wasps build nests of paper</a></h3></div>' * 2
TEASER_LINES = "".join(f"<p><a href='/{n}'>Wasps build nests of paper number {n}</a></p>" for n in range(7))
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


def test_a_paragraph_beside_the_text_stays_with_some_links_around_it() -> None:
    body = f"{TEXT}<div>{PARAGRAPH * 2}{TEASER_LINES}</div>"
    assert kinds(body)["Wasps build nests of paper number 3"] == "p"


def test_a_box_with_more_teasers_than_paragraphs_is_a_label_in_articles_only() -> None:
    body = f"{TEXT}<div>{PARAGRAPH}{TEASER_LINES}</div>"
    found = [kinds(body, head)["Wasps build nests of paper number 3"] for head in (ARTICLE, "")]
    assert found == ["label", "p"]


def test_a_menu_beside_the_text_is_a_label_on_every_page() -> None:
    menu = "".join(f"<p><a href='/{n}'>Wasps build nests</a> today {n}</p>" for n in range(9))
    assert kinds(f"{TEXT}<div>{menu}</div>", head="")["Wasps build nests today 7"] == "label"


def test_a_short_line_with_a_link_stays_on_a_page_that_is_no_article() -> None:
    line = "All that wasps and bees build"
    assert kinds(f"{TEXT}<div><a href='/x'>{line}</a></div>", head="")[line] == "p"


def test_paragraphs_in_a_script_without_blanks_count_as_paragraphs() -> None:
    thai = f"<p>{'ผึ้งบินออกไปเมื่อแดดอุ่น' * 10}</p>"
    assert kinds(f"<div>{thai * 3}</div>{RATING}")["4 of 5 stars"] == "label"


@pytest.mark.parametrize("name", ["story-tools", "ratings", "promo_box", "articleTags", "secondary"])
def test_a_part_of_articles_that_its_name_tells_is_a_label_there(name: str) -> None:
    body = f'{PARAGRAPH * 4}<div class="{name}"><p>Wasps build nests.</p></div>{PARAGRAPH * 8}'
    assert [kinds(body, head)["Wasps build nests."] for head in (ARTICLE, "")] == ["label", "p"]


def test_paragraphs_and_large_parts_are_text_whatever_their_names() -> None:
    large = f'<div class="promo"><p>Wasps sleep.</p>{PARAGRAPH * 4}</div>'
    found = kinds(f'{PARAGRAPH * 4}<p class="promo">Wasps build nests.</p>{large}{PARAGRAPH * 4}')
    assert [found[line] for line in ("Wasps build nests.", "Wasps sleep.")] == ["p", "p"]


def test_a_caption_by_its_name_is_one_and_players_have_captions() -> None:
    body = f'{PARAGRAPH * 9}<div><p class="wp-caption-text">A wasp</p></div>'
    assert kinds(body, head="")["A wasp"] == "caption"
    body = f'{PARAGRAPH * 9}<div class="video-box"><p>A film of wasps</p></div>'
    assert [kinds(body, head)["A film of wasps"] for head in (ARTICLE, "")] == ["caption", "p"]


LONG_TITLE = " ".join(["Honey"] * 9)
TITLES = [f"<div class='promo'><h1>{title}</h1></div>" for title in ("Wasps", LONG_TITLE)]


def test_a_box_has_no_title_of_the_page_if_there_is_an_earlier_and_a_longer_one() -> None:
    found = kinds(f"{TITLES[0]}{PARAGRAPH * 9}{TITLES[1]}")
    assert [found[title] for title in ("Honey", "Wasps", LONG_TITLE)] == ["heading", "label", "heading"]


@pytest.mark.parametrize("first", ["", f"<h1 hidden>{LONG_TITLE} and wax</h1>"])
def test_the_first_title_that_is_seen_is_in_no_box(first: str) -> None:
    headings = [
        each.text for each in read(f"{first}{''.join(TITLES)}{TEXT}", ARTICLE) if each.kind == "heading"
    ]
    assert headings == ["Wasps", LONG_TITLE]


def test_a_box_with_short_lines_without_links_stays() -> None:
    lines = "".join(f"<p>Honey of kind {number} is sweet</p>" for number in range(9))
    assert kinds(f"{TEXT}<div>{PARAGRAPH}{lines}</div>")["Honey of kind 3 is sweet"] == "p"
