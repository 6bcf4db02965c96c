"""What a digest quotes as a whole, and which topics it is written about."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.artefacts import SourcePage, SourceSnapshot
from app.pages.extraction.blocks import Block
from tests.content.conftest import PageMaker, SiteMaker, write

PLANS = "Hive plans and prices"


def block(number: int, kind: str, text: str, **members: object) -> Block:
    path = () if number == 0 else (PLANS,)
    return Block(f"b{number}", kind, text, path, **members)  # type: ignore[arg-type]


@pytest.fixture
def plans() -> SourcePage:
    """A page with two price cards, a procedure, a table and a quote."""
    blocks = (
        block(0, "heading", PLANS),
        block(1, "p", "A hive plan lends you a hive with its bees for a whole season of honey."),
        block(2, "heading", "Small", group="c1"),
        block(3, "price", "£12 per month", group="c1"),
        block(4, "li", "One hive", group="c1", lists="u"),
        block(5, "heading", "Large", group="c2"),
        block(6, "price", "£30 per month", group="c2"),
        block(7, "li", "Three hives", group="c2", lists="u"),
        block(8, "heading", "How to rent a hive"),
        block(9, "li", "Choose the plan that fits the number of your trees.", lists="o"),
        block(10, "li", "Say where the hive is to stand, and we look at the place.", lists="o"),
        block(11, "heading", "Weights"),
        block(12, "table_head", "Hive | Weight", cells=("Hive", "Weight"), group="t1"),
        block(13, "table", "Small hive, empty | 18 kg", cells=("Small hive, empty", "18 kg"), group="t1"),
        block(14, "table", "Large hive, full of honey | 60 kg", cells=("Large hive", "60 kg"), group="t1"),
        block(15, "p", "The scale is part of each plan and tells the weight of your hive every night."),
        block(16, "quote", "I have never eaten so much honey.", group="q1", speaker="Ann Bee, gardener"),
    )
    return SourcePage(1, "https://bees.example/plans", PLANS, None, False, blocks)


def test_price_cards_tables_steps_and_quotes_are_quoted_as_what_they_are(
    plans: SourcePage, make_site: SiteMaker
) -> None:
    text = write(make_site(plans), topic="hive plans").post.markdown
    assert "| Plan | Price | Included |\n| --- | --- | --- |\n| Small | £12 per month | One hive |" in text
    assert "| Large | £30 per month | Three hives |" in text
    assert "1. Choose the plan" in text
    assert "| Hive | Weight |" in text
    assert "> I have never eaten so much honey.\n>\n> — Ann Bee, gardener" in text


def test_a_table_whose_cells_are_dashes_or_ticks_is_quoted(plans: SourcePage, make_site: SiteMaker) -> None:
    lacks = Block("b17", "table", "Nucleus | –", (PLANS,), cells=("Nucleus", "–"), group="t1")
    blocks = [*plans.blocks[:15], lacks, *plans.blocks[15:]]
    text = write(make_site(replace(plans, blocks=tuple(blocks))), topic="hive plans").post.markdown
    assert "| Nucleus | – |" in text


def test_a_row_that_is_put_together_names_all_its_blocks(plans: SourcePage, make_site: SiteMaker) -> None:
    trace = write(make_site(plans), topic="hive plans").post.trace
    row = next(entry for entry in trace if entry.sentence.startswith("Small | "))
    assert row.source_ids == ("1:b2", "1:b3", "1:b4")


@pytest.fixture
def site(make_page: PageMaker, make_site: SiteMaker) -> SourceSnapshot:
    """Two pages, one of which mentions a topic in passing."""
    guide = [
        ("h1", "How to paint a beehive"),
        ("p", "A beehive is painted in spring, when the bees fly and the wood is dry on all its sides."),
        ("h2", "Colours"),
        ("p", "Light colours keep the comb cool in summer. Bees know their own entrance by its colour."),
    ]
    about = [
        ("h1", "Who we are"),
        ("p", "We teach people in the town to keep bees, and we have done so for more than thirty years."),
        ("h2", "Our limits"),
        ("p", "We lend tools and sell no insurance for a garden party, and nobody here gives legal advice."),
    ]
    return make_site(make_page(1, "paint", guide), make_page(2, "about", about))


def test_a_page_about_the_topic_is_quoted_as_a_whole(site: SourceSnapshot) -> None:
    written = write(site, topic="painting beehives")
    assert written.brief.about_pages == (1,)
    assert [section.heading for section in written.outline.sections] == ["How to paint a beehive", "Colours"]
    assert written.post.markdown.startswith("A beehive is painted in spring")


def test_a_topic_that_is_mentioned_in_passing_is_not_written_about(site: SourceSnapshot) -> None:
    written = write(site, topic="garden party insurance")
    assert written.brief.coverage != "absent"
    assert written.draft_kind == "outline"
