"""Lists and headings that a page types as text are read as what a reader sees."""

from __future__ import annotations

import pytest

from tests.support.html_pages import read

GUIDE = (
    "<h1>Buying used</h1><div>Good machines rarely die.</div>"
    "<div><b>Before you go</b></div><div>Ask when it last ran.</div>"
    "<div><b>What is it worth?</b></div><div>Half the price of a new one.</div>"
)


def test_bold_lines_of_a_section_are_its_headings() -> None:
    blocks = read(GUIDE)
    assert [block.text for block in blocks if block.kind == "heading"] == [
        "Buying used", "Before you go", "What is it worth?",
    ]  # fmt: skip
    paths = {block.text: block.heading_path for block in blocks}
    assert paths["Good machines rarely die."] == ("Buying used",)
    assert paths["Ask when it last ran."] == ("Buying used", "Before you go")
    assert paths["What is it worth?"] == ("Buying used",)
    assert paths["Half the price of a new one."] == ("Buying used", "What is it worth?")


@pytest.mark.parametrize(
    ("html", "why"),
    [
        ("<h1>A</h1><p><b>Ask first</b></p><p>We help.</p>", "one bold line is a remark"),
        ("<h1>A</h1><p><b>Ask us.</b></p><p>We help.</p><p><b>Call us.</b></p><p>Now.</p>", "sentences"),
        ("<h1>A</h1><p><b>Ask</b> first</p><p>We help.</p><p><b>Call</b> us</p><p>Now.</p>", "bold in part"),
        ("<h1>A</h1><p><b>One</b></p><p><b>Two</b></p><p><b>Three</b></p>", "nothing below them"),
        (
            "<h1>A</h1><p><b>Ask</b></p><p>We help.</p><p><b>Call</b></p><p>Now.</p><h2>B</h2><p>Text.</p>",
            "the section has headings of its own",
        ),
    ],
)
def test_other_bold_lines_stay_paragraphs(html: str, why: str) -> None:
    assert {block.text for block in read(html) if block.kind == "heading"} <= {"A", "B"}, why


@pytest.mark.parametrize(
    ("html", "lists"),
    [
        ("<div>• Oil it.</div><div>• <b>Clean</b> it.</div>", "u"),
        ("<p>1. Oil it.<p>2. <b>Clean</b> it.", "o"),
        ("<p>1) Oil it.<br><p>2) <b>Clean</b> it.", "o"),
        ("<div><div>1.</div><div>Oil it.</div><div>2.</div><div><b>Clean</b> it.</div></div>", "o"),
    ],
)
def test_typed_bullets_and_numbers_make_a_list(html: str, lists: str) -> None:
    blocks = read(f"<h1>Care</h1><p>Every year:</p>{html}<p>Then sew.</p>")
    items = [block for block in blocks if block.kind == "li"]
    assert [(item.text, item.lists) for item in items] == [("Oil it.", lists), ("Clean it.", lists)]
    assert len({item.group for item in items}) == 1
    assert [items[1].text[mark.start : mark.stop] for mark in items[1].marks] == ["Clean"]


def test_a_typed_list_has_a_group_of_its_own() -> None:
    blocks = read("<ul><li>Oil<li>Needles</ul><p>• Thread</p><p>• Tape</p><p>Text.</p><p>1. A</p><p>2. B</p>")
    groups = [block.group for block in blocks if block.kind == "li"]
    assert groups[0] == groups[1] != groups[2] == groups[3] != groups[4] == groups[5] != groups[0]


@pytest.mark.parametrize(
    "html",
    [
        "<p>• One remark.</p>",
        "<p>1. Only one.</p>",
        "<p>2. Two.</p><p>3. Three.</p>",
        "<p>1914. War.</p><p>1915. More.</p>",
    ],
)
def test_a_single_item_or_a_number_out_of_order_is_no_list(html: str) -> None:
    assert {block.kind for block in read(f"{html}<p>Then sew.</p>")} == {"p"}


def test_a_first_row_in_bold_is_the_head_of_a_table_without_header_cells() -> None:
    rows = read("<table><tr><td><b>Needle</b><td><b>For</b><tr><td>70<td>Silk<tr><td>90<td>Jeans</table>")
    assert [row.kind for row in rows] == ["table_head", "table", "table"]
    rows = read("<table><tr><td><b>70</b><td>Silk<tr><td><b>90</b><td>Jeans</table>")
    assert [row.kind for row in rows] == ["table", "table"]
    rows = read("<table><tr><td><b>70</b><td><b>Silk</b><tr><td><b>90</b><td><b>Jeans</b></table>")
    assert [row.kind for row in rows] == ["table", "table"]
