"""Names of several words in a topic: a site may say each of the words and nothing about the thing."""

from __future__ import annotations

import pytest

from app.content.evidence.sections import sections_of
from app.content.retrieval.names_in_topics import unsaid_names
from tests.content.conftest import page

SITE = sections_of(
    [
        page(1, "cli", (("h1", "The command line"), ("p", "With -j the answer is JSON. Quote each token."))),
        page(
            2, "web", (("h1", "A web server"), ("p", "It tokenises JSON. The village hall paid for a grand."))
        ),
        page(3, "esi", (("h1", "Edge Side Includes"), ("p", "Google-Cloud platforms are fine. So is MTD."))),
    ]
)


@pytest.mark.parametrize(
    ("topic", "unsaid"),
    [
        ("Checking JSON Web Tokens in the cache", ("JSON Web Tokens",)),
        ("how to check Village Hall bookings", ()),
        ("using Edge Side Includes on each page", ()),
        ("caching on the Google Cloud Platform", ()),
        ("ready for Making Tax Digital", ()),
        ("paying with Apple Pay or with Google Pay", ("Apple Pay", "Google Pay")),
        ("how the Grand was paid for by the Hall of the Village", ()),
    ],
)
def test_a_name_is_said_where_its_words_stand_together(topic: str, unsaid: tuple[str, ...]) -> None:
    assert unsaid_names(topic, SITE, "en") == unsaid


@pytest.mark.parametrize(
    "topic",
    [
        "Json Web Tokens Explained",
        "How to Quote Your Token with Care",
        "A token of What You Get",
        "json web tokens",
        "Token quoting",
        "",
    ],
)
def test_a_title_in_capitals_and_a_topic_without_any_show_no_names(topic: str) -> None:
    assert unsaid_names(topic, SITE, "en") == ()


def test_german_shows_no_names() -> None:
    assert unsaid_names("so wird eine Neue Heizung Bezahlt und geliefert", SITE, "de") == ()
