"""What a whole site is about, as its home page's name says, makes no page one about a topic."""

from __future__ import annotations

import pytest

from app.content.artefacts import SourcePage
from app.content.evidence.sections import sections_of
from app.content.retrieval.coverage import coverage_of
from app.content.retrieval.page_stems import page_stems, topic_words_on
from tests.content.conftest import Part, page

HOME: tuple[Part, ...] = (
    ("h1", "Cargo bikes for families and firms"),
    ("p", "We sell and service them in Leeds."),
)
BRAKES: tuple[Part, ...] = (
    ("h1", "Why brake pads vanish on a cargo bike"),
    ("p", "A loaded bike wears out its pads in four months; we measured it on 212 bikes."),
    ("h2", "How long pads last"),
    ("p", "Hills matter more than weight. A baby on board changes nothing."),
)
CHILDREN: tuple[Part, ...] = (
    ("h1", "Carrying children: what goes where"),
    ("p", "From nine months a baby may ride in a shell, later on a seat."),
    ("h2", "Babies"),
    ("p", "Nobody under nine months rides with us. Ask your health visitor first."),
)
PRICES: tuple[Part, ...] = (("h1", "Prices"), ("p", "Every bike comes with lights and a stand."))
THEFT: tuple[Part, ...] = (("h1", "Where cargo bikes get stolen"), ("p", "Most of them at home, at night."))
FELL: tuple[Part, ...] = (
    ("h1", "Fell: the compact cargo bike"),
    ("p", "It stands on its tail in a hallway."),
)


@pytest.fixture
def shop() -> list[SourcePage]:
    named = {"": HOME, "brakes": BRAKES, "children": CHILDREN, "prices": PRICES, "theft": THEFT, "fell": FELL}
    return [page(number, name, parts) for number, (name, parts) in enumerate(named.items(), 1)]


def about(pages: list[SourcePage], topic: str) -> tuple[int, ...]:
    return coverage_of(topic, page_stems(sections_of(pages), "en"), "en").about


def test_words_of_the_home_pages_name_weigh_as_little_as_light_ones(shop: list[SourcePage]) -> None:
    words = topic_words_on("When can my baby ride a cargo bike?", page_stems(sections_of(shop), "en"), "en")
    assert words.weights["cargo"] == words.weights["bike"] < words.weights["babi"]
    assert "babi" in words.distinctive


def test_a_page_with_the_words_of_the_site_in_its_name_is_not_about_another_topic(
    shop: list[SourcePage],
) -> None:
    assert 2 not in about(shop, "When can my baby ride a cargo bike?")
    assert about(shop, "Cargo bike brake pads")[:1] == (2,)


def test_services_that_a_home_page_lists_keep_their_pages() -> None:
    home = ("h1", "Plumber in Leeds: boiler repair, drain unblocking and bathroom fitting")
    named = {
        "": (home, ("p", "Call us before nine and somebody comes today.")),
        "boilers": (("h1", "Boiler repair"), ("p", "We mend boilers of all makes and charge by the hour.")),
        "drains": (("h1", "Drain unblocking"), ("p", "A drain is free again within the hour.")),
        "bathrooms": (("h1", "Bathroom fitting"), ("p", "A bathroom takes us two weeks from start to end.")),
        "winter": (
            ("h1", "Winter check list for landlords"),
            ("p", "Empty the outside tap before the frost."),
        ),
    }
    pages = [page(number, name, parts) for number, (name, parts) in enumerate(named.items(), 1)]
    assert about(pages, "Boiler repair cost")[:1] == (2,)
    assert about(pages, "Bathroom fitting for landlords")[:1] == (4,)


def test_a_topic_of_these_words_alone_keeps_them(shop: list[SourcePage]) -> None:
    words = topic_words_on("Cargo bikes", page_stems(sections_of(shop), "en"), "en")
    assert "cargo" in words.distinctive


def test_without_a_home_page_words_weigh_as_they_are_rare(shop: list[SourcePage]) -> None:
    words = topic_words_on("A baby on a cargo bike", page_stems(sections_of(shop[1:]), "en"), "en")
    assert words.weights["cargo"] > words.weights["bike"]
