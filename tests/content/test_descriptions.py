"""The description of a digest: that of the page which gives most of it, where it is a good one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.artefacts import SourceSnapshot
from tests.content.conftest import PageMaker, SiteMaker, write

GOOD = "How to choose a beehive, paint it in colours that last, and find the place where it stands best."
TOPIC = "choosing a beehive"


def described(site: SourceSnapshot, description: str) -> SourceSnapshot:
    """Return the site with this description of its page on hives."""
    hives, *others = site.pages
    return replace(site, pages=(replace(hives, description=description), *others))


def test_a_digest_takes_the_description_of_the_page_that_gives_most_of_it(bees: SourceSnapshot) -> None:
    post = write(described(bees, GOOD), topic=TOPIC).post
    assert post.description == GOOD
    assert post.trace[-1].page_id == 1
    assert post.trace[-1].origin == "source"


def test_a_long_description_gives_its_first_sentences(bees: SourceSnapshot) -> None:
    longer = (
        f"{GOOD} With a list of all the tools that a beginner needs, and where in the village to borrow them."
    )
    assert write(described(bees, longer), topic=TOPIC).post.description == GOOD


@pytest.mark.parametrize(
    "poor",
    [
        "Beehives.",
        "How to choose a beehive, paint it in colours that last, and find the place where it…",
        "Unser kleiner Ratgeber zeigt, wie man einen Bienenkasten auswählt, streicht und richtig aufstellt.",
        "Read our privacy notice, subscribe to the letter, and follow the village school on its own channel.",
        "<script>alert(1)</script> How to choose a beehive, paint it, and find where it stands best.",
    ],
    ids=["short", "cut", "foreign", "about something else", "active"],
)
def test_a_poor_description_of_a_page_is_not_taken(bees: SourceSnapshot, poor: str) -> None:
    assert write(described(bees, poor), topic=TOPIC).post.description != poor


def test_a_description_that_several_pages_have_is_not_taken(bees: SourceSnapshot) -> None:
    same = replace(bees, pages=tuple(replace(page, description=GOOD) for page in bees.pages))
    assert write(same, topic=TOPIC).post.description != GOOD


def test_figures_of_a_description_are_supported_by_its_page(bees: SourceSnapshot) -> None:
    figures = GOOD.replace("colours that last", "one of 17 colours that last")
    checks = write(described(bees, figures), topic=TOPIC).quality.checks
    assert next(check for check in checks if check.code == "UNSUPPORTED_CLAIM").passed


def test_what_answers_a_question_describes_its_answer(bees: SourceSnapshot) -> None:
    hives, care, faq = bees.pages
    own = "Answers about the beehive: what it costs, whether it can stand in a town, and how long it lasts."
    site = replace(bees, pages=(hives, care, replace(faq, description=own)))
    post = write(site, topic="How much does a beehive cost?").post
    assert post.description.startswith("A new wooden beehive with frames costs between 150 and 250 euros")


def test_sentences_between_which_something_was_left_out_describe_nothing_together(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    first, last = "The beehive stands on four strong feet.", "A beehive of wood stays warm all winter long."
    paint = "Paint a beehive in spring. Let the paint dry in the sun. Do it again after a year or two."
    hives = make_page(1, "hives", [("h1", "A beehive"), ("p", f"{first} See the list below. {last}")])
    other = make_page(2, "paint", [("h1", "Paint a beehive"), ("p", paint)])
    post = write(make_site(hives, other), topic="beehive").post
    assert f"{first} {last}" in post.markdown
    assert post.description != f"{first} {last}"


def test_a_sentence_that_names_the_topic_describes_a_digest_better_than_a_page_on_more(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    pause = "A membership of the bee school can be paused in winter, for up to three whole months at a time."
    fees = "What a membership of the bee school costs in a year, and what is in it for whoever joins it."
    more = "You pay for it by card. It begins in May, and each month is 12 euros. We write to you before."
    parts = [("h1", "Fees"), ("p", more), ("h2", "Winter pause"), ("p", f"{pause} {more}")]
    ended = "The pause of a membership ends in spring by itself. Whoever comes back in winter ends it sooner."
    page = make_page(1, "fees", [*parts, ("h2", "End of the pause"), ("p", ended)])
    other = make_page(2, "paint", [("h1", "Paint"), ("p", "Paint a beehive in spring and let it dry.")])
    site = make_site(replace(page, description=fees), other)
    assert write(site, topic="pause a membership in winter").post.description == pause
