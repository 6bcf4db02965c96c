"""A price card keeps the plan's name, its price and what it comes with together."""

from __future__ import annotations

import pytest

from tests.support.html_pages import group, page, read, texts


def test_a_price_card_keeps_plan_price_and_features_together() -> None:
    pricing = page("pricing")
    assert group(pricing, "c1") == [
        ("heading", "Solo"),
        ("price", "£12 /month"),
        ("p", "Billed yearly, or £15 month to month."),
        ("li", "1 mechanic"),
        ("li", "Up to 200 bikes"),
        ("li", "£2 for each 100 bikes more"),
        ("label", "Choose Solo"),
    ]
    assert group(pricing, "c2") == [
        ("label", "Most popular"),
        ("heading", "Team"),
        ("price", "£49 per month"),
        ("p", "Billed yearly."),
        ("heading", "Everything in Solo, and"),
        ("li", "5 mechanics"),
        ("li", "Shared calendar"),
    ]


def test_a_card_without_a_price_beside_others_is_one_of_them() -> None:
    assert group(page("pricing"), "c3")[:2] == [("heading", "Fleet"), ("price", "Contact us")]


def test_a_plan_heads_nothing_outside_of_its_card() -> None:
    paths = {block.text: block.heading_path for block in page("pricing").blocks}
    assert paths["All prices are without VAT."] == ("Plans for every workshop",)
    assert paths["Most popular"] == ("Plans for every workshop",)
    assert paths["5 mechanics"] == ("Plans for every workshop", "Team", "Everything in Solo, and")


def test_cards_named_without_headings_are_found_where_there_are_several() -> None:
    card = "<div class=c><div>{}</div><div><b>{}</b><span>/mo</span></div><ul><li>One</li></ul></div>"
    blocks = read(f"<h2>Plans</h2><div>{card.format('Basic', '$9')}{card.format('Pro', '$19')}</div>")
    assert [(b.kind, b.text, b.group) for b in blocks if b.kind != "li"] == [
        ("heading", "Plans", ""),
        ("p", "Basic", "c1"),
        ("price", "$9/mo", "c1"),
        ("p", "Pro", "c2"),
        ("price", "$19/mo", "c2"),
    ]


def test_a_price_in_a_heading_is_a_price() -> None:
    blocks = read(
        "<section><div><h4>Team</h4><h1>$29<small>/mo</small></h1><ul><li>All of it</ul></div></section>"
    )
    assert [(b.kind, b.text) for b in blocks] == [
        ("heading", "Team"), ("price", "$29/mo"), ("li", "All of it"),
    ]  # fmt: skip
    assert blocks[-1].heading_path == ("Team",)


@pytest.mark.parametrize(
    "price",
    ["€ 9,90 pro Monat", "12 €", "From $9 per user / month", "CHF 20.– im Jahr", "1&nbsp;200 kr", "ab 5 €"],
)
def test_prices_are_known_in_many_spellings(price: str) -> None:
    blocks = read(f"<div><h3>Plan</h3><p>{price}</p><ul><li>x</li></ul></div>")
    assert [block.kind for block in blocks] == ["heading", "price", "li"]


@pytest.mark.parametrize(
    "line",
    [
        "£4m raised",
        "Save £20 today",
        "Repairs cost £20 at most.",
        "The tyre was £30. Cheap!",
        "$5 million",
        "Bikes",
    ],
)
def test_a_line_that_says_more_or_less_than_a_price_is_none(line: str) -> None:
    blocks = read(f"<div><h3>Plan</h3><p>{line}</p></div>")
    assert [block.kind for block in blocks] == ["heading", "p"]


def test_a_price_inside_a_sentence_stays_in_it() -> None:
    assert texts("<h2>Cost</h2><p>It costs <b>£12</b> for each bike.</p>") == [
        "Cost", "It costs £12 for each bike.",
    ]  # fmt: skip
    assert texts("<h2>Cost</h2><p><b>£12</b> for each bike and nothing else, ever and a day.</p>")[1:] == [
        "£12 for each bike and nothing else, ever and a day."
    ]
