"""A small site whose pages hold angles for title ideas, and what is found on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from app.content.artefacts import ExistingPost, SourcePage, SourceSnapshot
from app.content.planning.ideas.finding import TitleIdea, suggest_titles
from app.content.planning.ideas.source import IdeaKeyword, idea_source
from app.content.retrieval.duplicates import NamedPage
from app.content.retrieval.passages import library_of
from app.pages.extraction.blocks import Block
from tests.content.conftest import TEAM, Part, page

HELP: tuple[Part, ...] = (
    ("h1", "Help for beekeepers"),
    ("h2", "How do I stop a swarm in spring?"),
    ("p", "Cut the queen cells every week of the spring, and no swarm leaves the hive."),
    ("h2", "Do you stop a swarm in spring?"),
    ("p", "Call us, and we come to your garden on the same day to catch the swarm."),
    ("h2", "Which one?"),
    ("p", "The one that your neighbours use is the one that you should use yourself."),
    ("h2", "Is a veil needed?"),
    ("p", "A veil is needed whenever you open the box, because bees fly towards the eyes."),
)
SWARMS: tuple[Part, ...] = (
    ("h1", "Spring in the apiary"),
    ("p", "A swarm is how a colony divides. In spring you stop it when the colony has more room in time."),
)
SIZES: tuple[Part, ...] = (
    ("h1", "Clothes that fit"),
    ("p", "It helps to measure twice, because a suit that is too tight lets the stings through."),
    ("h2", "Measure your hat size"),
)
WORKS: tuple[Part, ...] = (("h1", "About our garden"), ("h2", "How a honey extractor spins"))


def steps(*texts: str) -> list[Block]:
    """A numbered list."""
    items = texts or ("Take a tape that bends easily.", "Measure around your head.", "Write the figure down.")
    return [Block(f"s{n}", "li", text, lists="o") for n, text in enumerate(items)]


def table(*rows: Sequence[str]) -> list[Block]:
    """A table with a header."""
    kinds = ["table_head", *["table"] * (len(rows) - 1)]
    return [
        Block(f"t{n}", kind, " | ".join(row), group="t1", cells=tuple(row))
        for n, (kind, row) in enumerate(zip(kinds, rows, strict=True))
    ]


def with_blocks(made: SourcePage, blocks: Sequence[Block]) -> SourcePage:
    """The page with more blocks, under its last heading."""
    last = next(block for block in reversed(made.blocks) if block.kind == "heading")
    path = (*last.heading_path, last.text)
    return replace(made, blocks=(*made.blocks, *(replace(block, heading_path=path) for block in blocks)))


PLANS = with_blocks(
    page(
        6,
        "plans",
        (("h1", "What it takes"), ("h2", "Solo"), ("p", "For one person with up to five hives in a garden."),
         ("h2", "Crew"), ("p", "For a club whose members look after the hives together."),
         ("h2", "All in one view")),
    ),
    table(("", "Solo", "Crew"), ("Hives", "5", "50"), ("People", "1", "10")),
)  # fmt: skip
COURSES = with_blocks(
    page(7, "courses", (("h1", "Courses in the garden"),)),
    table(("Course", "Length", "Price"), ("Beginners", "3 days", "£90"), ("Queens", "1 day", "£45")),
)
APIARY = (
    page(1, "help", HELP),
    page(2, "spring", SWARMS),
    with_blocks(page(3, "clothes", SIZES), steps()),
    with_blocks(
        page(4, "garden", WORKS),
        steps("Fill in the frames of honey.", "Close it well.", "Turn it for a minute."),
    ),
    page(5, "team", TEAM),
    PLANS,
    COURSES,
)


def ideas(
    snapshot: SourceSnapshot,
    *keywords: str,
    count: int = 50,
    posts: tuple[ExistingPost, ...] = (),
    named: tuple[NamedPage, ...] = (),
    **more: Any,
) -> tuple[TitleIdea, ...]:
    known = [IdeaKeyword(number, text) for number, text in enumerate(keywords, 1)]
    snapshot = replace(snapshot, existing_posts=posts)
    source = idea_source(snapshot, library_of(snapshot.pages, snapshot.language), named)
    return suggest_titles(source, known, count, **more)


def one(found: tuple[TitleIdea, ...], topic: str) -> TitleIdea:
    return next(idea for idea in found if idea.topic == topic)


def titles(found: tuple[TitleIdea, ...], origin: str) -> list[str]:
    return [idea.title for idea in found if idea.origin == origin]


def page_ids(idea: TitleIdea) -> list[int]:
    return [page.id for page in idea.pages]
