"""What a draft about a topic would be, and what is about the same."""

from __future__ import annotations

import pytest

from app.content.artefacts import ExistingPost, SourceSnapshot
from app.content.planning.expected import Expected, expected_from
from app.content.request import GenerationRequest
from app.content.retrieval.coverage_words import coverage_sentence, missing_words
from app.content.retrieval.duplicates import NamedPage, pages_on, similar_to
from app.content.retrieval.page_choice import PageWords, named_page
from app.pages.vocabulary import vocabulary_of
from tests.content.conftest import write

PAGES = (
    NamedPage(1, ("Snap the receipt, forget the shoebox", "Receipt scanning for builders")),
    NamedPage(2, ("How to set up a budget for a job",)),
)
POSTS = (ExistingPost(7, "Deposits without the awkward talk", "customer deposits"),)


def page(number: int, title: str, *parts: tuple[str, str]) -> PageWords:
    blocks = [{"kind": kind, "text": text, "heading_path": []} for kind, text in parts]
    found = vocabulary_of(title, None, blocks)
    return PageWords(number, 100, False, title, found.words, found.headings)


@pytest.mark.parametrize(
    ("topic", "found"),
    [
        ("receipt scanning for builders", [1]),
        ("Scan a builder's receipts", [1]),
        ("A budget for your job", [2]),
        ("Receipt scanning", []),
        ("Receipt scanning for builders in winter", []),
    ],
)
def test_a_page_is_on_a_topic_when_a_name_of_it_says_nearly_the_same(topic: str, found: list[int]) -> None:
    assert [page.id for page in pages_on(topic, PAGES, "en")] == found


def test_posts_are_similar_by_their_title_and_their_keyword() -> None:
    for topic, keywords in (
        ("Deposits without awkward talks", []),
        ("customer deposits", []),
        ("How to ask for money", ["customer deposits"]),
    ):
        assert similar_to(topic, keywords, POSTS, PAGES, "en").posts == POSTS
    assert similar_to("How to ask for money", [], POSTS, PAGES, "en").posts == ()


def test_a_page_that_is_named_after_the_main_keyword_is_similar_once() -> None:
    found = similar_to("Job budgets", ["budget for a job"], POSTS, PAGES, "en")
    assert [page.id for page in found.pages] == [2]


def test_a_page_is_known_by_its_heading_and_its_title_without_the_sites_name() -> None:
    made = page(3, "Receipt scanning | Ledgerlane", ("heading", "Snap the receipt"))
    assert named_page(made) == NamedPage(3, ("Snap the receipt", "Receipt scanning"))


def expected(bees: SourceSnapshot, engine: str, **wanted: object) -> Expected:
    digest = write(bees, **wanted)
    return expected_from(GenerationRequest(**wanted), digest, engine)  # type: ignore[arg-type]


def test_a_short_digest_says_how_much_the_pages_carry_before_it_is_written(bees: SourceSnapshot) -> None:
    found = expected(bees, "extractive", topic="Choosing a beehive", target_words=3000)
    assert (found.draft_kind, found.coverage, found.is_short) == ("extractive", "covered", True)
    assert found.message.startswith(
        f"The pages carry about {found.word_count} words on this; you asked for 3,000."
    )
    assert "reword it before you publish it" in found.message
    written = write(bees, topic="Choosing a beehive", target_words=3000)
    assert abs(written.post.word_count - (found.word_count or 0)) <= 10


def test_a_long_enough_digest_names_its_length_alone(bees: SourceSnapshot) -> None:
    found = expected(bees, "extractive", topic="Choosing a beehive", target_words=200)
    assert not found.is_short
    assert found.message.startswith(f"A draft would quote about {found.word_count} words from ")


@pytest.mark.parametrize(("engine", "kind"), [("extractive", "outline"), ("llm", "full")])
def test_pages_without_enough_to_quote_never_cover_a_topic(
    bees: SourceSnapshot, engine: str, kind: str
) -> None:
    topic = "Smoke signals of beekeepers"
    assert write(bees, topic=topic).draft_kind == "outline"
    found = expected(bees, engine, topic=topic)
    assert found.coverage != "covered"
    assert (found.draft_kind, found.word_count) == (kind if found.coverage == "perhaps" else "outline", None)
    assert "outline" in found.message


def test_a_model_is_asked_about_an_absent_topic_only_with_facts(bees: SourceSnapshot) -> None:
    assert expected(bees, "llm", topic="Kayak rental").draft_kind == "outline"
    facts = expected(bees, "llm", topic="Kayak rental", key_points=("We rent kayaks.",))
    assert (facts.draft_kind, facts.word_count) == ("full", None)


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (("covered", 1, ()), "1 page covers this."),
        (("covered", 6, ()), "6 pages cover this."),
        (("covered", 12, ()), "12 or more pages cover this."),
        (("perhaps", 1, ()), "1 page mentions this in passing."),
        (("perhaps", 2, ("kayak",)), "2 pages cover some of this, but not “kayak”."),
        (
            ("perhaps", 2, ("kayak", "sea")),
            "2 pages cover some of this, but not “kayak” or “sea”.",
        ),
        (("absent", 0, ("kayak",)), "No page says anything about “Kayaks”."),
    ],
)
def test_coverage_is_said_in_words(found: tuple[str, int, tuple[str, ...]], said: str) -> None:
    outcome, pages, missing = found
    assert coverage_sentence("Kayaks", outcome, pages, missing) == said  # type: ignore[arg-type]


def test_missing_words_are_named_as_they_are_written() -> None:
    assert missing_words("Kayaks and Canoes", ["kayak"], "en") == ("Kayaks",)
    topic = "梅雨前の畳の高温乾燥とカビ対策"
    assert missing_words(topic, ["雨前", "対策"], "ja") == ("対策",), "half of 梅雨前 is said"
