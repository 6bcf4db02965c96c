"""What a post quotes pages on: a topic, or a part of a title that says it twice."""

from __future__ import annotations

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.planning.brief import build_brief
from app.content.planning.subject import subject_of, subjects_of
from app.content.request import GenerationRequest
from app.content.retrieval.coverage import coverage_of
from app.content.retrieval.passages import Library, library_of
from app.content.retrieval.topic_words import parts_of
from tests.content.conftest import PageMaker

TITLE = "Painting a beehive: colours against rot"


@pytest.fixture
def library(bees: SourceSnapshot) -> Library:
    return library_of(bees.pages, "en", "Bee School")


@pytest.mark.parametrize(
    ("topic", "parts"),
    [
        ("Print your key: paper backups", ("Print your key", "paper backups")),
        ("Found a swarm? What to do first", ("Found a swarm?", "What to do first")),
        ("Open or closed – which hive?", ("Open or closed", "which hive?")),
        ("Poly hives vs wooden ones", ("Poly hives", "wooden ones")),
        ("Moving from hive 1.1 to 1.2, step by step", ("Moving from hive 1.1 to 1.2", "step by step")),
        ("蜂を飼う：最初の一年", ("蜂を飼う", "最初の一年")),
        ("how to open a beehive", ()),
        ("St. Gallen bike tours", ()),
        ("We're full in August. Are we really?", ("We're full in August", "Are we really?")),
        ("A well-known hive at 10:30", ()),
    ],
)
def test_a_title_has_the_parts_that_its_marks_separate(topic: str, parts: tuple[str, ...]) -> None:
    assert parts_of(topic) == parts


def subjects(topic: str, library: Library) -> list[tuple[str, bool]]:
    coverage = coverage_of(topic, library.page_stems, "en", library.own_stems)
    whole = subject_of(topic, coverage, (), library)
    found = subjects_of(whole, coverage, (), library)
    return [(each.text, bool(each.about_pages)) for each in found]


def test_the_parts_of_a_title_follow_the_whole_topic(library: Library) -> None:
    topic = "Langstroth beehive frames: anxious neighbours"
    parts = ["Langstroth beehive frames", "anxious neighbours"]
    assert [text for text, _ in subjects(topic, library)] == [topic, *parts]


def test_of_a_topic_with_pages_only_a_part_on_the_same_page_follows(library: Library) -> None:
    topic = "Opening a beehive on a warm day: anxious owners"
    assert subjects(topic, library) == [(topic, True), ("Opening a beehive on a warm day", True)]


def test_a_part_that_a_heading_says_comes_first(library: Library) -> None:
    assert subjects(TITLE, library) == [
        ("Painting a beehive", True),
        (TITLE, False),
        ("colours against rot", False),
    ]


def test_a_part_of_one_word_is_no_subject(library: Library) -> None:
    topic = "Painting a beehive: colours"
    assert [text for text, _ in subjects(topic, library)] == ["Painting a beehive", topic]


def test_a_part_without_the_figures_of_the_topic_is_no_subject(library: Library) -> None:
    topic = "Painting a beehive 2 times: colours against rot"
    assert [text for text, _ in subjects(topic, library)] == [topic, "Painting a beehive 2 times"]


def test_a_part_that_speaks_of_another_part_is_no_subject(library: Library) -> None:
    topic = "Langstroth beehive frames: what they tell anxious neighbours"
    assert [text for text, _ in subjects(topic, library)] == [topic, "Langstroth beehive frames"]
    topic = "Langstroth beehive frames: the box that neighbours like"
    assert [text for text, _ in subjects(topic, library)] == [
        topic,
        "Langstroth beehive frames",
        "the box that neighbours like",
    ]


def test_a_topic_that_the_pages_do_not_cover_has_no_parts(library: Library) -> None:
    topic = "Weather tables: railway timetables, vineyards and submarines in Portugal"
    assert [text for text, _ in subjects(topic, library)] == [topic]


@pytest.mark.parametrize(
    "topic", ["Without opening a beehive, how do you count mites?", "Painting a hive, not opening a beehive"]
)
def test_a_topic_that_denies_something_has_no_parts(topic: str, library: Library) -> None:
    assert [text for text, _ in subjects(topic, library)] == [topic]


def test_a_digest_quotes_on_the_part_and_keeps_the_title(bees: SourceSnapshot, library: Library) -> None:
    brief = build_brief(GenerationRequest(topic=TITLE), bees, library)
    assert (brief.draft_kind, brief.topic, brief.subject) == ("extractive", TITLE, "Painting a beehive")
    assert brief.about_pages[0] == 1


def test_a_topic_that_pages_are_about_as_a_whole_is_its_own_subject(
    bees: SourceSnapshot, library: Library
) -> None:
    brief = build_brief(GenerationRequest(topic="Opening a beehive"), bees, library)
    assert (brief.draft_kind, brief.subject) == ("extractive", "Opening a beehive")


def test_a_part_is_no_subject_on_a_page_that_says_little_of_the_topic(
    bees: SourceSnapshot, make_page: PageMaker
) -> None:
    parts = [
        ("h1", "Garden rules"),
        ("p", "The rules of the garden: close the gate, and leave the hives alone."),
    ]
    garden = library_of([*bees.pages, make_page(9, "garden-rules", parts)], "en", "Bee School")
    assert subjects("Garden rules: close the gate", garden)[1:] == [
        ("Garden rules", True),
        ("close the gate", True),
    ]
    topic = "Garden rules: vineyard tractor fences"
    assert subjects(topic, garden) == [(topic, False), ("vineyard tractor fences", False)]
