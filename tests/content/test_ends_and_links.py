"""How a text may end and where its links may lead."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.request import GenerationRequest, LinkBounds, RequestedSection, given_by
from tests.support.judged_posts import CONTEXT, POST, outcome, with_text


@pytest.mark.parametrize("ending", ["Jane Miller", "Happy beekeeping 🐝", "**The bee school**"])
def test_a_person_may_end_with_a_name_or_a_greeting(ending: str) -> None:
    text = with_text(ending)
    assert not outcome("TRUNCATED", text).passed
    assert outcome("TRUNCATED", replace(text, edited_by_person=True)).passed


def test_what_a_person_breaks_off_blocks_as_well() -> None:
    text = replace(with_text("This is a whole sentence. And this one ends in the"), edited_by_person=True)
    assert not outcome("TRUNCATED", text).passed


def test_a_fixed_line_is_an_end_also_where_the_language_has_no_words_for_it() -> None:
    text = with_text("Улей – Bee School")
    assert not outcome("TRUNCATED", text).passed
    known = replace(CONTEXT, given_text="Bee School\nУлей – Bee School")
    assert outcome("TRUNCATED", text, known).passed


@pytest.mark.parametrize("link", ["[prices](/pricing)", "[write](mailto:bees@bees.example)", "[x](#nowhere)"])
def test_an_invalid_link_is_reported(link: str) -> None:
    found = outcome("LOST_LINK", replace(with_text(f"See {link}."), edited_by_person=True))
    assert (found.passed, found.severity) == (False, "warn")
    assert found.where == (link.split("(")[1].rstrip(")"),)


def test_as_many_internal_links_suit_a_text_as_were_asked_for() -> None:
    none = replace(CONTEXT, link_bounds=LinkBounds(most=0))
    assert outcome("INTERNAL_LINKS_FEW", POST, none).passed
    many = outcome("INTERNAL_LINKS_FEW", POST, replace(CONTEXT, link_bounds=LinkBounds(fewest=5)))
    assert many.where == ("0 of 5",)


def test_a_page_on_another_host_of_the_project_is_its_own() -> None:
    page = "https://docs.bees.example/start"
    known = replace(CONTEXT, live_page_urls=CONTEXT.live_page_urls | {page}, link_bounds=LinkBounds(1))
    text = with_text(f"See [how to start]({page}).")
    assert outcome("INTERNAL_LINKS_FEW", text, known).passed
    assert not outcome("NO_OUTBOUND_LINK", text, known).passed


def test_an_address_that_is_none_is_a_finding_and_no_crash() -> None:
    assert not outcome("UNKNOWN_LINK", with_text("See [here](http://[bees/).")).passed


def test_what_the_caller_said_needs_no_source() -> None:
    asked = GenerationRequest(
        topic="Hives of 1851", title="The 2026 hives", keywords=("hive 77",),
        key_points=("It has 11 frames.",),
        outline=(RequestedSection("Choosing one of 17", ("It costs 99 euros.",)),),
    )  # fmt: skip
    said = with_text("In 2026 a hive 77 of 1851 with 11 frames is one of 17 and costs 99 euros.")
    assert not outcome("UNSUPPORTED_CLAIM", said).passed
    given = replace(CONTEXT, given_text=given_by(asked.to_dict()).text)
    assert outcome("UNSUPPORTED_CLAIM", said, given).passed
