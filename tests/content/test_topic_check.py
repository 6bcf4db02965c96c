"""Whether the pages carry a topic, by their stored words, and what is about the same."""

from __future__ import annotations

import time

import pytest

from app.content.artefacts import ExistingPost
from app.content.planning.topic_check import stored_coverage
from app.content.retrieval.coverage import coverage_sentence, missing_words
from app.content.retrieval.duplicates import NamedPage, pages_on, similar_to
from app.content.retrieval.page_choice import PageWords, named_page
from app.pages.vocabulary import vocabulary_of

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


@pytest.mark.parametrize(
    ("topic", "outcome", "best"),
    [
        ("chasing unpaid invoices", "covered", (1,)),
        ("e-mail reminders", "covered", (1,)),
        ("crypto payments", "absent", ()),
        ("%", "absent", ()),
    ],
)
def test_stored_words_show_how_the_pages_cover_a_topic(
    topic: str, outcome: str, best: tuple[int, ...]
) -> None:
    pages = [
        page(1, "Reminders", ("heading", "Chase unpaid invoices"), ("p", "An email reminder goes out.")),
        page(2, "Mileage", ("p", "Each trip is written down.")),
        page(3, "Budgets", ("p", "A limit for each line.")),
    ]
    found = stored_coverage(topic, pages, "en")
    assert (found.level, found.page_ids) == (outcome, best)


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


@pytest.mark.timed
def test_five_hundred_pages_are_searched_in_a_tenth_of_a_second() -> None:
    pages = [
        page(n, f"Page {n}", *(("p", " ".join(f"word{(n * 7 + m) % 9000}" for m in range(600))),))
        for n in range(500)
    ]
    stored_coverage("word1 word2", pages, "en")
    started = time.process_time()
    stored_coverage("word30 word700 backup", pages, "en")
    similar_to("word30 word700", [], POSTS, map(named_page, pages), "en")
    assert time.process_time() - started < 0.1
