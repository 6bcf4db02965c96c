"""Of a page on more than the topic, a post leaves out what never speaks of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from tests.content.conftest import PageMaker, Part, SiteMaker, write

TOPIC = "melting old wax combs of bees"
OPENING = (
    "The work of a beekeeper does not end with the honey, and every month of the year brings some of it."
)
MELTING = (
    "Old combs are melted when bees no longer breed in them, and the wax runs out at 64 degrees. A "
    "steam melter takes eight combs at a time and needs about forty minutes for them, while one that "
    "the sun heats needs a day in June. Whoever has fewer than five hives of bees melts the combs of "
    "the whole year on one day."
)
STRAINING = (
    "Liquid wax is poured through a cloth of linen, which holds back what the larvae left behind in the "
    "cells. A second cloth, finer than the first, makes the wax so clean that it can be poured into "
    "moulds for candles. Strained wax cools slowly in a bucket with a lid, so that the dirt sinks to "
    "the ground and can be cut off."
)
MOULDS = (
    "Moulds of silicone give up a candle of wax without any force, and they last for many hundred of "
    "them. Warm the mould first, pour the wax at about 75 degrees, and leave it alone for two hours "
    "before you open it."
)
RECORDS = (
    "Write down for each hive how strong it is, whether the queen was seen, and what has to be done "
    "next time. A card under the lid of the hive is enough, and many keep a book at home as well."
)
REST = (
    "Wax that nobody needs keeps for years in a dry cellar, wrapped in paper, and no moth touches a "
    "clean block. A dealer takes old wax combs of bees in exchange for new sheets."
)
VISITS = (
    "A visitor is welcome on Saturdays, when somebody is at the hives anyway and has a second veil to lend."
)

Digest = Callable[[Sequence[Part]], str]


@pytest.fixture
def parts() -> list[Part]:
    """A page on the year of a beekeeper, with a part on the topic."""
    return [
        *(("h1", "The year of a beekeeper"), ("p", OPENING)),
        *(("h2", "Keeping records"), ("p", RECORDS)),
        *(("h2", "Melting old combs"), ("p", MELTING)),
        *(("h2", "Straining"), ("p", STRAINING)),
        *(("h2", "Candles"), ("p", MOULDS)),
        *(("h2", "What is left"), ("p", REST)),
        *(("h2", "Visitors"), ("p", VISITS)),
    ]


@pytest.fixture
def digest(make_page: PageMaker, make_site: SiteMaker) -> Digest:
    """Return the maker of a digest of a page, on a site about bees."""

    def made(parts: Sequence[Part]) -> str:
        others = [
            make_page(
                n, f"bees-{n}", [("h1", f"Bees of kind {n}"), ("p", f"These bees of kind {n} are calm.")]
            )
            for n in range(2, 6)
        ]
        page = replace(make_page(1, "year", parts), description="Melting old wax combs, keeping records.")
        return write(make_site(page, *others), topic=TOPIC).post.markdown

    return made


def test_a_section_without_a_telling_word_of_the_topic_stays_out(digest: Digest, parts: list[Part]) -> None:
    text = digest(parts)
    assert [said in text for said in (MELTING, STRAINING, MOULDS, REST)] == [True] * 4
    assert RECORDS not in text
    assert VISITS not in text


def test_a_page_that_is_named_after_the_topic_is_followed_as_it_is(digest: Digest, parts: list[Part]) -> None:
    text = digest([("h1", "Melting old combs"), *parts[1:10], ("h2", "Old wax combs"), *parts[11:]])
    assert RECORDS in text
    assert VISITS in text


def test_nothing_is_left_out_where_too_little_would_be_left(digest: Digest, parts: list[Part]) -> None:
    short = [(kind, said.split(". ")[0] + "." if kind == "p" else said) for kind, said in parts]
    assert VISITS in digest([*short[:6], *short[10:]])


def test_a_page_without_a_part_on_the_topic_is_followed_as_it_is(digest: Digest, parts: list[Part]) -> None:
    headings = {"Melting old combs": "In spring", "What is left": "In autumn"}
    text = digest([(kind, headings.get(said, said)) for kind, said in parts])
    assert VISITS in text


def test_steps_stay_together(digest: Digest, parts: list[Part]) -> None:
    names = ("Melting old combs", "Straining", "Candles", "What is left", "Visitors")
    numbers = {name: f"{number}. {name}" for number, name in enumerate(names, 1)}
    assert VISITS in digest([(kind, numbers.get(said, said)) for kind, said in parts])


def test_a_price_of_another_page_names_the_thing_that_it_is_asked_of(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    prices = [
        *(
            ("h1", "The cost of melting wax"),
            (
                "p",
                "Melting wax costs £4 a hive, and straining the wax through two cloths of linen is included.",
            ),
        ),
        *(
            ("h2", "From ten hives on"),
            ("p", "From ten hives on, melting the wax costs £3 a hive and takes a week."),
        ),
    ]
    market = [
        *(
            ("h1", "Wax at the market"),
            ("p", "The market for wax is held in May, and what wax costs is set there."),
        ),
        *(
            ("h2", "What wax costs"),
            ("p", "The costs of wax are £9 to £14, and dear wax costs less in the end."),
        ),
    ]
    others = [
        make_page(
            n, f"wax-{n}", [("h1", f"Wax {n}"), ("p", f"Melting wax in month {n} is easy, as it is warm.")]
        )
        for n in range(3, 7)
    ]
    site = make_site(make_page(1, "prices", prices), make_page(2, "market", market), *others)
    text = write(site, topic="melting wax cost").post.markdown
    assert "£4 a hive" in text
    assert "£9" not in text
