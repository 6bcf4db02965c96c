"""What a digest quotes beside its main page, and the heading of the section that it begins with."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.artefacts import SourceSnapshot
from app.language.stems import light_stems
from tests.content.conftest import Part, page, site, write

PAYMENTS: tuple[Part, ...] = (
    ("h1", "Payments and refunds of lessons"),
    ("p", "Each learner has a ledger of lessons, which shows payments, lessons and what is left of both."),
    ("h2", "Ways to pay"),
    (
        "p",
        "A card, a transfer with a reference of six letters, or cash, which the instructor notes.",
    ),
    ("h2", "Refunds"),
    (
        "p",
        "A refund goes back to the card for 180 days. The screen works out the unused lessons of a learner.",
    ),
)
BLOCKS: tuple[Part, ...] = (
    ("h1", "Pricing blocks of lessons"),
    ("p", "A block of lessons is cheaper for a learner who pays at once, and brings the money in early."),
    ("h2", "Two sums for a refund"),
    ("p", "Somebody bought ten hours at £361, has had four of them and moves to another town in the spring."),
    ("p", "At the price of the block, six hours are left at £36.10, so £216.60 goes back to the card."),
    ("h2", "Keeping the money apart"),
    ("p", "Money for hours that nobody has taught is not yours yet, so it is kept in an account of its own."),
)
SWEEPING: tuple[Part, ...] = (
    ("h1", "Chimney sweeping"),
    (
        "p",
        "Our sweeps come from Monday to Friday, and you get a certificate for the insurance on the doorstep.",
    ),
    ("h2", "Getting the room ready"),
    ("p", "Have no fire for a day and move what stands within two steps of the stove. We bring the sheets."),
    ("h2", "Birds"),
    (
        "p",
        "Jackdaws mostly. A nest in a chimney is protected by law, so they stay until the young are out.",
    ),
)
HOME: tuple[Part, ...] = (("h1", "Stoves"), ("p", "A shop by the water with lessons for any learner."))


@pytest.fixture
def school() -> SourceSnapshot:
    return site(page(1, "payments", PAYMENTS), page(2, "blocks", BLOCKS), page(3, "stoves", HOME))


def test_a_section_of_another_page_whose_heading_says_the_rarest_word_is_quoted(
    school: SourceSnapshot,
) -> None:
    text = write(school, topic="refund of lessons").post.markdown
    assert text.index("A refund goes back to the card") < text.index("## Two sums for a refund")
    assert "£216.60" in text
    assert "Keeping the money apart" not in text


def test_the_section_that_a_post_begins_with_keeps_a_heading_that_the_title_does_not_say() -> None:
    sweeping = replace(page(1, "sweeping", SWEEPING), description="Jackdaws, birds and nests in a chimney.")
    stoves = site(sweeping, page(2, "stoves", HOME), page(3, "payments", PAYMENTS))
    assert write(stoves, topic="jackdaws nesting in a chimney").post.markdown.startswith(
        "## Birds\n\nJackdaws mostly."
    )
    assert write(stoves, topic="birds nesting in a chimney").post.markdown.startswith("Jackdaws mostly.")


def test_words_of_time_and_numbers_say_little_of_a_topic() -> None:
    assert light_stems("refund halfway through ten lessons", "en") == {"halfway", "through", "ten"}


def test_a_section_with_half_of_a_name_is_not_quoted_beside_the_page_of_the_name() -> None:
    fitting: tuple[Part, ...] = (
        ("h1", "Bike fitting sessions"),
        ("p", "A Measure-Up takes 45 minutes, and a Full Fit two hours and a half on your own bike."),
        ("h2", "Three sessions"),
        ("p", "After a Measure-Up you know your frame, and after a Full Fit your cleats are set up as well."),
        ("h2", "What to bring"),
        ("p", "Bring the shorts and the shoes that you ride in, since thick soles change the height."),
    )
    chains: tuple[Part, ...] = (
        ("h1", "When to change a chain"),
        ("p", "A worn chain wears the sprockets, so look at it every thousand miles."),
        ("h2", "Measuring it"),
        ("p", "Measure the chain with a gauge: measure twelve links, and measure again at another place."),
    )
    pages = site(page(1, "fitting", fitting), page(2, "chains", chains), page(3, "stoves", HOME))
    text = write(pages, topic="Measure-Up or Full Fit?").post.markdown
    assert "After a Measure-Up you know your frame" in text
    assert "gauge" not in text
