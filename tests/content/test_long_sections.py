"""Sections that are too long, and sentences that answer their heading with a figure."""

from __future__ import annotations

from app.content.writing.article.draft import Draft
from app.content.writing.article.findings.find import findings_in
from tests.content.test_findings import advice, part, prose

LONG = "The bees of this hive carry water from the pond to the box on each warm day of the year. " * 18
TOO_LONG = "is over a section of more than 300 words: it needs h3"


def test_a_section_of_over_300_words_needs_another_heading() -> None:
    assert TOO_LONG in advice(part("Water", prose(LONG)))
    half = LONG[: len(LONG) // 2]
    assert TOO_LONG not in advice(part("Water", prose(half), prose("The pond", kind="heading"), prose(half)))
    assert TOO_LONG not in advice(part("Water", prose(half), prose(LONG, kind="code")))


def test_an_introduction_that_is_too_long_is_named() -> None:
    draft = Draft((part("", prose(LONG), role="introduction"),))
    [found] = findings_in(draft, "", "en", lambda _: "", is_invited=False)
    assert str(found).startswith("“introduction”")


def test_a_sentence_that_answers_its_heading_with_a_figure_repeats_nothing() -> None:
    heading = "How often cancelled weeks are sold again"
    assert advice(part(heading, prose("Of the cancelled weeks 44% are sold again."))) == []
    assert advice(part(heading, prose("Of the cancelled weeks many are sold again."))) != []
