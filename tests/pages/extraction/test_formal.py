"""Titled figures and tables of books made with DocBook: their titles are captions without their numbers."""

from __future__ import annotations

import pytest

from app.pages.extraction.formal import without_number
from tests.support.html_pages import read

TABLE = (
    '<div class="table"><a name="t"></a><p class="title"><b>Table 2.3. Folders of reports</b></p>'
    '<div class="table-contents"><table><thead><tr><th>System<th>Folder</thead>'
    "<tbody><tr><td>Unix<td>~/.local [a]<tr><td>macOS<td>~/Library</tbody>"
    '<tbody class="footnotes"><tr><td colspan="2"><p>[a] Up to 2.6 it was ~/.gnucash.</p></tbody>'
    "</table></div></div>"
)
FIGURE = (
    '<div class="figure"><p class="title"><b>Figure 7.8. The main window</b></p>'
    '<div class="figure-contents"><img src="window.png"></div></div>'
)


def test_the_title_of_a_table_and_the_note_below_it_are_its_captions() -> None:
    blocks = read(TABLE)
    assert [(block.kind, block.text) for block in blocks] == [
        ("caption", "Folders of reports"),
        ("table_head", "System | Folder"),
        ("table", "Unix | ~/.local [a]"),
        ("table", "macOS | ~/Library"),
        ("caption", "[a] Up to 2.6 it was ~/.gnucash."),
    ]
    assert {block.group for block in blocks} == {"t1"}


def test_the_title_of_a_figure_is_its_caption_and_no_heading_of_the_text_after_it() -> None:
    blocks = read(f"<h2>Pay the bill</h2>{FIGURE}<p>Now the statement and the account agree.</p>")
    assert [(block.kind, block.text, block.heading_path) for block in blocks] == [
        ("heading", "Pay the bill", ()),
        ("caption", "The main window", ("Pay the bill",)),
        ("p", "Now the statement and the account agree.", ("Pay the bill",)),
    ]
    assert {block.group for block in blocks} == {""}


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Tabelle 4.12. Ordner", "Ordner"),
        ("Figure 7-8. The window", "The window"),
        ("Table 5. Plans", "Plans"),
        ("3 plans. What they cost", "3 plans. What they cost"),
        ("Table 5.", "Table 5."),
    ],
)
def test_a_title_loses_its_number_in_the_book(title: str, shown: str) -> None:
    assert without_number(title) == shown


def test_an_example_is_headed_by_its_title_and_what_follows_it_is_not() -> None:
    example = (
        '<div class="example"><p class="title"><b>Example 9.8. A split</b></p>'
        '<div class="example-contents"><p>You held stock in June.</p></div></div>'
    )
    blocks = read(f"<h2>Splits</h2>{example}<p>Now the account has twice as many shares.</p>")
    assert [(block.text, block.heading_path) for block in blocks] == [
        ("Splits", ()),
        ("A split", ("Splits",)),
        ("You held stock in June.", ("Splits", "A split")),
        ("Now the account has twice as many shares.", ("Splits",)),
    ]


@pytest.mark.parametrize(
    "title", ['<p class="title" style="display:none">Hidden</p>', '<p class="subtitle">Below</p>']
)
def test_a_title_that_is_hidden_or_of_something_else_is_no_caption(title: str) -> None:
    blocks = read(f'<div class="figure">{title}<img src="a.png"></div><p>Text.</p>')
    assert "caption" not in {block.kind for block in blocks}


def test_a_figure_around_another_keeps_the_caption_of_its_table() -> None:
    inner = "<figure><img src='a.png'></figure><table><tr><th>A<th>B<tr><td>1<td>2</table>"
    blocks = read(f"<figure>{inner}<figcaption>Prices in 2026</figcaption></figure>")
    assert {block.group for block in blocks} == {"t1"}
    assert blocks[-1].kind == "caption"


def test_a_data_table_in_a_note_keeps_its_rows_and_the_layout_of_a_note_is_text() -> None:
    data = "<table><tr><th>Plan<th>Price<tr><td>Basic<td>£10</table>"
    assert [row.kind for row in read(f'<div class="admonition note">{data}</div>')] == ["table_head", "table"]
    layout = "<table><tr><td rowspan=2><img src='tip.png'><th>Tip<tr><td>Save before you close it.</table>"
    assert "table" not in {block.kind for block in read(f'<div class="tip">{layout}</div><p>Text.</p>')}


@pytest.mark.parametrize("last", ["<tr><td>Hull<td>9", "<tr><td colspan=2>Closed in May<tr><td>Hull<td>9"])
def test_one_cell_across_the_columns_is_a_row_as_long_as_rows_follow_it(last: str) -> None:
    rows = read(f"<table><tr><th>Shop<th>Hours<tr><td colspan=2>In town<tr><td>Leeds<td>8{last}</table>")
    assert {row.kind for row in rows} == {"table_head", "table"}


def test_the_end_of_a_row_that_a_cell_from_above_begins_is_no_note() -> None:
    rows = read(
        "<table><tr><th>Day<th>Time<th>Open<tr><td rowspan=2>Saturday<td>Morning<td>9"
        "<tr><td colspan=2>Afternoon closed</table>"
    )
    assert rows[-1].cells == ("Saturday", "Afternoon closed", "Afternoon closed")


def test_a_table_of_nothing_but_wide_cells_keeps_its_rows() -> None:
    rows = read("<table><tr><th>Note<th>2<tr><td colspan=2>Outdated</table>")
    assert [row.kind for row in rows] == ["table_head", "table"]
