"""What the extractive engine takes from the pages, and what it leaves."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.request import GenerationRequest, Include
from app.content.retrieval.quotable import is_unfit
from app.content.writing.notes import warnings
from app.language.languages import language_data
from app.language.phrases import is_template_line
from app.pages.extraction.blocks import Block
from tests.content.conftest import CARE, HIVES, PageMaker, SiteMaker, assert_traced, write


def test_a_post_about_beehives_quotes_the_site_and_links_to_it(bees: SourceSnapshot) -> None:
    written = write(bees, topic="Choosing and keeping a beehive", target_words=300)
    assert written.draft_kind == "outline" or "](https://bees.example/hives)" in written.post.markdown
    written = write(bees, topic="beehive", target_words=300)
    assert written.draft_kind == "extractive"
    assert written.engine == "extractive"
    assert "## Choosing a beehive" in written.post.markdown
    assert "(https://bees.example/hives)" in written.post.markdown
    assert written.quality.decision != "block"


def test_every_sentence_of_a_post_traces_to_its_page(bees: SourceSnapshot) -> None:
    written = write(bees, topic="beehive")
    assert_traced(written, bees)
    assert sum(entry.origin == "source" for entry in written.post.trace) > 10


def test_what_is_no_excerpt_is_a_fixed_line(bees: SourceSnapshot) -> None:
    written = write(bees, topic="beehive")
    lines = [entry.sentence for entry in written.post.trace if entry.origin == "template"]
    assert lines
    assert all(is_template_line(line) for line in lines)


def test_a_list_is_taken_whole_with_its_introduction(bees: SourceSnapshot) -> None:
    markdown = write(bees, topic="beehive").post.markdown
    assert "Three things make a good place for a beehive:\n\n- The ground stays dry" in markdown
    assert "- You can drive there" in markdown


def test_code_is_kept_with_the_sentence_that_announces_it(bees: SourceSnapshot) -> None:
    assert (
        "with this command:\n\n```\nscale read --unit kg\n```" in write(bees, topic="beehive").post.markdown
    )


def test_text_that_refers_to_other_text_is_not_quoted(bees: SourceSnapshot) -> None:
    markdown = write(bees, topic="beehive").post.markdown
    assert "shown below" not in markdown
    assert "It depends" not in markdown


def test_banners_that_every_page_repeats_are_not_quoted(bees: SourceSnapshot) -> None:
    assert "cookies" not in write(bees, topic="beehive").post.markdown


def test_a_section_of_code_alone_is_not_taken(bees: SourceSnapshot) -> None:
    assert "--paint white" not in write(bees, topic="beehive").post.markdown


def test_a_colon_without_what_it_announces_is_cut(make_site: SiteMaker, make_page: PageMaker) -> None:
    parts = [("h1", "Beehives")]
    for number in range(4):
        parts += [
            ("h2", f"Beehive number {number}"),
            ("p", f"The beehive number {number} stands in the garden behind the house of our neighbour."),
            ("p", f"Number {number} has these parts:"),
            ("table", "floor | box | roof"),
        ]
    markdown = write(make_site(make_page(1, "hives", parts)), topic="beehive").post.markdown
    assert "stands in the garden" in markdown
    assert "these parts" not in markdown


def test_a_language_without_lines_gets_excerpts_only(bees: SourceSnapshot) -> None:
    written = write(bees, topic="beehive", language="fi")
    assert "Source:" not in written.post.markdown
    assert "[Beehives](https://bees.example/hives)" in written.post.markdown
    assert_traced(written, bees)


def test_a_page_without_headings_goes_under_its_title(make_site: SiteMaker, make_page: PageMaker) -> None:
    text = "The beehive in our {} stands on a dry and sunny place behind the old house."
    pages = [
        make_page(n, place, [("p", text.format(place))])
        for n, place in enumerate(("yard", "field", "wood"), 1)
    ]
    written = write(make_site(*pages), topic="beehive")
    assert [section.heading for section in written.outline.sections] == ["yard", "field", "wood"]
    headings = [entry for entry in written.post.trace if entry.sentence in {"yard", "field", "wood"}]
    assert {entry.origin for entry in headings} == {"input"}


def test_a_numbered_list_stays_numbered_and_a_list_of_lists_is_not_quoted(
    make_site: SiteMaker, make_page: PageMaker
) -> None:
    heading, lead = "Opening a beehive", "Opening a beehive takes three steps, and each has a reason:"
    for second, shown in (("o", True), ("ou", False)):
        items = [("o", "Open the beehive on a warm day."), (second, "Mind the smoke."), ("o", "Close it.")]
        blocks = (
            Block("h", "heading", heading),
            Block("p", "p", f"A beehive is opened by hand. {lead}", (heading,)),
            *(Block(f"l{n}", "li", text, (heading,), lists) for n, (lists, text) in enumerate(items)),
        )
        steps = replace(make_page(1, "steps", CARE), blocks=blocks)
        site = make_site(steps, make_page(2, "hives", HIVES), make_page(3, "care", CARE))
        markdown = write(site, topic="beehive").post.markdown
        assert ("2. Mind the smoke." in markdown) is shown
        assert (lead in markdown) is shown


def test_a_heading_that_no_page_has_keeps_its_origin_when_claims_are_checked(bees: SourceSnapshot) -> None:
    written = write(bees, topic="beehive", include=Include(key_takeaways=True))
    table = language_data("en").phrases
    assert table is not None
    heading = next(entry for entry in written.post.trace if entry.sentence == table.takeaways_heading)
    assert heading.origin == "template"


def test_a_warning_has_the_number_of_removed_sentences(bees: SourceSnapshot) -> None:
    request, brief = GenerationRequest(topic="beehive"), write(bees, topic="beehive").brief
    one, two = (warnings(request, brief, "a-slug", removed)[0] for removed in (1, 2))
    assert one == "1 sentence was removed because its source does not contain it."
    assert two == "2 sentences were removed because their sources do not contain them."


@pytest.mark.parametrize(
    ("text", "is_note"),
    [
        ("From £185 a m² with fitting", False),
        ("A tank of 2 m³", False),
        ("As shown there².", True),
        ("Yes¹", True),
    ],
)
def test_a_square_metre_is_no_mark_of_a_footnote(text: str, is_note: bool) -> None:
    assert is_unfit(text, "en") is is_note
