"""What frames a quoted passage comes with it: captions and whole descriptions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.artefacts import SourcePage
from app.pages.extraction.blocks import Block
from tests.content.conftest import SiteMaker, write

TITLE = "Winter feed for a hive"
OPENING = "Winter feed for a hive is sugar that the bees have stored in their combs before the first frost."


def block(number: int, kind: str, text: str, **members: object) -> Block:
    return Block(f"b{number}", kind, text, (TITLE, "Amounts"), **members)  # type: ignore[arg-type]


@pytest.fixture
def feed() -> SourcePage:
    """A page with a table that has a caption and a note, and with a list of definitions."""
    amounts = (
        ("caption", "Ten colonies, one winter", ()),
        ("table_head", "Hive | Sugar", ("Hive", "Sugar")),
        ("table", "Small hive | 12 kg", ("Small hive", "12 kg")),
        ("table", "Large hive | 18 kg", ("Large hive", "18 kg")),
        ("caption", "Weighed by the village school.", ()),
    )
    kinds = (
        ("dt", "Syrup", "d1"),
        ("dd", "Syrup is taken in warm weather. It is what most keepers of a hive feed in August.", "d1"),
        ("dt", "Fondant", "d2"),
        ("dd", "Fondant keeps for months. See the next chapter for a recipe.", "d2"),
    )
    blocks = (
        Block("b0", "heading", TITLE),
        Block("b1", "p", OPENING, (TITLE,)),
        Block("b2", "heading", "Amounts", (TITLE,)),
        *(block(3 + n, kind, text, cells=cells, group="t1") for n, (kind, text, cells) in enumerate(amounts)),
        *(block(10 + n, kind, text, group=group) for n, (kind, text, group) in enumerate(kinds)),
    )
    return SourcePage(1, "https://bees.example/feed", TITLE, None, False, blocks)


def test_a_table_keeps_its_caption_and_the_note_below_it(feed: SourcePage, make_site: SiteMaker) -> None:
    written = write(make_site(feed), topic="winter feed for a hive")
    text = written.post.markdown
    assert "*Ten colonies, one winter*\n\n| Hive | Sugar |" in text
    assert "| Large hive | 18 kg |\n\n*Weighed by the village school.*" in text
    assert "<em>Ten colonies, one winter</em>" in written.post.html


def test_two_columns_without_a_header_are_a_list_of_terms(feed: SourcePage, make_site: SiteMaker) -> None:
    rows = tuple(each for each in feed.blocks if each.kind != "table_head")
    site = make_site(replace(feed, blocks=rows))
    written = write(site, topic="winter feed for a hive")
    listed = "*Ten colonies, one winter*\n\n- Small hive: 12 kg\n- Large hive: 18 kg\n\n*Weighed by"
    assert listed in written.post.markdown
    assert "|  |" not in written.post.markdown


def test_a_caption_that_repeats_the_heading_above_is_left_out(feed: SourcePage, make_site: SiteMaker) -> None:
    same = tuple(replace(b, text="Amounts") if b.text.startswith("Ten") else b for b in feed.blocks)
    text = write(make_site(replace(feed, blocks=same)), topic="winter feed for a hive").post.markdown
    assert "*Amounts*" not in text
    assert "*Weighed by the village school.*" in text


def test_a_description_is_quoted_up_to_what_points_elsewhere(feed: SourcePage, make_site: SiteMaker) -> None:
    text = write(make_site(feed), topic="winter feed for a hive").post.markdown
    whole = "- Syrup: Syrup is taken in warm weather. It is what most keepers of a hive feed in August.\n"
    assert f"{whole}- Fondant: Fondant keeps for months.\n" in text
