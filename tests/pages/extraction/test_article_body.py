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
    found = kinds(body)
    assert found.pop("Wasps build nests of paper number 3") == "label"
    assert [kind for text, kind in found.items() if text.startswith("Bees")] == ["p"]


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
def test_a_part_of_articles_that_its_name_identifies_is_a_label_there(name: str) -> None:
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


@pytest.mark.parametrize(
    "head",
    [
        ARTICLE,
        '<meta property="article:published_time" content="2025-05-02">',
        '<meta name="news_keywords" content="bees, honey">',
        '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Honey"}</script>',
    ],
)
def test_the_head_says_that_the_page_is_an_article(head: str) -> None:
    assert kinds(f"{TEXT}{RATING}", head)["4 of 5 stars"] == "label"


def test_a_list_of_articles_in_the_data_of_a_page_is_no_article() -> None:
    data = '<script type="application/ld+json">[{"@type": "Article"}, {"@type": "Article"}]</script>'
    assert kinds(f"{TEXT}{RATING}", data)["4 of 5 stars"] == "p"


def test_of_several_articles_the_one_with_the_title_of_the_page_is_its_text() -> None:
    head = f"<title>How bees sleep – The Hive</title>{ARTICLE}"
    next_one = f"<article><h2>How wasps build</h2>{PARAGRAPH.replace('Bees', 'Wasps') * 12}</article>"
    own = f"<article><h2>How bees sleep</h2>{PARAGRAPH * 12}</article>"
    found = kinds(f"<main>{next_one}{own}{next_one}</main>", head)
    assert "How bees sleep" in found
    assert "How wasps build" not in found
    assert "How wasps build" in kinds(f"<main>{own}{next_one}</main>", "<title>How bees sleep</title>")


def test_an_article_with_the_title_alone_is_not_the_text_of_the_page() -> None:
    head = f"<title>How bees sleep – The Hive</title>{ARTICLE}"
    found = kinds(f"<article><h2>How bees sleep</h2></article><article>{PARAGRAPH * 12}</article>", head)
    assert "p" in found.values()


def test_three_lines_of_an_article_that_are_only_links_are_labels_and_one_is_text() -> None:
    links = [
        f'<p><a href="/{name}">All that a keeper knows of {name}</a></p>' for name in ("wax", "mead", "honey")
    ]
    found = kinds(f"<div>{PARAGRAPH * 12}{''.join(links)}{PARAGRAPH}</div>")
    assert found["All that a keeper knows of mead"] == "label"
    found = kinds(f"<div>{PARAGRAPH * 12}{links[0]}{PARAGRAPH}{links[1]}</div>")
    assert found["All that a keeper knows of wax"] == "p"


def test_a_heading_of_an_article_with_only_labels_below_is_a_label() -> None:
    below = '<h3>Elsewhere on bees</h3><p><a href="/wax">Wax</a></p><h3>Wings</h3><p>They have four.</p>'
    found = kinds(f"<div>{PARAGRAPH * 12}{below}</div>")
    assert (found["Elsewhere on bees"], found["Wings"]) == ("label", "heading")


def test_a_block_between_the_paragraphs_is_text_although_its_name_is_widget() -> None:
    block = '<div class="block-widget"><p>Rate the hive</p></div>'
    found = kinds(f"<div>{PARAGRAPH * 6}{block}{PARAGRAPH * 6}</div>")
    assert found["Rate the hive"] == "p"
    column = '<div class="widget"><h3>Weather</h3><p>Sun and a little wind</p></div>'
    assert kinds(f"{TEXT}<div>{column * 3}</div>")["Sun and a little wind"] == "label"


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("editor-bio", "byline"),
        ("c-modal", "label"),
        ("most-commented", "label"),
        ("facebook-activity", "label"),
    ],
)
def test_more_names_of_parts_around_an_article(name: str, kind: str) -> None:
    line = "She keeps bees in Kent and writes about them."
    part = f'<div class="{name}"><p>{line}</p></div>'
    assert kinds(f"<div>{PARAGRAPH * 6}{part}{PARAGRAPH * 6}</div>")[line] == kind


def test_a_bar_of_tools_is_no_text_although_the_article_is_short() -> None:
    line = "Add what you read here to the list that all of your friends can see at any time."
    bar = f'<div class="entry-toolbar"><p>{line}</p><p>{line}</p></div>'
    assert kinds(f"<div>{PARAGRAPH}{bar}{PARAGRAPH}</div>")[line] == "label"


def test_columns_beside_the_text_may_be_most_of_the_page_together() -> None:
    column = '<div class="sidebar-box"><p>Column {} ' + "of wasps and hornets " * 20 + "</p></div>"
    columns = "".join(column.format(number) for number in range(3))
    found = kinds(f"<div>{PARAGRAPH * 4}</div>{columns}", head="")
    assert {kind for text, kind in found.items() if text.startswith("Column")} == {"label"}
