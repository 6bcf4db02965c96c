"""Comments, teasers, share bars and menus around a page's text are labels: found by search, not quoted."""

from __future__ import annotations

import pytest

from tests.support.html_pages import read

TEXT = "<h1>Honey</h1><p>" + "Bees make honey in summer. " * 20 + "</p>"
LINE = "Wax is made by bees, too."


def kind_of(body: str, text: str = LINE) -> str:
    (found,) = [block.kind for block in read(body) if block.text == text]
    return found


@pytest.mark.parametrize(
    "name",
    [
        "comments-list", "commentList", "comment_form", "recent-comments", "disqus_thread",
        "articleRelated-posts", "relatedContent", "recommended-products", "latest-news", "most-read",
        "inline-recirc", "video-playlist", "sidebar-box", "column-right", "article__footer",
        "blog-newsletter", "share-this", "social_links", "photo-credit", "plan-badge",
    ],
)  # fmt: skip
@pytest.mark.parametrize("attribute", ["class", "id"])
def test_a_part_that_its_name_identifies_is_no_text(name: str, attribute: str) -> None:
    assert kind_of(f'{TEXT}<div {attribute}="x {name}"><p>{LINE}</p></div>') == "label" or attribute == "id"
    assert kind_of(f'{TEXT}<div {attribute}="{name}"><p>{LINE}</p></div>') == "label"


@pytest.mark.parametrize(
    "name",
    ["has-comments", "comments-open", "with-sidebar", "content", "unrelated-posts", "news", "social-proof",
     "product", "credit-card", "more-content", "entry-content", "subscription-plans"],
)  # fmt: skip
def test_a_name_that_only_sounds_alike_changes_nothing(name: str) -> None:
    assert kind_of(f'{TEXT}<div class="{name}"><p>{LINE}</p></div>') == "p"


def test_a_named_part_with_the_title_or_most_of_the_text_is_text() -> None:
    assert {block.kind for block in read(f'<div class="latest-news">{TEXT}</div>')} == {"heading", "p"}
    long = "".join(f"<p>{number}: {LINE}</p>" for number in range(60))
    assert kind_of(f'{TEXT}<div class="latest-news">{long}</div>', f"3: {LINE}") == "p"


def test_a_long_share_bar_or_newsletter_is_text() -> None:
    for name in ("share-bar-x", "newsletter-x"):
        body = f'{TEXT * 4}<div class="{name}"><p>{LINE}</p><p>{"Honey keeps for years. " * 40}</p></div>'
        assert kind_of(body) == "p"


def test_the_date_and_place_of_an_article_are_its_byline() -> None:
    assert (
        kind_of(f'{TEXT}<div class="article-dateline">London, at noon</div>', "London, at noon") == "byline"
    )


def test_short_lines_before_the_title_are_labels() -> None:
    body = f"<div><p>Log in</p><ul><li>Sport today</li></ul>{TEXT}<p>{LINE}</p></div>"
    assert [kind_of(body, text) for text in ("Log in", "Sport today", LINE)] == ["label", "label", "p"]


@pytest.mark.parametrize("hidden", [" hidden", ' aria-hidden="true"', ' class="sr-only"'])
def test_a_title_that_nobody_sees_makes_no_line_a_label(hidden: str) -> None:
    assert kind_of(f"<h2>Bees</h2><p>{LINE}</p><h1{hidden}>Honey</h1>") == "p"


def test_a_paragraph_before_the_title_is_text_and_so_is_what_follows() -> None:
    long = "Bees make honey in summer, and in winter they live on it, " * 3
    assert kind_of(f"<p>{long}</p><p>{LINE}</p><h1>Honey</h1>") == "p"


@pytest.mark.parametrize(
    "line", ["© 2024 Bees Ltd", "Copyright 2024 Bees Ltd", "Bees Ltd. All rights reserved."]
)
def test_a_copyright_line_is_a_label(line: str) -> None:
    assert kind_of(f"{TEXT}<p>{line}</p>", line) == "label"


def test_a_sentence_about_copyright_is_text() -> None:
    line = "Copyright protects texts for many years."
    assert kind_of(f"{TEXT}<p>{line}</p>", line) == "p"


@pytest.mark.parametrize(
    "heading", ["More from Bees", "Most read", "Most viewed this week", "Trending now", "Leave a reply"]
)
def test_short_lines_below_a_heading_of_teasers_are_labels_up_to_a_long_paragraph(heading: str) -> None:
    long = ("Bees make honey in summer, and live on it in winter. " * 6).strip()
    body = f"{TEXT}<h2>{heading}</h2><p>{LINE}</p><p>{long}</p><p>Honey keeps.</p>"
    assert [kind_of(body, text) for text in (LINE, long, "Honey keeps.")] == ["label", "p", "p"]


def test_a_chapter_on_comments_is_text() -> None:
    assert kind_of(f"{TEXT}<h2>Comments</h2><p>{LINE}</p>") == "p"


def test_a_menu_with_lines_between_its_links_is_left_out() -> None:
    items = "".join(f'<li><a href="/{name}">{name}</a> |</li>' for name in ("Sport", "News", "Cars"))
    assert not [block for block in read(f"{TEXT}<ul>{items}</ul>") if "Sport" in block.text]


def test_a_widget_between_the_paragraphs_of_an_article_is_text() -> None:
    text = "<p>" + "A bag that is dried every week stays clean through the summer. " * 3 + "</p>"
    table = "<table><tr><th>Fouler<th>Time<tr><td>Weed<td>12 h<tr><td>Mussels<td>24 h</table>"
    note = "<p>Bags that were dried for longer must be back under water before the harvest.</p>"
    boxes = [f"<div class='block-widget'>{each}</div>" for each in (table, note)]
    html = f"<article class='article-body'><h1>Drying bags</h1>{text.join(['', *boxes, ''])}</article>"
    kinds = {block.text[:8]: block.kind for block in read(html)}
    assert (kinds["Weed | 1"], kinds["Bags tha"]) == ("table", "p")


def test_a_footer_by_its_name_is_no_text_unless_it_is_in_a_section() -> None:
    footer = f'<div class="footerText"><p>{LINE}</p></div>'
    assert kind_of(f"{TEXT}{footer}") == "label"
    assert kind_of(f"{TEXT}<section>{footer}</section>") == "p"


def test_a_trail_to_the_page_is_no_text_on_any_page() -> None:
    trail = '<span><a href="/">Home</a> » <a href="/bees">Bees</a> » Honey of spring</span>'
    body = f'{TEXT}<div class="breadcrumb_navigation">{trail}</div>'
    assert kind_of(body, "Home » Bees » Honey of spring") == "label"


def test_the_footer_of_an_article_may_be_more_than_a_fifth_of_its_page() -> None:
    footer = f'<div class="region-footer"><p>{LINE}</p><p>{"Mill Lane 3, Leeds. " * 12}</p></div>'
    article = '<meta property="og:type" content="article">'
    assert {block.text: block.kind for block in read(f"{TEXT}{footer}", article)}[LINE] == "label"
    assert kind_of(f"{TEXT}{footer}") == "p"


def test_the_label_of_a_field_is_no_text_of_an_article_and_a_field_without_one_is() -> None:
    article = '<meta property="og:type" content="article">'
    for names, kind in (("field-label", "label"), ("field field-label-hidden", "p")):
        body = f'{TEXT}<div class="{names}">Guests of today</div>{TEXT.replace("Honey", "Wax")}'
        assert {block.text: block.kind for block in read(body, article)}["Guests of today"] == kind


@pytest.mark.parametrize(
    "heading",
    ["More columns by Ada Lane", "Latest headlines", "Today on Beekeepers", "Explore further",
     "Listen to more audio from this episode", "Beliebt", "Tipps der Redaktion"],
)  # fmt: skip
def test_more_headings_over_teasers(heading: str) -> None:
    assert kind_of(f"{TEXT}<h2>{heading}</h2><p>{LINE}</p>") == "label"


@pytest.mark.parametrize("heading", ["Today on the farm", "Other columns of a table", "Also on bees"])
def test_headings_that_only_sound_like_those_over_teasers(heading: str) -> None:
    assert kind_of(f"{TEXT}<h2>{heading}</h2><p>{LINE}</p>") == "p"
