"""A digest may begin with what an author says of themselves, and its link names them."""

from __future__ import annotations

import pytest

from tests.content.conftest import Part, assert_traced, page, site, write

LEAD = "I heard it from so many schools that I asked nine of them to change one thing about their courses."
REST = "Each compared its course on beehives with the two before, and wrote down how many people came back."
COURSES: tuple[Part, ...] = (
    ("h1", "More people on beehive courses"),
    ("byline", "By Miriam Oakeshott"),
    ("p", LEAD),
    ("p", REST),
    ("h2", "People fear the bees"),
    ("p", "The open day did best: fourteen strangers came to a garden and eleven of them came to a course."),
    ("h2", "Say what it costs"),
    ("p", "A notice that names the days and the price of a course loses nobody who would have stayed."),
)
TOPIC = "more people on beehive courses"


def digest(*parts: Part) -> str:
    snapshot = site(page(1, "courses", parts))
    written = write(snapshot, topic=TOPIC)
    assert written.draft_kind == "extractive"
    assert_traced(written, snapshot)
    return written.post.markdown


def test_an_author_who_is_known_may_say_i_at_the_beginning_and_is_named_with_the_page() -> None:
    text = digest(*COURSES)
    assert text.startswith(LEAD)
    assert (
        "Read more: [More people on beehive courses (Miriam Oakeshott)](https://bees.example/courses)" in text
    )


def test_nobody_knows_who_i_is_without_an_author() -> None:
    text = digest(*(part for part in COURSES if part[0] != "byline"))
    assert LEAD not in text
    assert "Oakeshott" not in text


@pytest.mark.parametrize("kept", [REST, COURSES[5][1]])
def test_an_author_who_does_not_say_i_is_not_named(kept: str) -> None:
    text = digest(*(part for part in COURSES if part[1] != LEAD))
    assert kept in text
    assert "Oakeshott" not in text
