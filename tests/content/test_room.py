"""A short digest quotes its sections further: what comes after the first lines is often the answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.content.conftest import PageMaker, Part, SiteMaker, write

ANSWER = "A colony with less than fifteen pounds of stores in October gets sugar until it has thirty."

Digest = Callable[[int, int], str]


def sentence(topic: str, number: int) -> str:
    return f"A keeper who is {topic} in autumn gives them {number} pounds of syrup in a wet and cold week."


@pytest.fixture
def digest(make_page: PageMaker, make_site: SiteMaker) -> Digest:
    """Return the maker of a digest of so many words from a page of two sections of so many sentences."""

    def made(words: int, sentences: int) -> str:
        parts: list[Part] = [("h1", "Feeding bees in autumn"), ("h2", "How to feed bees in autumn")]
        parts += [("p", sentence("feeding bees", n)) for n in range(sentences)]
        parts += [("p", ANSWER), ("h2", "Feeding bees with sugar"), ("p", sentence("feeding bees", 99))]
        other = make_page(2, "honey", [("h1", "Honey"), ("p", "Honey is sold on Saturdays at the gate.")])
        snapshot = make_site(make_page(1, "feeding", parts), other)
        return write(snapshot, topic="feeding bees in autumn", target_words=words).post.markdown

    return made


def test_a_section_is_quoted_to_its_end_where_the_post_has_room(digest: Digest) -> None:
    assert ANSWER in digest(900, 12)


@pytest.mark.parametrize(("words", "sentences"), [(300, 18), (900, 40)])
def test_a_section_takes_no_more_than_its_share_of_a_post(digest: Digest, words: int, sentences: int) -> None:
    text = digest(words, sentences)
    assert sentence("feeding bees", 0) in text
    assert ANSWER not in text
    assert len(text.split()) < min(words, 300) + 60


def test_no_two_sections_end_with_the_same_sentence(make_page: PageMaker, make_site: SiteMaker) -> None:
    said = [sentence("feeding bees", n) for n in range(14)]
    parts: list[Part] = [("h1", "Feeding bees in autumn")]
    for heading, own in (("How to feed bees in autumn", said[:7]), ("Feeding bees with sugar", said[7:])):
        parts += [("h2", heading), *(("p", text) for text in own), ("p", ANSWER)]
    other = make_page(2, "honey", [("h1", "Honey"), ("p", "Honey is sold on Saturdays at the gate.")])
    snapshot = make_site(make_page(1, "feeding", parts), other)
    text = write(snapshot, topic="feeding bees in autumn", target_words=900).post.markdown
    assert text.count(ANSWER) == 1
