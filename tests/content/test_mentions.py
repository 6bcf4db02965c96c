"""Links on words of a sentence that name a page."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.content.artefacts import SourcePage
from app.content.assembly.linking import Linked
from app.content.assembly.mentions import link_mentions
from app.content.drafts import Paragraph, SectionDraft, SectionLink, Sentence
from tests.content.conftest import page
from tests.support.article_material import model_says


def named(page_id: int, name: str) -> SourcePage:
    return page(page_id, f"p{page_id}", (("h1", name), ("p", "Words.")))


PAGES = {
    each.page_id: each
    for each in (
        named(1, "Weighing a beehive in autumn"),
        named(2, "Smoke"),
        named(3, "Winter feeding"),
        named(4, "Overview"),
        named(5, "Course dates"),
    )
}


def section(*texts: str, kind: Any = "p", links: tuple[SectionLink, ...] = ()) -> SectionDraft:
    sentences = tuple(model_says(text, "9:b1") for text in texts)
    return SectionDraft("s1", "Bees", (), (Paragraph(kind, sentences),), links)


def linked(
    *drafts: SectionDraft,
    wanted: tuple[int, ...] = (1, 2, 3, 4, 5),
    required: tuple[int, ...] = (),
    least: int = 5,
    most: int = 15,
    elsewhere: tuple[int, ...] = (),
) -> Linked:
    bounds = {"required": required, "least": least, "most": most}
    return link_mentions(drafts, PAGES, wanted, **bounds, language="en", elsewhere=elsewhere)  # type: ignore[arg-type]


def anchors(found: Linked) -> list[tuple[int, str]]:
    return [
        (s.link.page_id, s.link.anchor)
        for draft in found.drafts
        for p in draft.paragraphs
        for s in p.sentences
        if s.link
    ]


@pytest.mark.parametrize(
    ("text", "anchor"),
    [
        ("With winter feeding you save the colony.", (3, "winter feeding")),
        ("Feeding in winter saves the colony.", (3, "Feeding in winter")),
        ("Then weigh the beehive each autumn.", (1, "weigh the beehive each autumn")),
        ("The autumn is long, and a beehive needs weighing.", None),
        ("Winter is hard. Feeding helps.", None),
        ("Some smoke calms them.", None),
        ("An overview helps.", None),
    ],
)
def test_a_page_is_linked_where_words_say_most_of_its_name(text: str, anchor: tuple[int, str] | None) -> None:
    found = linked(section(text))
    assert anchors(found) == ([anchor] if anchor else [])
    assert found.drafts[0].paragraphs[0].sentences[0].text == text


def test_a_page_is_linked_once_and_a_sentence_has_one_link() -> None:
    found = linked(section("Winter feeding and course dates are here.", "Winter feeding is hard."))
    assert anchors(found) == [(3, "Winter feeding")]
    more = linked(section("Winter feeding and course dates are here.", "The course dates are there."))
    assert anchors(more) == [(3, "Winter feeding"), (5, "course dates")]


def test_no_more_pages_are_linked_than_wanted_but_required_ones_are() -> None:
    draft = section("Winter feeding helps.", "Look at the course dates.")
    assert anchors(linked(draft, least=1)) == [(3, "Winter feeding")]
    assert anchors(linked(draft, least=1, required=(5,))) == [(5, "course dates")]
    assert anchors(linked(draft, least=0, required=(5,))) == [(5, "course dates")]
    assert anchors(linked(draft, most=0, required=(5,))) == []


def test_existing_links_count() -> None:
    given = section("Look at the course dates.", "Winter feeding helps.")
    first = given.paragraphs[0].sentences[0]
    inline = replace(first, link=SectionLink(5, "course dates", "inline"))
    own = replace(given, paragraphs=(Paragraph("p", (inline, *given.paragraphs[0].sentences[1:])),))
    assert linked(own, least=1).pages == 1
    found = linked(own, least=2)
    assert found.pages == 2
    assert anchors(linked(section("Winter feeding helps.", links=(SectionLink(3, "Winter"),)))) == []


@pytest.mark.parametrize("kind", ["table", "code", "quote", "heading"])
def test_no_link_is_set_outside_prose_and_lists(kind: str) -> None:
    assert anchors(linked(section("Winter feeding", kind=kind))) == []
    assert anchors(linked(section("Winter feeding", kind="ul"))) == [(3, "Winter feeding")]


def test_a_page_is_linked_once_only_though_it_is_its_own_source() -> None:
    own = Sentence("Winter feeding helps.", ("3:b1",), "model")
    found = linked(SectionDraft("s1", "Bees", (), (Paragraph("p", (own,)),), ()))
    assert anchors(found) == [(3, "Winter feeding")]


def test_a_page_that_another_part_links_counts_and_is_not_linked_again() -> None:
    found = linked(section("With winter feeding you save the colony."), elsewhere=(3,))
    assert (anchors(found), found.pages) == ([], 1)


@pytest.mark.parametrize(
    "way", ["Settings > Course dates", "Course dates › Weekends", "Site → Course dates → May"]
)
def test_a_step_on_the_way_through_a_menu_names_no_page(way: str) -> None:
    assert linked(section(f"You find them under {way} at any time."), wanted=(5,)).pages == 0
    assert linked(section("You find them among the course dates at any time."), wanted=(5,)).pages == 1
