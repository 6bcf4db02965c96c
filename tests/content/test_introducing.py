"""A digest says at its end what its company or product is, in the words of the home page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.request import CallToAction
from tests.content.conftest import PageMaker, Part, SiteMaker, assert_traced, write

SAYS = "Bee School is a garden in which people of the town learn to keep bees."
HOME: tuple[Part, ...] = (
    ("h1", "Honey from your own roof"),
    ("p", f"Every roof has room for a hive. {SAYS} It opened in 1994."),
)
FEED = "A winter feed for a hive is sugar that the bees have stored in their combs before the first frost."
COMBS = "A comb from another hive is the oldest winter feed, and it needs no work in the cold."
OURS = "Bee School lends its winter feed to everybody whose hive has become too light in the cold of January."


FeedSite = Callable[..., SourceSnapshot]


@pytest.fixture
def feed_site(make_page: PageMaker, make_site: SiteMaker) -> FeedSite:
    """Return the maker of a site with a home page and a page on feed, which opens with these parts."""

    def made(*opening: Part, home: Sequence[Part] = HOME, last: str = OURS) -> SourceSnapshot:
        combs = [("h2", "In the comb"), ("p", COMBS), ("h2", "Feed to lend"), ("p", last)]
        page = make_page(2, "winter-feed", [("h1", "Winter feed for a hive"), *opening, *combs])
        return make_site(make_page(1, "", home), page)

    return made


def test_the_home_page_says_who_speaks_at_the_end(feed_site: FeedSite) -> None:
    site = feed_site(("p", FEED))
    written = write(site, topic="winter feed for a hive")
    assert written.post.markdown.startswith(f"{FEED}\n\n## In the comb")
    assert written.post.markdown.endswith(f"/winter-feed)\n\n{SAYS}\n")
    assert written.post.description != SAYS
    assert_traced(written, site)


def test_questions_and_the_call_to_action_stand_around_it(feed_site: FeedSite, make_page: PageMaker) -> None:
    asked = "How much winter feed does a hive need?"
    answer = "A hive needs about twelve kilograms of winter feed, and one in the hills needs fifteen."
    more = "When is winter feed given to a hive?"
    then = "Winter feed is given to a hive in September, while the nights are warm enough for it."
    site = feed_site(("p", FEED))
    page = make_page(3, "faq", [("h1", "Questions"), ("h2", asked), ("p", answer), ("h2", more), ("p", then)])
    action = CallToAction("Call us", "https://bees.example/team")
    written = write(
        replace(site, pages=(*site.pages, page)), topic="winter feed for a hive", call_to_action=action
    )
    text = written.post.markdown
    assert text.endswith(f"{SAYS}\n\n[Call us](https://bees.example/team)\n")
    assert text.index(more) < text.index(SAYS)
    assert all(SAYS not in entry.answer for entry in written.post.faq)


@pytest.mark.parametrize(
    ("opening", "home", "last"),
    [
        (FEED, HOME, "Winter feed is lent to everybody whose hive has become too light in January."),
        (f"{SAYS} {FEED}", HOME, OURS),
        (
            FEED,
            (("h1", "Roofs"), ("p", "Bee School’s roof is green, and it carries more than forty hives.")),
            OURS,
        ),
        (
            FEED,
            (("h1", "Roofs"), ("p", "Bee School, the garden on the roof that everybody in the town knows.")),
            OURS,
        ),
        (
            FEED,
            (("h1", "Roofs"), ("p", "A roof in the town has no shade. Bee School was founded for that.")),
            OURS,
        ),
        (
            FEED,
            (("h1", "Roofs"), ("p", "Sun, wind, water. Bee School puts those three things on every roof.")),
            OURS,
        ),
    ],
    ids=[
        "a post that speaks of nobody",
        "said already",
        "a possessive",
        "no verb",
        "it refers back",
        "it names things that stand elsewhere",
    ],
)
def test_nothing_is_added_where_it_is_not_needed_or_not_said(
    feed_site: FeedSite, opening: str, home: Sequence[Part], last: str
) -> None:
    written = write(feed_site(("p", opening), home=home, last=last), topic="winter feed for a hive")
    assert written.draft_kind == "extractive"
    assert written.post.markdown.startswith(f"{opening}\n\n## In the comb")
    assert written.post.markdown.endswith("/winter-feed)\n")


def test_a_page_about_the_project_is_no_home_page(make_page: PageMaker, feed_site: FeedSite) -> None:
    site = feed_site(
        ("p", FEED), home=(("h1", "Roofs"), ("p", "Every roof of the town has room for a hive."))
    )
    about = make_page(
        3, "about", [("h1", "About Bee School"), ("p", "Bee School began on the roof of a bakery in 1994.")]
    )
    written = write(replace(site, pages=(*site.pages, about)), topic="winter feed for a hive")
    assert "began on the roof" not in written.post.markdown


def test_the_link_to_the_page_of_the_opening_stands_behind_its_last_section(feed_site: FeedSite) -> None:
    text = write(feed_site(("p", FEED)), topic="winter feed for a hive").post.markdown
    assert text.count("Read more: [Winter feed for a hive") == 1
    assert text.index("Read more") > text.index("Feed to lend")
