"""How well pages cover a topic: covered, perhaps, absent."""

from __future__ import annotations

import pytest

from app.content.artefacts import SourcePage
from app.content.evidence.sections import sections_of
from app.content.retrieval.coverage import TopicCoverage, coverage_of, page_stems
from tests.content.conftest import PageMaker

SITE = {
    "receipts": (
        "Receipt scanning for tradespeople",
        "Take a picture of a receipt: the amount is read from it.",
    ),
    "budgets": ("Set up a budget", "Choose a category, give it a monthly limit, and see what is left of it."),
    "mileage": ("Mileage tracking", "Log each trip with the van; business miles are added to your expenses."),
    "invoices": ("Send an invoice", "Write the invoice on site and send it before you drive home."),
    "about": ("About us", "We are a small team from Leeds that used to run a plumbing firm."),
    "security": ("Security", "Your data is encrypted and kept in two data centres."),
}


@pytest.fixture
def site(make_page: PageMaker) -> list[SourcePage]:
    return [
        make_page(number, name, [("h1", title), ("p", text)])
        for number, (name, (title, text)) in enumerate(SITE.items(), 1)
    ]


def cover(site: list[SourcePage], topic: str) -> TopicCoverage:
    return coverage_of(topic, page_stems(sections_of(site), "en"), "en")


@pytest.mark.parametrize(
    ("topic", "page_id"),
    [
        ("Receipt scanning for tradespeople", 1),
        ("how to create a budget", 2),
        ("budgets", 2),
        ("tracking business mileage", 3),
        ("writing invoices on site", 4),
    ],
)
def test_a_topic_that_one_page_is_about_is_covered_in_any_of_its_words(
    site: list[SourcePage], topic: str, page_id: int
) -> None:
    found = cover(site, topic)
    assert found.outcome == "covered"
    assert found.page_ids[0] == page_id


@pytest.mark.parametrize("topic", ["crypto payments", "pension auto-enrolment", "quantum computing", "%"])
def test_a_topic_whose_rare_words_no_page_says_is_absent(site: list[SourcePage], topic: str) -> None:
    found = cover(site, topic)
    assert found.outcome == "absent"
    assert found.missing


def test_a_topic_of_which_a_page_says_half_is_perhaps_covered(site: list[SourcePage]) -> None:
    found = cover(site, "invoice financing")
    assert found.outcome == "perhaps"
    assert found.missing == ("financ",)


def test_question_and_filler_words_weigh_nothing(site: list[SourcePage]) -> None:
    assert cover(site, "How do I set up a budget?") == cover(site, "budget")


def test_a_compound_is_found_in_one_word_and_in_two(make_page: PageMaker) -> None:
    pages = [
        make_page(1, "a", [("h1", "Backup"), ("p", "A backup of the ledger is made every night.")]),
        make_page(2, "b", [("h1", "Rotas"), ("p", "A rota says who works on which day of the week.")]),
    ]
    assert cover(pages, "back up the ledger").outcome == "covered"


def test_no_pages_cover_nothing() -> None:
    assert cover([], "budget").outcome == "absent"
