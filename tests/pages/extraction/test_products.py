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
def test_a_part_that_its_name_tells_is_no_text_of_a_product(name: str) -> None:
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
