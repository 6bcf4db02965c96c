"""What a section warns of is quoted, though the text around it is cut."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from app.content.retrieval.excerpts import Excerpt, excerpt
from app.content.retrieval.passages import library_of
from app.language.words import word_count
from tests.content.conftest import PageMaker

OPENING = "A hive is opened on a warm day, when most of its bees are out in the meadows for the afternoon."
ELSEWHERE = "The tool for it is shown below."
MORE = "Smoke calms the bees of a hive, because they take honey for the road and have no time for visitors."
WARNING = "Never open a hive in the rain."

Reader = Callable[..., Excerpt]


@pytest.fixture
def read(make_page: PageMaker) -> Reader:
    """Return the excerpt of a section with these paragraphs."""

    def of(*paragraphs: str, language: str = "en") -> Excerpt:
        parts = [("h1", "Hives"), ("h2", "Opening a hive"), *(("p", text) for text in paragraphs)]
        [section] = library_of([make_page(1, "hives", parts)], language).sections
        run = excerpt(section, 44, language)
        assert run is not None
        return run

    return of


def test_a_warning_behind_text_that_is_cut_is_quoted_in_its_place(read: Reader) -> None:
    run = read(f"{OPENING} {MORE} {ELSEWHERE}", f"{WARNING} Wait for the sun.", "Bees fly at noon.")
    assert [" ".join(each.text for each in paragraph.sentences) for paragraph in run.paragraphs] == [
        f"{OPENING} {MORE}",
        f"{WARNING} Wait for the sun.",
    ]
    assert run.words == word_count(f"{OPENING} {MORE}")


def test_a_warning_is_not_cut_for_its_length(read: Reader) -> None:
    [paragraph] = read(f"{OPENING} {MORE} {WARNING} {ELSEWHERE}").paragraphs
    assert [each.text for each in paragraph.sentences] == [OPENING, MORE, WARNING]


def test_a_warning_comes_with_the_sentence_that_leads_to_it(read: Reader) -> None:
    led = "Rain chills the brood. Therefore the lid must stay on."
    cut = f"{ELSEWHERE} It is made of steel."
    assert read(f"{OPENING} {cut} {led} {MORE}").text == f"{OPENING} {led}"


def test_a_warning_that_points_elsewhere_or_leans_on_what_is_left_out_is_not_quoted(read: Reader) -> None:
    assert read(f"{OPENING} {ELSEWHERE} Then it must stay on.").text == OPENING
    assert read(f"{OPENING} {ELSEWHERE}", "Never use the tool shown below.").text == OPENING


def test_important_makes_a_warning_of_the_sentence_behind_it(read: Reader) -> None:
    note = "Important! A hive on hire stays closed."
    assert read(f"{OPENING} {ELSEWHERE}", note).text == f"{OPENING} {note}"


def test_a_section_gives_few_warnings(read: Reader) -> None:
    warning = "Never open hive number {} in the rain of an afternoon in April."
    many = [f"{warning.format(number)} {ELSEWHERE}" for number in range(9)]
    assert 3 < read(f"{OPENING} {ELSEWHERE}", *many).text.count("Never") < 8
