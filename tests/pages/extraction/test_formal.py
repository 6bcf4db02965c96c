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


@pytest.mark.parametrize("last", ["<tr><td>Hull<td>9", "<tr><td colspan=2>Closed in May<tr><td>Hull<td>9"])
def test_one_cell_across_the_columns_is_a_row_as_long_as_rows_follow_it(last: str) -> None:
    rows = read(f"<table><tr><th>Shop<th>Hours<tr><td colspan=2>In town<tr><td>Leeds<td>8{last}</table>")
    assert {row.kind for row in rows} == {"table_head", "table"}


def test_a_table_of_nothing_but_wide_cells_keeps_its_rows() -> None:
    rows = read("<table><tr><th>Note<th>2<tr><td colspan=2>Outdated</table>")
    assert [row.kind for row in rows] == ["table_head", "table"]
