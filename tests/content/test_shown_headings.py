"""Headings as a digest shows them: steps keep their numbers, questions their group."""

from __future__ import annotations

import pytest

from app.content.artefacts import SourceSnapshot
from tests.content.conftest import PageMaker, Part, SiteMaker, assert_traced, write

FEED = "A winter feed for a hive is sugar that the bees have stored in their combs before the first frost."
NAMED = ("Step 1: ", "Step 2: ", "Step 3: ")
STEPS = ("Weigh the hive", "Boil the syrup", "Fill the bowl")


def steps(*, plain: bool, numbers: tuple[str, ...] = ("1. ", "2. ", "3. ")) -> list[Part]:
    """Return a page about feeding with numbered steps, and perhaps with a heading that has no number."""
    parts: list[Part] = [("h1", "Winter feed for a hive"), ("p", FEED)]
    for number, step in zip(numbers, STEPS, strict=True):
        parts += [
            ("h2", f"{number}{step}"),
            ("p", f"{step} in the evening, when all the bees have come home to it."),
        ]
    last: list[Part] = [
        ("h2", "What it costs"),
        ("p", "Winter feed for a hive costs twelve euros in the shop of the village."),
    ]
    return [*parts, *(last if plain else ())]


@pytest.mark.parametrize(
    ("parts", "shown"),
    [
        (steps(plain=True), "## 1\\. Weigh the hive"),
        (steps(plain=True, numbers=NAMED), "## Step 1: Weigh the hive"),
        (steps(plain=True, numbers=("2. ", "3. ", "4. ")), "## Weigh the hive"),
        (steps(plain=False), "## Weigh the hive"),
    ],
    ids=["steps", "steps with a word", "no beginning", "chapters"],
)
def test_the_steps_of_a_procedure_keep_their_numbers(
    make_page: PageMaker, make_site: SiteMaker, parts: list[Part], shown: str
) -> None:
    site = make_site(make_page(1, "feed", parts))
    written = write(site, topic="winter feed for a hive")
    assert f"\n{shown}\n" in written.post.markdown
    assert_traced(written, site)


def test_steps_lose_their_numbers_where_one_is_left_out(make_page: PageMaker, make_site: SiteMaker) -> None:
    parts = steps(plain=True)
    parts[5] = ("p", "I boil it.")
    text = write(make_site(make_page(1, "feed", parts)), topic="winter feed for a hive").post.markdown
    assert "## Weigh the hive" in text
    assert "## Fill the bowl" in text
    assert "Boil the syrup" not in text


def test_a_heading_that_needs_its_number_keeps_it(make_page: PageMaker, make_site: SiteMaker) -> None:
    parts = [(kind, text.replace(": W", ": w")) for kind, text in steps(plain=False, numbers=NAMED)]
    text = write(make_site(make_page(1, "feed", parts)), topic="winter feed for a hive").post.markdown
    assert "## Step 1: weigh the hive" in text


@pytest.fixture
def groups(make_page: PageMaker, make_site: SiteMaker) -> SourceSnapshot:
    """A page about delivery with two groups of questions, and one about hives."""
    asked: list[Part] = [
        ("h1", "Delivery of hives"),
        ("p", "The delivery of hives takes a week, and every hive comes with straps and a bag of feed."),
        ("h2", "Where hives come from"),
        ("p", "Each hive of a delivery is built in the village by people who have kept bees for long."),
        ("h2", "Private gardens"),
        ("h3", "What does the delivery of a hive cost?"),
        ("p", "The delivery of a hive costs twelve euros, and nothing at all from the third hive on."),
        ("h2", "Schools and farms"),
        ("h3", "When does the delivery of hives come?"),
        ("p", "The delivery of hives comes on any working day that you choose, before the bees fly."),
    ]
    return make_site(make_page(1, "delivery", asked))


def test_a_question_begins_with_the_group_that_it_is_asked_in(groups: SourceSnapshot) -> None:
    written = write(groups, topic="delivery of hives")
    asked = [entry.question for entry in written.post.faq]
    assert asked == [
        "Private gardens: What does the delivery of a hive cost?",
        "Schools and farms: When does the delivery of hives come?",
    ]
    heading = next(entry for entry in written.post.trace if entry.sentence == asked[0])
    assert heading.source_ids == ("1:b5", "1:b4")


def test_the_only_group_of_a_page_is_not_named(
    groups: SourceSnapshot, make_page: PageMaker, make_site: SiteMaker
) -> None:
    parts = [
        (f"h{len(b.heading_path) + 1}" if b.kind == "heading" else "p", b.text)
        for b in groups.pages[0].blocks
    ]
    one = [part for part in parts if part[1] != "Schools and farms"]
    asked = [
        each.question
        for each in write(make_site(make_page(1, "delivery", one)), topic="delivery of hives").post.faq
    ]
    assert "What does the delivery of a hive cost?" in asked
