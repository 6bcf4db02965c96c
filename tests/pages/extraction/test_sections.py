"""Comments and teasers that headings tell, and what is before the title, are labels: posts quote none."""

from __future__ import annotations

import pytest

from tests.support.html_pages import read

TITLE = "How bees make honey"
HEAD = f"<title>{TITLE} – The Hive</title>"
TEXT = f"<h1>{TITLE}</h1><p>{'Bees make honey in summer. ' * 20}</p>"
LINE = "Wax is made by bees, too."
LONG = ("I tried this last year, and my bees made far more honey than before. " * 6).strip()
TEASER = f'<h2><a href="/wax">All about wax</a></h2><p>{LINE}</p>'


def kinds(body: str, head: str = HEAD) -> dict[str, str]:
    return {block.text: block.kind for block in read(body, head)}


@pytest.mark.parametrize(
    "heading",
    ["3 Comments", "12 thoughts on “Honey”", "Comments (3)", "Reader comments", "Join the discussion",
     "4 Kommentare", "Leserkommentare", "2 commentaires", "3 comentarios", "1 commento", "5 reacties",
     "7 comentários", "2 kommentarer"],
)  # fmt: skip
def test_comments_are_labels_however_long(heading: str) -> None:
    found = kinds(f"{TEXT}<h2>{heading}</h2><h3>Great</h3><p>{LONG}</p><p>{LINE}</p>")
    assert (found["Great"], found[LONG], found[LINE]) == ("label", "label", "label")


def test_comments_end_with_the_next_heading_of_their_level() -> None:
    found = kinds(f"{TEXT}<h2>3 Comments</h2><p>Nice!</p><h2>Wax</h2><p>{LINE}</p>")
    assert (found["Nice!"], found["Wax"], found[LINE]) == ("label", "heading", "p")


def test_a_count_of_comments_below_the_title_hides_no_text() -> None:
    assert kinds(f"<h1>{TITLE}</h1><p>12 Comments</p><p>{LINE}</p>")[LINE] == "p"


@pytest.mark.parametrize("name", ["comment", "visitors_comment_content", "commentaires", "kommentare"])
def test_a_single_comment_is_no_text(name: str) -> None:
    assert kinds(f'{TEXT}<div class="{name}"><p>{LINE}</p></div>')[LINE] == "label"


def test_a_section_of_a_book_is_text_whatever_its_address_says() -> None:
    assert kinds(f'{TEXT}<section id="comment-syntax"><p>{LINE}</p></section>')[LINE] == "p"
    assert kinds(f'{TEXT}<div class="table" id="SQL-COMMENT"><p>{LINE}</p></div>')[LINE] == "p"


def test_teasers_with_linked_titles_are_labels_in_a_row() -> None:
    found = kinds(
        f"{TEXT}<h3>Related</h3>{TEASER}{TEASER.replace('wax', 'hives')}<h3>Sources</h3><p>Own.</p>"
    )
    assert (found["All about hives"], found[LINE], found["Own."]) == ("label", "label", "p")


def test_three_sections_with_linked_titles_are_teasers() -> None:
    found = kinds(f"{TEXT * 3}{TEASER}{TEASER.replace('wax', 'hives')}{TEASER.replace('wax', 'combs')}")
    assert (found["All about hives"], found[LINE]) == ("label", "label")


def test_teasers_that_are_the_page_are_its_text() -> None:
    teasers = "".join(TEASER.replace("wax", f"wax {number}") for number in range(9))
    assert kinds(f"<h1>{TITLE}</h1>{teasers}")["All about wax 3"] == "heading"


def test_sections_with_links_to_other_sites_or_to_themselves_are_text() -> None:
    for address in ("https://code.example.org/v1", "#wax"):
        assert kinds(TEXT + TEASER.replace("/wax", address) * 3)["All about wax"] == "heading"


def test_a_line_can_introduce_teasers_and_a_sentence_ends_them() -> None:
    text = "The colony then seals each cell with wax and starts with the next one at once."
    found = kinds(f"{TEXT}<p>You may also like…</p><p>Ten kinds of wax</p><p>{text}</p>")
    assert (found["Ten kinds of wax"], found[text]) == ("label", "p")


def test_headings_and_rows_before_the_title_are_labels() -> None:
    cart = "<table><tr><td>Basket</td><td>0 items</td></tr><tr><td>Sum</td><td>£0</td></tr></table>"
    found = kinds(f"<h3>Our services</h3><p>Call us for a hive of your own</p>{cart}{TEXT}")
    assert [
        found[text] for text in ("Our services", "Call us for a hive of your own", "Basket | 0 items")
    ] == ["label"] * 3


def test_a_section_with_a_sentence_before_the_title_is_text() -> None:
    sentence = "A colony of bees needs a dry place, a door to the south and little else."
    found = kinds(f"<h2>Where bees live</h2><p>{sentence}</p>{TEXT}")
    assert (found["Where bees live"], found[sentence]) == ("heading", "p")


def test_what_is_before_the_title_is_text_if_it_is_a_third_of_the_page() -> None:
    before = "".join(f"<h2>Part {number}</h2><p>{LINE} {number}</p>" for number in range(40))
    assert kinds(f"{before}<h1>{TITLE}</h1><p>{LINE}</p>")["Part 7"] == "heading"


def test_links_with_arrows_to_the_pages_before_and_after_are_labels() -> None:
    line = "← What a keeper does in spring and in summer"
    assert kinds(f'{TEXT}<p><a href="/spring">{line}</a></p>')[line] == "label"


def test_a_table_of_links_is_no_data() -> None:
    row = "".join(f'<td><a href="/{name}">{name}</a></td>' for name in ("Drums", "Banjos", "Flutes"))
    assert {block.kind for block in read(f"{TEXT}<table><tr>{row}</tr></table>")} == {"heading", "p", "label"}


def test_settings_for_a_script_are_no_text() -> None:
    line = '{"widget": "zoom", "width": 48}'
    assert kinds(f"{TEXT}<p>{line}</p>")[line] == "label"


def test_a_header_without_an_end_tag_hides_no_article() -> None:
    assert kinds(f"<div><header><article>{TEXT}<p>{LINE}</p></article></header></div>")[LINE] == "p"


def test_an_aside_with_the_title_is_text() -> None:
    assert kinds(f"<aside>{TEXT}<p>{LINE}</p></aside>")[LINE] == "p"


@pytest.mark.parametrize(
    "attributes",
    [
        'class="callout warn"',
        'class="starlight-aside starlight-aside--note"',
        'role="note"',
        'class="Notice"',
    ],
)
def test_an_aside_that_is_a_note_is_text(attributes: str) -> None:
    assert (
        kinds(f"<main>{TEXT}<aside {attributes}><strong>Mind:</strong> {LINE}</aside></main>")[
            f"Mind: {LINE}"
        ]
        == "p"
    )


@pytest.mark.parametrize(
    "attributes", ['class="cookie-notice"', 'class="related note"', 'class="banknotes"', ""]
)
def test_an_aside_that_is_no_note_is_left_out(attributes: str) -> None:
    assert LINE not in kinds(f"<main>{TEXT}<aside {attributes}><p>{LINE}</p></aside></main>")


@pytest.mark.parametrize("name", ["c-cookie-policy", "cookie_text"])
def test_a_cookie_notice_is_a_label(name: str) -> None:
    assert kinds(f'{TEXT}<div class="{name}"><p>{LINE}</p></div>')[LINE] == "label"


@pytest.mark.parametrize(
    "name", ["right-bar", "container_right", "list--related", "textwidget", "cta-global", "authorbox"]
)
def test_columns_widgets_and_authors_of_an_article_are_no_text(name: str) -> None:
    article = HEAD + '<meta property="og:type" content="article">'
    assert kinds(f'{TEXT}<div class="{name}"><p>{LINE}</p></div>', article)[LINE] in ("label", "byline")


def test_what_only_paper_shows_is_no_text() -> None:
    assert LINE not in kinds(f'{TEXT}<div class="d-none d-print-block"><p>{LINE}</p></div>')


@pytest.mark.parametrize("name", ["tag-important", "category-warning", "release-note", "callout-grid"])
def test_a_box_named_after_notes_among_other_things_keeps_its_headings(name: str) -> None:
    found = kinds(
        f'<div class="post {name}">{TEXT}<h2>Feeding</h2><p>Once.</p><h2>Selling</h2><p>{LINE}</p></div>'
    )
    assert (found["Feeding"], found["Selling"]) == ("heading", "heading")


@pytest.mark.parametrize(
    "attributes",
    ['class="promo-notice"', 'class="tip-jar"', 'class="product-callout"', 'class="cta callout-box"',
     'class="note" style="display:none"'],
)  # fmt: skip
def test_an_aside_that_is_named_after_something_else_too_is_no_note(attributes: str) -> None:
    assert LINE not in kinds(f"<main>{TEXT}<aside {attributes}><p>{LINE}</p></aside></main>")


def test_a_style_may_hide_notes() -> None:
    head = f"{HEAD}<style>aside.note {{ display: none }}</style>"
    assert LINE not in kinds(f'<main>{TEXT}<aside class="note"><p>{LINE}</p></aside></main>', head)
