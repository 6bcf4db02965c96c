"""What a page says, cut into units of every kind."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from app.content.artefacts import SourcePage
from app.content.evidence.furniture import repeated_texts
from app.content.evidence.sections import sections_of
from app.content.evidence.units import EvidenceUnit, units_of
from app.pages.extraction.blocks import Block, Mark


def block(kind: str, text: str, **members: Any) -> Block:
    return Block("", kind, text, **members)


def source(*blocks: Block, page_id: int = 1, heading: str = "Prices") -> SourcePage:
    """A page with one heading; its blocks are numbered from b1, the heading is b0."""
    above = Block("b0", "heading", heading)
    own = (replace(each, id=f"b{n}", heading_path=(heading,)) for n, each in enumerate(blocks, 1))
    url = f"https://bees.example/{page_id}"
    return SourcePage(page_id, url, heading, None, False, (above, *own))


def units(*blocks: Block) -> tuple[EvidenceUnit, ...]:
    return units_of(sections_of([source(*blocks)]))


def test_a_paragraph_is_a_unit() -> None:
    first, second = units(block("p", "One  hive\nis enough."), block("p", "Two are better."))
    assert (first.id, first.kind, first.text) == ("1:b1", "paragraph", "One hive is enough.")
    assert (second.id, second.heading, second.about) == ("1:b2", "Prices", "Prices")


def test_a_list_is_a_unit_with_what_announces_it() -> None:
    (found,) = units(
        block("p", "You need:"),
        block("li", "a hive of wood", lists="u", group="l1"),
        block("li", "two frames", lists="u", group="l1"),
    )
    assert (found.id, found.kind, found.lead_in) == ("1:b1", "list", "You need:")
    assert found.items == ("a hive of wood", "two frames")
    assert found.text == "You need:\n- a hive of wood\n- two frames"
    assert found.block_ids == ("b1", "b2", "b3")


def test_a_procedure_keeps_its_numbers() -> None:
    (found,) = units(block("li", "Open the hive.", lists="o"), block("li", "Blow some smoke.", lists="o"))
    assert found.numbered
    assert found.text == "1. Open the hive.\n2. Blow some smoke."


def test_two_lists_stay_two() -> None:
    found = units(
        block("li", "a hive of wood", lists="u", group="l1"),
        block("li", "a bee or two", lists="u", group="l2"),
    )
    assert [each.items for each in found] == [("a hive of wood",), ("a bee or two",)]


def test_a_paragraph_that_announces_nothing_stays_a_paragraph() -> None:
    found = units(block("p", "You need:"), block("p", "A hive."), block("p", "And then:"))
    assert [(each.kind, each.text) for each in found] == [
        ("paragraph", "You need:"),
        ("paragraph", "A hive."),
        ("paragraph", "And then:"),
    ]


def test_a_table_has_caption_header_and_rows() -> None:
    (found,) = units(
        block("caption", "Boxes", group="t1"),
        block("table_head", "Box | Frames", group="t1", cells=("Box", "Frames")),
        block("table", "Dadant | 12", group="t1", cells=("Dadant", "12"), row_heads=1),
        block("table", "Zander | 10", group="t1", cells=("Zander", "10"), row_heads=1),
    )
    assert (found.kind, found.caption, found.header) == ("table", "Boxes", ("Box", "Frames"))
    assert found.rows == (("Dadant", "12"), ("Zander", "10"))
    assert found.row_heads == 1
    assert found.text == "Boxes\nBox | Frames\nDadant | 12\nZander | 10"


@pytest.mark.parametrize(
    ("rows", "header"),
    [
        (("Box | Frames", "Dadant | 12", "Zander | 10", "Warré | any"), ("Box", "Frames")),
        (("Each month | Weigh the hive", "Every 2 years | Change the combs"), ()),
        (("Box | Frames | Wood", "Dadant | 12 | pine"), ("Box", "Frames", "Wood")),
        (("Box | Frames", "Dadant | many"), ()),
    ],
)
def test_the_first_row_of_a_table_without_a_marked_header_may_be_one(
    rows: tuple[str, ...], header: tuple[str, ...]
) -> None:
    (found,) = units(*(block("table", row, group="t1", cells=tuple(row.split(" | "))) for row in rows))
    assert found.header == header


def test_a_first_row_in_bold_is_the_header_of_a_table() -> None:
    bold = (Mark("strong", 0, 3), Mark("strong", 6, 10))
    (found,) = units(
        block("table", "Box | Wood", group="t1", cells=("Box", "Wood"), marks=bold),
        block("table", "Dadant | pine", group="t1", cells=("Dadant", "pine")),
    )
    assert found.header == ("Box", "Wood")


def test_a_table_read_before_cells_were_kept_is_cut_at_its_bars() -> None:
    (found,) = units(block("table", "Dadant | 12"))
    assert (found.header, found.rows) == ((), (("Dadant", "12"),))


def test_a_definition_is_a_unit_under_its_term() -> None:
    found = units(
        block("dt", "Dadant", group="d1"),
        block("dd", "A box of 12 frames.", group="d1"),
        block("dt", "Zander", group="d2"),
        block("dd", "A box of 10 frames.", group="d2"),
    )
    assert [(each.kind, each.lead_in, each.text) for each in found] == [
        ("definition", "Dadant", "Dadant: A box of 12 frames."),
        ("definition", "Zander", "Zander: A box of 10 frames."),
    ]


def test_terms_without_a_group_begin_definitions_of_their_own() -> None:
    found = units(block("dt", "Dadant"), block("dd", "12 frames."), block("dt", "Zander"), block("dd", "10."))
    assert [each.text for each in found] == ["Dadant: 12 frames.", "Zander: 10."]


def test_a_listing_keeps_its_lines_and_language() -> None:
    (found,) = units(block("p", "Read the scale:"), block("code", "scale read\n  --unit kg\n", language="sh"))
    assert (found.kind, found.language, found.lead_in) == ("code", "sh", "Read the scale:")
    assert found.items == ("scale read\n  --unit kg",)
    assert found.text == "Read the scale:\nscale read\n  --unit kg"


def test_a_quote_has_its_speaker() -> None:
    (found,) = units(
        block("quote", "I sleep well.", group="q1", speaker="Anna Kern"),
        block("quote", "At last.", group="q1", speaker="Anna Kern"),
    )
    assert (found.kind, found.speaker, found.items) == ("quote", "Anna Kern", ("I sleep well. At last.",))
    assert found.text == "I sleep well. At last. — Anna Kern"


def test_a_price_card_has_its_plan_its_price_and_its_items() -> None:
    (found,) = units(
        block("p", "For one garden", group="c1"),
        block("price", "£9 a month", group="c1"),
        block("li", "1 hive", group="c1", lists="u"),
        block("li", "1 scale", group="c1", lists="u"),
        block("label", "Buy now", group="c1"),
    )
    assert found.kind == "price"
    assert found.text == "Prices: £9 a month; For one garden\n- 1 hive\n- 1 scale"
    assert found.items == ("1 hive", "1 scale")


def test_a_price_card_without_a_heading_is_named_by_the_line_above_its_price() -> None:
    (found,) = units(
        block("p", "Most popular", group="c1"),
        block("p", "Garden", group="c1"),
        block("price", "£9 a month", group="c1"),
        block("p", "1 hive", group="c1"),
    )
    assert found.text == "Garden: £9 a month; 1 hive"


def test_a_badge_above_the_heading_of_a_price_card_is_left_out() -> None:
    (found,) = units(
        block("p", "Most people choose this", group="c1"),
        block("p", "For one garden", group="c1"),
        block("heading", "Garden", group="c1"),
        block("price", "£9 a month", group="c1"),
        block("p", "1 hive", group="c1"),
    )
    assert found.text == "Garden: £9 a month; For one garden; 1 hive"


@pytest.mark.parametrize(
    ("below", "text"),
    [
        ("Garden", "Garden: £9 a month; 1 hive"),
        ("for one garden", "Prices: £9 a month; for one garden; 1 hive"),
        ("With bees from our own hives", "Prices: £9 a month; With bees from our own hives; 1 hive"),
    ],
)
def test_a_price_card_that_begins_with_its_price_is_named_by_the_line_below(below: str, text: str) -> None:
    (found,) = units(
        block("price", "£9 a month", group="c1"),
        block("p", below, group="c1"),
        block("p", "1 hive", group="c1"),
    )
    assert found.text == text


def test_equal_texts_are_one_unit() -> None:
    assert len(units(block("p", "One hive is enough."), block("p", "One hive is Enough."))) == 1


def test_menus_and_captions_of_pictures_are_no_evidence() -> None:
    assert units(*(block("li", name, lists="u") for name in ("Home", "Shop", "About us"))) == ()
    assert units(block("caption", "A hive at noon.")) == ()


def test_buttons_and_bylines_are_furniture() -> None:
    assert units(block("label", "Read more"), block("byline", "By Anna Kern, 3 May")) == ()


def site_of(number: int, *shared: Block, with_shared: int) -> list[SourcePage]:
    return [
        source(
            block("p", f"Page {n} says something of its own that no other page of the whole site says."),
            *(shared if n <= with_shared else ()),
            page_id=n,
        )
        for n in range(1, number + 1)
    ]


def test_a_text_that_a_third_of_the_pages_repeat_is_furniture() -> None:
    long = block("p", "We are a small school in the hills and have kept bees for many, many happy years now.")
    below = [block("p", f"This is no end, {number}.") for number in range(3)]
    assert long.text in repeated_texts(site_of(12, long, *below, with_shared=4))
    assert long.text not in repeated_texts(site_of(12, long, *below, with_shared=3))
    assert repeated_texts(site_of(2, long, with_shared=2)) == frozenset(), "two pages show no pattern"


def test_what_three_pages_end_with_is_a_footer_however_long() -> None:
    own = tuple(block("p", f"A sentence with the number {number} on it.") for number in range(5))
    foot = block("p", "This site sets no cookies to advertise. We count pages, and nobody knows who you are.")
    ended = [source(*own, foot, page_id=number) for number in range(1, 4)]
    rest = [source(block("p", f"Another page, {number}."), page_id=number) for number in range(20, 40)]
    assert foot.text in repeated_texts([*ended, *rest])
    within = source(foot, *own, page_id=50)
    assert foot.text not in repeated_texts([*ended, within, *rest])


def test_a_slogan_on_three_pages_is_furniture_and_a_price_is_not() -> None:
    slogan, price = block("p", "Bees for everybody."), block("price", "£9 a month")
    row = block("table", "Dadant | 12")
    assert repeated_texts(site_of(30, slogan, price, row, with_shared=3)) == {"Bees for everybody."}


def test_a_text_that_ends_with_the_description_of_another_page_is_its_teaser() -> None:
    described = "Which hive fits which garden, and what it weighs."
    teaser = block("p", f"Choosing a hive{described}")
    shown, hive = source(teaser, page_id=1), source(block("p", described), page_id=2)
    assert repeated_texts([shown, replace(hive, description=described)]) == {teaser.text}
    assert repeated_texts([shown, replace(hive, description="Its weight.")]) == frozenset()
    # The description of the whole site is nobody's teaser.
    assert repeated_texts([replace(each, description=described) for each in (shown, hive)]) == frozenset()


def test_headings_are_never_furniture() -> None:
    assert "Prices" not in repeated_texts(site_of(5, with_shared=0))


def test_the_paragraphs_of_a_record_are_one_unit_named_by_the_first() -> None:
    options = (
        block("p", "These are the options."),
        *(
            block("p", text)
            for n in (1, 2, 3)
            for text in (
                f"Option: Hive::Size-{n}",
                "Default: 30",
                f"Description: Sets {n}.",
                "It lasts.",
            )
        ),
    )
    intro, *found = units(*options)
    assert (intro.id, intro.kind) == ("1:b1", "paragraph")
    assert [each.kind for each in found] == ["definition"] * 3
    assert (found[1].id, found[1].lead_in) == ("1:b6", "Hive::Size-2")
    assert found[1].items == ("Default: 30", "Description: Sets 2.", "It lasts.")
    assert found[1].block_ids == ("b6", "b7", "b8", "b9")
    assert found[1].text == "Option: Hive::Size-2 Default: 30 Description: Sets 2. It lasts."


@pytest.mark.parametrize(
    "texts",
    [
        ["Option: Size-1", "Default: 30", "Option: Size-2", "Default: 40"],
        ["Monday: closed", "Tuesday: closed", "Wednesday: open"],
        ["Note: closed", "Note: open", "Note: closed again", "Tip: ask"],
        ["Anna: Never.", "Bob: I see.", "Anna: Why?", "Bob: No.", "Anna: Well.", "Bob: So."],
        [f"{who}: {'I have kept these bees for years now, in every kind of weather.'}" for who in "ABABAB"],
    ],
    ids=["two", "one line each", "notes", "a short conversation", "a conversation"],
)
def test_other_paragraphs_with_labels_are_no_records(texts: list[str]) -> None:
    assert {each.kind for each in units(*(block("p", text) for text in texts))} == {"paragraph"}
