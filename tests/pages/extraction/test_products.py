"""The page of a product: its description is text, also inside the order form; reviews and buttons are not."""

from __future__ import annotations

import pytest

from tests.support.html_pages import read

HEAD = "<title>Cherry honey – The Hive</title>"
PRODUCT = f"<h1>Cherry honey</h1><p>{'Our bees made it from the blossoms of old cherry trees. ' * 9}</p>"
LINE = "It has the colour of amber."
REVIEW = ("I gave a jar to my aunt, and she asked for the next one on the same day. " * 5).strip()
CART = '<form action="/cart/add"><input name="quantity"></form>'


def kinds(body: str, head: str = HEAD) -> dict[str, str]:
    return {block.text: block.kind for block in read(body, head)}


@pytest.mark.parametrize(
    "form", ['action="/cart/add"', 'id="product_addtocart_form"', 'action="/warenkorb"', 'class="buy-block"']
)
def test_a_description_inside_the_order_form_is_text(form: str) -> None:
    assert kinds(f"{PRODUCT}<form {form}><div><p>{LINE}</p></div></form>")[LINE] == "p"


def test_the_text_of_another_form_is_none() -> None:
    assert LINE not in kinds(f'{PRODUCT}<form action="/search"><div><p>{LINE}</p></div></form>')


@pytest.mark.parametrize(
    "shop",
    [CART, '<div itemscope itemtype="https://schema.org/Product"></div>', '<a class="add-to-cart">Buy</a>',
     '<input name="cart_quantity">'],
)  # fmt: skip
@pytest.mark.parametrize("heading", ["Reviews", "Customer reviews (2)", "Kundenbewertungen", "Avis clients"])
def test_reviews_of_a_product_are_labels(shop: str, heading: str) -> None:
    assert kinds(f"{PRODUCT}{shop}<h2>{heading}</h2><p>{REVIEW}</p>")[REVIEW] == "label"


def test_a_page_that_sells_nothing_has_reviews_as_text() -> None:
    assert kinds(f"{PRODUCT}<h2>Reviews</h2><p>{REVIEW}</p>")[REVIEW] == "p"
    assert kinds(f'{PRODUCT}<div class="review"><p>{LINE}</p></div>')[LINE] == "p"


def test_a_chapter_of_a_book_on_shops_sells_nothing() -> None:
    chapter = (
        '<div class="section" id="add-to-cart"><h2>Add to cart</h2></div><section id="buy-now"></section>'
    )
    assert kinds(f"{PRODUCT}{chapter}<h2>Reviews</h2><p>{REVIEW}</p>")[REVIEW] == "p"


@pytest.mark.parametrize(
    "name", ["review", "ratings", "cross-sell", "upsells", "minicart", "recently-viewed"]
)
def test_a_part_that_its_name_identifies_is_no_text_of_a_product(name: str) -> None:
    assert kinds(f'{PRODUCT}{CART}<div class="{name}"><p>{LINE}</p></div>')[LINE] == "label"


def test_a_cell_named_for_the_basket_keeps_the_description_and_its_summary_does_not() -> None:
    assert kinds(f'{PRODUCT}{CART}<div class="basket"><p>{LINE}</p></div>')[LINE] == "p"
    assert kinds(f'{PRODUCT}{CART}<div class="basket-summary"><p>{LINE}</p></div>')[LINE] == "label"


@pytest.mark.parametrize(
    "heading", ["Similar items", "Often bought with this item", "Passende Produkte", "Productos relacionados"]
)
def test_other_products_are_labels(heading: str) -> None:
    assert kinds(f"{PRODUCT}{CART}<h4>{heading}</h4><p>{LINE}</p>")[LINE] == "label"


@pytest.mark.parametrize("line", ["Add to wish list", "Send to a friend", "In den Warenkorb", "Quantità:"])
def test_lines_that_ask_to_buy_are_labels(line: str) -> None:
    assert kinds(f"{PRODUCT}{CART}<ul><li>{line}</li><li>{LINE}</li></ul>")[line] == "label"


def test_all_before_the_name_of_the_product_is_a_label() -> None:
    offer = "Free delivery for orders over fifty pounds, and a jar for your neighbour with each of them."
    found = kinds(f"<p>{offer}</p>{PRODUCT}{CART}<p>{LINE}</p>")
    assert (found[offer], found[LINE]) == ("label", "p")


@pytest.mark.parametrize(
    "shop", ['<a class="x" title="Add to cart">Buy</a>', '<input type="image" value="Add to bag">']
)
def test_a_button_says_in_its_words_that_a_page_sells(shop: str) -> None:
    assert kinds(f"{PRODUCT}{shop}<h2>Reviews</h2><p>{REVIEW}</p>")[REVIEW] == "label"


def test_reviews_are_labels_although_they_are_most_of_the_page() -> None:
    reviews = "".join(f"<div><h3>Day {day}</h3><p>{day} {REVIEW}</p></div>" for day in range(20))
    found = kinds(f'{PRODUCT}{CART}<div id="reviews">{reviews}</div>')
    assert (found[f"7 {REVIEW}"], found["Cherry honey"]) == ("label", "heading")


@pytest.mark.parametrize("line", ["p", "li", "dt", "dd"])
def test_a_line_on_the_page_of_a_product_that_is_only_a_link_is_a_label(line: str) -> None:
    link = f'<{line}><a href="/wax">Candles of the best wax of our own bees</a></{line}>'
    assert kinds(f"{PRODUCT}{CART}{link}<p>{LINE}</p>")["Candles of the best wax of our own bees"] == "label"
    within = link.replace("/wax", "#wax")
    assert kinds(f"{PRODUCT}{CART}{within}")["Candles of the best wax of our own bees"] == line


def test_the_only_h1_of_a_shop_is_the_name_of_the_product_whatever_the_title_says() -> None:
    head = "<title>Buy sweet gifts for your aunt</title>"
    offer = "Free delivery for orders over fifty pounds, and a jar for your neighbour with each of them."
    assert kinds(f"<h3>Our jars</h3><p>{offer}</p>{PRODUCT}{CART}", head)[offer] == "label"


@pytest.mark.parametrize("name", ["footerText", "size-error"])
def test_more_parts_that_their_names_identify_are_no_text_of_a_product(name: str) -> None:
    assert kinds(f'{PRODUCT}{CART}<div class="{name}"><p>{LINE}</p></div>')[LINE] == "label"


def test_parts_around_a_product_may_be_most_of_the_page_together() -> None:
    parts = "".join(f'<div class="popup"><p>{number} {LINE * 12}</p></div>' for number in range(3))
    assert kinds(f"{PRODUCT}{CART}{parts}")[f"1 {LINE * 12}"] == "label"


@pytest.mark.parametrize(
    "heading", ["Customer testimonials", "Product questions & answers", "Opinie klientów"]
)
def test_what_customers_say_and_ask_is_a_label(heading: str) -> None:
    assert kinds(f"{PRODUCT}{CART}<h2>{heading}</h2><p>{REVIEW}</p>")[REVIEW] == "label"


@pytest.mark.parametrize(
    "heading", ["Podobne produkty", "Weitere Ausgaben von Honig", "Mehr von Imker Klein"]
)
def test_more_headings_over_other_products(heading: str) -> None:
    assert kinds(f"{PRODUCT}{CART}<h4>{heading}</h4><p>{LINE}</p>")[LINE] == "label"


def test_a_long_notice_of_copyright_is_a_label_and_a_text_on_it_is_none() -> None:
    notice = "Copyright 2015 The Hive. All rights reserved." + " Names of jars belong to their owners." * 5
    assert kinds(f"{PRODUCT}<p>{notice}</p>")[notice] == "label"
    assert kinds(f"{PRODUCT}<p>The Hive 2005-2015 © Kent</p>")["The Hive 2005-2015 © Kent"] == "label"
    text = f"{LINE} {LINE * 6} All rights reserved."
    assert kinds(f"{PRODUCT}<p>{text}</p>")[text] == "p"


def test_a_table_with_a_picture_in_a_link_in_each_row_shows_other_products() -> None:
    row = '<tr><td><a href="/{0}"><img src="{0}.jpg"></a></td><td>Jar of {0}</td><td>£4</td></tr>'
    rows = [row.format(name) for name in ("acacia", "heather", "lime")]
    assert kinds(f"{PRODUCT}{CART}<table>{''.join(rows)}</table>")["Jar of lime"] == "label"
    assert kinds(f"{PRODUCT}{CART}<table>{''.join(rows[:2])}</table>")["Jar of heather | £4"] == "table"
    assert kinds(f"{PRODUCT}<table>{''.join(rows)}</table>")["Jar of lime | £4"] == "table"


def test_three_headings_of_a_shop_with_nothing_below_are_the_titles_of_menus() -> None:
    menus = "<h3>Jars</h3><h3>Candles</h3>"
    assert kinds(f"{PRODUCT}{CART}{menus}<h3>Hives</h3>")["Candles"] == "label"
    assert kinds(f"{PRODUCT}{CART}{menus}<p>{LINE}</p>")["Jars"] == "heading"
    assert kinds(f"{PRODUCT}{menus}<h3>Hives</h3>")["Candles"] == "heading"


@pytest.mark.parametrize("name", ["box-up-sell", "cross-selling"])
def test_other_products_by_their_name_are_no_text(name: str) -> None:
    assert kinds(f'{PRODUCT}{CART}<div class="{name}"><p>{LINE}</p></div>')[LINE] == "label"


@pytest.mark.parametrize("heading", ["Похожие товары", "Отзывы покупателей"])
def test_headings_of_russian_shops_are_known(heading: str) -> None:
    assert kinds(f"{PRODUCT}{CART}<h2>{heading}</h2><p>{LINE}</p>")[LINE] == "label"


def test_headings_after_all_text_of_a_shop_are_labels() -> None:
    assert kinds(f"{PRODUCT}{CART}<h3>Our hives</h3>")["Our hives"] == "label"
    assert kinds(f"{PRODUCT}<h3>Our hives</h3>")["Our hives"] == "heading"


@pytest.mark.parametrize("line", ["Reviews (3)", "Avis", "Kundenbewertungen"])
def test_the_name_of_a_tab_with_reviews_is_a_label(line: str) -> None:
    assert kinds(f"{PRODUCT}{CART}<p>{line}</p><p>{LINE}</p>")[line] == "label"
    assert kinds(f"{PRODUCT}<p>{line}</p><p>{LINE}</p>")[line] == "p"


@pytest.mark.parametrize(
    "picture",
    ['<form action="/x"><img src="/pics/AddToCart.png"></form>', '<input type="image" alt="Add to basket">',
     '<a href="javascript:order()"><img src="add_to_cart.gif"></a>'],
)  # fmt: skip
def test_a_picture_of_a_button_says_that_a_page_sells(picture: str) -> None:
    form = f"<form>{picture}</form>" if picture.startswith("<input") else picture
    assert kinds(f"{PRODUCT}{form}<h2>Reviews</h2><p>{REVIEW}</p>")[REVIEW] == "label"


def test_a_picture_in_a_text_on_shops_sells_nothing() -> None:
    picture = '<p><a href="/big.png"><img src="add-to-cart.png" alt="The button to add to the cart"></a></p>'
    assert kinds(f"{PRODUCT}{picture}<h2>Reviews</h2><p>{REVIEW}</p>")[REVIEW] == "p"


def test_a_shop_may_call_its_description_a_caption() -> None:
    assert kinds(f'{PRODUCT}{CART}<div class="short_caption">{LINE}</div>')[LINE] == "p"
    assert kinds(f'{PRODUCT}<div class="short_caption">{LINE}</div>')[LINE] == "caption"


@pytest.mark.parametrize("name", ["loyalty", "alert-success"])
def test_messages_to_a_customer_are_no_text_of_a_product(name: str) -> None:
    assert kinds(f'{PRODUCT}{CART}<div class="{name}"><p>{LINE}</p></div>')[LINE] == "label"
    assert kinds(f'{PRODUCT}<div class="{name}"><p>{LINE}</p></div>')[LINE] == "p"


@pytest.mark.parametrize(
    "heading",
    ["Great customer service", "Safe Shopping Guarantee", "Easy returns", "Free shipping & returns",
     "Why buy from us?", "Shop with confidence", "Our partners", "Ihre Vorteile", "Sicher einkaufen",
     "Besuchen Sie auch unsere Partner:", "Satisfaction guaranteed", "Kostenloser Versand",
     "Warum bei uns kaufen?"],
)  # fmt: skip
def test_what_a_shop_says_of_itself_is_no_text_of_a_product(heading: str) -> None:
    assert kinds(f"{PRODUCT}{CART}<h2>{heading}</h2><p>{LINE}</p>")[LINE] == "label"
    assert kinds(f"{PRODUCT}<h2>{heading}</h2><p>{LINE}</p>")[LINE] == "p"


def test_a_long_text_below_such_a_heading_is_a_label_if_it_ends_in_a_copyright() -> None:
    long = "Prices are those of today and include the jar. " * 8
    for end, kind in (("© 2014 by The Hive", "label"), ("Ask us.", "p")):
        text = f"{long}{end}"
        assert kinds(f"{PRODUCT}{CART}<h3>Our partners</h3><p>{text}</p>")[text] == kind


@pytest.mark.parametrize(
    "line",
    ["Looking for help? Give us a call at any time", "Add to wish list (3 others did)", "Q & A",
     "View item", "Order quantity", "Like this product? Share it!", "Send feedback on this page"],
)  # fmt: skip
def test_more_lines_that_ask_a_customer_are_labels(line: str) -> None:
    assert kinds(f"{PRODUCT}{CART}<div>{line}</div><p>{LINE}</p>")[line] == "label"
    assert kinds(f"{PRODUCT}<div>{line}</div><p>{LINE}</p>")[line] == "p"


@pytest.mark.parametrize(
    "line",
    ["Contact us for a test on 0800 123456", "Looking for help? Give us a call at 01632 960123",
     "Orders over €50? Chat with us", "Ask a question on 0800 123456"],
)  # fmt: skip
def test_a_line_that_asks_a_customer_and_has_a_figure_stays_text(line: str) -> None:
    assert kinds(f"{PRODUCT}{CART}<p>{line}</p><p>{LINE}</p>")[line] == "p"


def test_what_a_shop_says_of_itself_with_a_figure_is_text_below_its_headings() -> None:
    offer = "Orders over €50 are delivered free within 3 days."
    with_figure = f"<h2>Why buy from us?</h2><h3>Free delivery</h3><p>{offer}</p>"
    found = kinds(f"{PRODUCT}{CART}{with_figure}<h3>Easy returns</h3><p>{LINE}</p>")
    assert (found["Why buy from us?"], found["Free delivery"], found[offer]) == ("heading", "heading", "p")
    assert (found["Easy returns"], found[LINE]) == ("label", "label")


def test_a_table_of_times_below_what_a_shop_says_of_itself_is_text() -> None:
    table = "<table><tr><th>Country</th><th>Days</th></tr><tr><td>France</td><td>3</td></tr></table>"
    found = kinds(f"{PRODUCT}{CART}<h2>Fast delivery</h2>{table}")
    assert found["Fast delivery"] == "heading"
    assert "label" not in [kind for text, kind in found.items() if "France" in text]


def test_linked_names_over_mere_prices_at_the_end_of_a_shop_are_other_products() -> None:
    others = "".join(
        f'<ul><li><a href="/{name}">{name}</a></li></ul><ul><li>€9.90</li></ul>'
        for name in ("Wax", "Comb", "Hive")
    )
    assert kinds(f"{PRODUCT}{CART}<p>{LINE}</p>{others}")["€9.90"] == "label"
    offers = others.replace("€9.90", "€9.90 for 3 jars of 500 g")
    assert kinds(f"{PRODUCT}{CART}<p>{LINE}</p>{offers}")["€9.90 for 3 jars of 500 g"] == "li"
