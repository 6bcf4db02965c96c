"""Which pages ideas are looked for in."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from app.content.planning.ideas.material import TAKEN, choose_idea_pages
from app.content.retrieval.page_choice import PageWords
from app.pages.vocabulary import vocabulary_of


def page(number: int, title: str, *parts: tuple[str, str]) -> PageWords:
    blocks = [{"kind": kind, "text": text, "heading_path": []} for kind, text in parts]
    found = vocabulary_of(title, None, blocks)
    length = sum(len(text.split()) for _, text in parts)
    return PageWords(number, length, False, title, found.words, found.headings)


def filler(count: int, start: int = 1000) -> Iterator[PageWords]:
    """Pages that say nothing of interest."""
    for number in range(start, start + count):
        words = " ".join(f"thing{number}x{n}" for n in range(60))
        yield page(number, "Overview", ("p", f"Some words of no matter, {words}."))


def test_a_small_site_is_looked_through_as_a_whole() -> None:
    assert choose_idea_pages(filler(TAKEN), ["beehive"], "en") == list(range(1000, 1000 + TAKEN))


def test_a_keyword_finds_its_pages_among_thousands() -> None:
    pages = [
        *filler(2000),
        page(7, "Notes", ("p", "A beehive of wood, and the cost of keeping it.")),
        page(8, "Cost of a beehive", ("h2", "Beehives and what they cost"), ("p", "The cost of a beehive.")),
        page(9, "Honey", ("p", "Nothing about boxes.")),
    ]
    chosen = choose_idea_pages(iter(pages), ["beehive cost", "varroa"], "en")
    assert {7, 8} <= set(chosen)
    assert len(chosen) <= TAKEN


def test_each_keyword_has_its_best_page_before_any_has_its_second() -> None:
    pages = [page(n, f"Tool {n}", ("p", f"tool{n % 150} " * (1 + n // 150))) for n in range(450)]
    chosen = choose_idea_pages(iter(pages), [f"tool{n}" for n in range(150)], "en")
    assert set(range(300, 440)) <= set(chosen)


def test_pages_that_ask_and_pages_that_say_their_name_are_taken_along() -> None:
    asking = page(5, "Help", ("heading", "How often should a beehive be opened?"), ("p", "Not often."))
    named = page(6, "Propolis", ("heading", "Propolis"), ("p", "Propolis is a resin. Propolis closes gaps."))
    chosen = choose_idea_pages(iter([*filler(1000), asking, named]), [], "en")
    assert {5, 6} <= set(chosen)


def test_the_order_of_the_pages_does_not_matter() -> None:
    pages = [
        *filler(300),
        page(1, "Beehive", ("p", "A beehive.")),
        page(2, "Beehives", ("p", "Two beehives.")),
    ]
    assert choose_idea_pages(iter(pages), ["beehive"], "en") == choose_idea_pages(
        iter(pages[::-1]), ["beehive"], "en"
    )


@pytest.mark.timed
def test_five_thousand_pages_are_searched_within_seconds() -> None:
    pages = list(filler(5000))
    started = time.process_time()
    choose_idea_pages(iter(pages), [f"garden tool {n}" for n in range(100)], "en")
    assert time.process_time() - started < 10
