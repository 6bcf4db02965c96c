"""What a digest quotes right below a heading, which says what the first sentence leaves out."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.content.retrieval.excerpts import Excerpt, excerpt
from app.content.retrieval.passages import library_of
from app.content.retrieval.quotable import is_first_person
from tests.content.conftest import PageMaker, SiteMaker, write

LAW = (
    "An active nest is protected by law, so until the end of August we look first and leave it if it is used."
)
MORE = "A guard on the pot stops it from happening again in the next spring, and it is fitted in an hour."

Reader = Callable[..., Excerpt | None]


@pytest.fixture
def read(make_page: PageMaker) -> Reader:
    """Return the excerpt of the section on birds with these parts."""

    def of(*parts: str | tuple[str, str]) -> Excerpt | None:
        own = [("p", part) if isinstance(part, str) else part for part in parts]
        pages = [make_page(1, "sweeping", [("h1", "Sweeping"), ("h2", "Birds"), *own])]
        [section] = library_of(pages, "en").sections
        return excerpt(section, 90, "en")

    return of


@pytest.mark.parametrize("first", ["Jackdaws mostly.", "They're jackdaws, mostly.", "It’s jackdaws, mostly."])
def test_a_few_words_or_a_pronoun_go_on_from_the_heading(first: str, read: Reader) -> None:
    run = read(f"{first} {LAW}")
    assert run is not None
    assert run.text == f"{first} {LAW}"


def test_a_pronoun_further_down_refers_to_what_is_left_out(read: Reader) -> None:
    assert read(("quote", "The best sweep that I know."), f"They're jackdaws, mostly. {LAW}") is None


def test_a_paragraph_goes_on_without_a_sentence_that_points_elsewhere(read: Reader) -> None:
    run = read(f"{LAW} See the table below for the kinds of pots. {MORE}")
    assert run is not None
    assert run.text == f"{LAW} {MORE}"


@pytest.mark.parametrize(
    "pointer",
    [
        "The offer shown below ended in May.",
        "The exceptions are listed below.",
        "This price is for members, as shown above.",
        "Choose option B above if the nest is used.",
    ],
)
def test_a_paragraph_ends_before_a_sentence_that_points_elsewhere_and_says_something(
    pointer: str, read: Reader
) -> None:
    run = read(f"{LAW} {pointer} {MORE}")
    assert run is not None
    assert run.text == LAW


def test_nothing_is_left_out_behind_a_question(read: Reader) -> None:
    run = read(f"{LAW} Is it safe to light the stove? See the picture below. {MORE}")
    assert run is not None
    assert MORE not in run.text


def test_a_paragraph_ends_where_the_next_sentence_needs_the_one_left_out(read: Reader) -> None:
    run = read(f"{LAW} See the picture below. They differ in height. {MORE}")
    assert run is not None
    assert run.text == LAW


def test_a_text_to_use_is_quoted_behind_the_sentence_that_announces_it(read: Reader) -> None:
    run = read(f"{LAW} Put this on the door:", ("quote", "Nest in use. Please keep the stove out."), MORE)
    assert run is not None
    assert [(each.kind, each.sentences[-1].text) for each in run.paragraphs] == [
        ("p", "Put this on the door:"),
        ("quote", "Nest in use. Please keep the stove out."),
        ("p", MORE),
    ]


def test_a_quotation_that_nobody_announces_needs_a_speaker(read: Reader) -> None:
    run = read(LAW, ("quote", "The best sweep that I know."), MORE)
    assert run is not None
    assert "best sweep" not in run.text


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("It ends most of the “I'm sure I'd paid” talks.", False),
        ("“I lost 8 kilos in May.”", True),
        ('The 8" hive I bought is 6" high.', True),
        ("“I had to wait for three whole weeks until I got the money back,” says Ann.", True),
        ("I ended most of the talks.", True),
    ],
)
def test_a_few_words_of_somebody_else_are_not_the_first_person(sentence: str, expected: bool) -> None:
    assert is_first_person(sentence, "en") is expected


def test_a_post_keeps_the_few_words_that_its_main_page_begins_with(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    opening = "Each pupil has a ledger: money in, lessons out."
    parts = [("h1", "The ledger"), ("p", opening), ("h2", "Ways to pay the ledger"), ("p", LAW), ("p", MORE)]
    written = write(make_site(make_page(1, "ledger", parts)), topic="ledger")
    assert written.post.markdown.startswith(opening)
