"""A post begins with the section that answers its topic, wherever its page has it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.artefacts import SourcePage
from tests.content.conftest import PageMaker, SiteMaker, write

OPENING = (
    "p",
    "From the order to the first honey it takes ten weeks, and you get a letter before each visit.",
)
BEFORE = (
    "p",
    "Decide where the box should stand, in the morning sun and with its back to the wind of winter. A slab "
    "under each corner keeps it level, and a strap around it and the slabs is enough against every storm. "
    "Leave a step of room behind it, because that is where you stand in summer, and clear the way up.",
)
VISIT = (
    "p",
    "On the second visit the frames are hung in, and a bowl with clean water is put down beside it. We show "
    "how to lift a frame without a jerk, how to tell a drone from a worker, and where the queen likes to be. "
    "Put on long sleeves, tie up your hair and take off your rings, even on a warm and quiet afternoon.",
)
PERMIT = (
    "p",
    "A beehive on a protected roof needs a permit of the town, which takes eight weeks and has no fee. "
    "All permits for a protected roof were granted last year.",
)
AFTER = ("p", "Somebody calls after a week to ask whether all is well, and comes again in the first summer.")
TOPIC = "permit for a beehive on a protected roof"


def written(page: SourcePage, make_site: SiteMaker) -> str:
    """Return the digest of a page whose description has a word of the topic."""
    described = replace(page, description="The visits, the place of the box and the permit for it.")
    return write(make_site(described), topic=TOPIC).post.markdown


@pytest.fixture
def parts() -> list[tuple[str, str]]:
    """A page on another subject, whose third section answers the topic."""
    return [
        *(("h1", "What happens on the roof"), OPENING),
        *(("h2", "Before the visit"), BEFORE),
        *(("h2", "The second visit"), VISIT),
        *(("h2", "Protected roofs"), PERMIT),
        *(("h2", "Afterwards"), AFTER),
    ]


def test_a_post_opens_with_the_section_that_alone_says_its_topic(
    parts: list[tuple[str, str]], make_page: PageMaker, make_site: SiteMaker
) -> None:
    text = written(make_page(1, "day", parts), make_site)
    assert text.startswith("A beehive on a protected roof needs a permit")
    assert "## Protected roofs" not in text
    assert "Somebody calls after a week" in text
    for aside in (OPENING, BEFORE, VISIT):
        assert aside[1] not in text


def test_a_table_that_answers_the_topic_follows_the_opening_of_its_page(
    parts: list[tuple[str, str]], make_page: PageMaker, make_site: SiteMaker
) -> None:
    table = [
        ("table_head", "Place of a beehive | Permit"),
        ("table", "Protected roof | 8 weeks"),
        ("table", "Other place | none"),
    ]
    answered = [*parts[:7], *table, *parts[7:]]
    text = written(make_page(1, "day", answered), make_site)
    assert text.startswith(OPENING[1])
    assert (
        text.index("## Protected roofs")
        < text.index("| Protected roof | 8 weeks |")
        < text.index("Afterwards")
    )
    assert BEFORE[1] not in text


def test_steps_before_the_answer_stay_behind_it(
    parts: list[tuple[str, str]], make_page: PageMaker, make_site: SiteMaker
) -> None:
    steps = ["Write to the town and ask for its form.", "Draw the box and the way to it on a sheet."]
    page = make_page(1, "day", [*parts[:3], *(("li", step) for step in steps), *parts[4:]])
    blocks = tuple(replace(each, lists="o") if each.kind == "li" else each for each in page.blocks)
    text = written(replace(page, blocks=blocks), make_site)
    assert text.index("needs a permit") < text.index("1. Write to the town") < text.index("Somebody calls")


@pytest.mark.parametrize(
    ("at", "part"),
    [
        (0, ("h1", "Permit for a protected roof")),
        (1, ("p", f"{PERMIT[1]} Here is what happens on the day.")),
        (6, ("h2", "3. Protected roofs")),
        (8, ("h2", "Afterwards: the permit for a protected roof ends")),
    ],
    ids=["named", "opened", "step", "said twice"],
)
def test_a_page_keeps_its_order(
    at: int,
    part: tuple[str, str],
    parts: list[tuple[str, str]],
    make_page: PageMaker,
    make_site: SiteMaker,
) -> None:
    page = make_page(1, "day", [*parts[:at], part, *parts[at + 1 :]])
    text = written(page, make_site)
    assert text.index(VISIT[1]) < text.index("which takes eight weeks", 200 if at == 1 else 0)
