"""Of a reference, a post quotes the chapters about its topic, and lists that lead to others whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from app.content.evidence.sections import sections_of
from app.content.retrieval.chapters import chapters_about
from app.content.retrieval.excerpts import excerpt
from app.content.retrieval.passages import library_of
from app.pages.extraction.blocks import Block
from tests.content.conftest import PageMaker, SiteMaker, write

SUBJECTS = ("harvest", "swarming", "queens", "wintering", "candles", "transport")
PLACES = ("garden", "cellar", "meadow", "orchard", "village")


def said_of(subject: str, part: str, times: int) -> str:
    """As many sentences on a part of a subject."""
    return " ".join(
        f"{part} the {subject}, whoever keeps bees in the {place} cleans the tools for the {subject}, asks "
        f"a neighbour for a hand, and writes into the book of the {place} what was learned."
        for place in PLACES[:times]
    )


def reference(*, has_parts: bool = True, times: int = 3) -> list[tuple[str, str]]:
    """A page on six subjects, each with an introduction and two parts."""
    parts = [("h1", "Operation")]
    for subject in SUBJECTS:
        parts += [("h2", f"On {subject}"), ("p", said_of(subject, "During", times))]
        for part in ("Before", "After") if has_parts else ():
            parts += [("h3", f"{part} {subject}"), ("p", said_of(subject, part, times))]
    return parts


@pytest.fixture
def others(make_page: PageMaker) -> list[object]:
    return [make_page(n, f"kind-{n}", [("h1", f"Bees of kind {n}"), ("p", "They are calm.")]) for n in (2, 3)]


def about(pages: Sequence[object], topic: str) -> frozenset[tuple[str, ...]]:
    return chapters_about(library_of(pages, "en"), topic, 1)  # type: ignore[arg-type]


def test_of_a_reference_the_chapter_with_the_topic_in_its_heading_is_about_it(
    make_page: PageMaker, others: list[object]
) -> None:
    pages = [make_page(1, "operation", reference()), *others]
    assert about(pages, "how to plan a harvest") == {("Operation", "On harvest")}


def test_steps_without_parts_are_chapters_of_one_subject(make_page: PageMaker, others: list[object]) -> None:
    pages = [make_page(1, "operation", reference(has_parts=False)), *others]
    assert about(pages, "how to plan a harvest") == frozenset()
    assert about([make_page(1, "operation", reference(times=1)), *others], "harvest") == frozenset()


def test_a_page_that_is_named_after_the_topic_is_on_it_as_a_whole(
    make_page: PageMaker, others: list[object]
) -> None:
    named = [("h1", "The harvest"), *reference()[1:]]
    assert about([make_page(1, "harvest", named), *others], "how to plan a harvest") == frozenset()


def test_a_digest_of_a_reference_leaves_other_chapters_out(
    make_page: PageMaker, make_site: SiteMaker, others: list[object]
) -> None:
    site = make_site(make_page(1, "operation", reference()), *others)
    text = write(site, topic="tools for the harvest").post.markdown
    assert "After the harvest, whoever keeps bees" in text
    assert not any(subject in text for subject in SUBJECTS if subject != "harvest")


def test_a_list_that_leads_to_others_is_quoted_as_paragraphs_with_lists(
    make_page: PageMaker,
) -> None:
    heading = "What a beehive needs"
    items = (
        ("u", "A dry floor of old boards, which no flood of the river reaches."),
        ("u", "A stand that a beehive does not slide off. Tested ones:"),
        ("uu", "The oak stand, which carries a beehive of ninety kilos."),
        ("uu", "The steel stand, which folds."),
        ("u", "A lid with a stone on it. Order it with:"),
    )
    blocks = (
        Block("h", "heading", heading),
        *(Block(f"l{n}", "li", text, (heading,), lists, "l1") for n, (lists, text) in enumerate(items)),
        Block("c", "code", "order lid --stone", (heading,)),
        Block(
            "p", "p", "Whoever has no stone takes a belt, and a beehive stands as safely with it.", (heading,)
        ),
    )
    page = replace(make_page(1, "needs", [("h1", heading)]), blocks=blocks)
    (section,) = sections_of((page,))
    quoted = excerpt(section, 90, "en")
    assert quoted is not None
    assert [(each.kind, len(each.sentences)) for each in quoted.paragraphs] == [
        ("ul", 1), ("p", 1), ("ul", 2), ("p", 1), ("code", 1), ("p", 1),
    ]  # fmt: skip
    assert quoted.paragraphs[2].sentences[0].text == items[2][1]


def test_a_list_that_would_lose_its_levels_is_left_out(make_page: PageMaker) -> None:
    heading = "What a beehive needs"
    items = (("u", "A dry floor of old boards."), ("uu", "Oak is best for it."), ("u", "A lid with a stone."))
    blocks = (
        Block("h", "heading", heading),
        *(Block(f"l{n}", "li", text, (heading,), lists, "l1") for n, (lists, text) in enumerate(items)),
    )
    (section,) = sections_of((replace(make_page(1, "needs", [("h1", heading)]), blocks=blocks),))
    assert excerpt(section, 90, "en") is None


def test_the_sections_of_a_manual_page_keep_their_plain_headings(
    make_page: PageMaker, make_site: SiteMaker, others: list[object]
) -> None:
    manual = [
        *(("h1", "hivebench – benchmarking of beehives"), ("h2", "Description")),
        ("p", "Hivebench weighs a beehive every minute and writes the weight into a file of the day."),
        *(
            ("h2", "Notes"),
            ("p", "Hivebench needs a scale of 200 kg, and nobody may lean against the beehive."),
        ),
        *(
            ("h2", "Examples"),
            ("p", "A beehive of oak is weighed with hivebench in the evening, when all are in."),
        ),
    ]
    text = write(make_site(make_page(1, "hivebench", manual), *others), topic="benchmarking with hivebench")
    headings = [line for line in text.post.markdown.splitlines() if line.startswith("#")]
    assert headings == ["## Notes", "## Examples"]
    assert "Hivebench weighs a beehive every minute" in text.post.markdown
