"""Tables keep caption, head and aligned cells together; tables that lay out text are text."""

from __future__ import annotations

import pytest

from app.pages.extraction.blocks import MAX_TEXT_BYTES
from tests.support.html_pages import page, read


def test_a_table_keeps_caption_head_and_aligned_cells_together() -> None:
    rows = [block for block in page("pricing").blocks if block.group == "t1"]
    assert (rows[0].kind, rows[0].text, rows[0].cells) == ("caption", "What each plan comes with", ())
    assert [(row.kind, row.row_heads, row.cells) for row in rows[1:]] == [
        ("table_head", 0, ("", "Small shops", "Small shops", "Large shops")),
        ("table_head", 0, ("", "Solo", "Team", "Fleet")),
        ("table_head", 0, ("Planning",) * 4),
        ("table", 1, ("Reminders", "✓", "✓", "✓")),
        ("table", 1, ("Shared calendar", "–", "✓", "✓")),
        ("table", 1, ("Export (CSV | JSON)", "CSV", "CSV | JSON", "Included")),
        ("table", 1, ("Single sign-on", "", "", "✓")),
    ]


def test_a_cell_that_spans_rows_is_repeated_in_each_of_them() -> None:
    rows = read(
        "<table><tr><th>Shop<th>Day<th>Hours<tr><td rowspan=2>Leeds<td>Mon<td>9<tr><td>Tue<td>8"
        "<tr><td>York<td>Mon<td rowspan=9>closed<tr><td>Hull<td>Tue</table>"
    )
    assert [row.cells for row in rows[1:]] == [
        ("Leeds", "Mon", "9"), ("Leeds", "Tue", "8"), ("York", "Mon", "closed"), ("Hull", "Tue", "closed"),
    ]  # fmt: skip
    assert rows[2].text == "Tue | 8"
    assert {row.group for row in rows} == {"t1"}


@pytest.mark.parametrize("span", ["0", "-1", "x", "", "²", "9999999"])
def test_a_span_that_says_nothing_is_one(span: str) -> None:
    rows = read(f"<table><tr><th>A<th>B<tr><td colspan='{span}'>1<td>2</table>")
    assert rows[1].cells == ("1", "2")


def test_two_tables_are_two_groups() -> None:
    table = "<table><tr><td>a<td>b<tr><td>c<td>d</table>"
    assert [block.group for block in read(table + table)] == ["t1", "t1", "t2", "t2"]


@pytest.mark.parametrize(
    ("table", "kinds"),
    [
        ("<table><tr><td>One cell.</td></tr></table>", ["p"]),
        (f"<table><tr><td>Left</td><td><p>{'Long text here. ' * 50}</p></td></tr></table>", ["p", "p"]),
        ("<table><tr><td><ul><li>x</ul></td><td>y</td></tr></table>", ["li", "p"]),
        ("<table><tr><th>A<th>B<tr><td><ul><li>x</ul></td><td>y</td></tr></table>", ["table_head", "table"]),
        ("<table><tr><th><h3>A</h3><th><h3>B</h3><tr><td>x<td>y</table>", ["table_head", "table"]),
        ("<table><tr><td><h3>A</h3><td>y</table>", ["heading", "p"]),
        ("<table role=presentation><tr><th>A<th>B</table>", ["p", "p"]),
    ],
)
def test_a_table_that_lays_out_text_is_read_as_text(table: str, kinds: list[str]) -> None:
    assert [block.kind for block in read(table)] == kinds


def test_a_row_that_repeats_much_counts_with_all_its_cells() -> None:
    row = f"<tr><td colspan=40>{'x' * 190}</td><td>y</td></tr>"
    blocks = read(f"<table>{row * 300}</table>")
    assert sum(len(cell) for block in blocks for cell in block.cells) <= MAX_TEXT_BYTES
    assert 0 < len(blocks) < 300


def test_the_caption_of_a_figure_around_a_table_is_one_of_the_table() -> None:
    table = "<table><caption>One year</caption><tr><th>Item<th>Cost<tr><td>Delay<td>9</table>"
    found = read(f"<figure>{table}<figcaption>Our own model.</figcaption></figure><p>And so on it goes.")
    assert [(block.kind, block.group) for block in found] == [
        ("caption", "t1"), ("table_head", "t1"), ("table", "t1"), ("caption", "t1"), ("p", ""),
    ]  # fmt: skip


def test_the_caption_of_a_picture_beside_a_table_is_not_one_of_the_table() -> None:
    table = "<table><tr><th>Item<th>Cost<tr><td>Delay<td>9</table>"
    found = read(f"{table}<figure><img src=x alt=x><figcaption>A queue of lorries.</figcaption></figure>")
    assert [block.group for block in found if block.kind == "caption"] == [""]


def test_a_table_made_of_roles_is_a_table() -> None:
    row = (
        "<div role=row><div role=cell><span aria-hidden=true>Kind</span>{}</div><div role=cell>{}</div></div>"
    )
    heads = "<div role=row><div role=columnheader>Kind</div><div role=columnheader>Time</div></div>"
    rows = read(f"<div role=table>{heads}{row.format('Weed', '12 h')}{row.format('Mussels', '24 h')}</div>")
    assert [(each.kind, each.cells) for each in rows] == [
        ("table_head", ("Kind", "Time")), ("table", ("Weed", "12 h")), ("table", ("Mussels", "24 h")),
    ]  # fmt: skip


def test_a_list_made_of_roles_is_a_list() -> None:
    blocks = read("<div role=list><div role=listitem>Rinse it.</div><div role=listitem>Dry it.</div></div>")
    assert [(block.kind, block.text) for block in blocks] == [("li", "Rinse it."), ("li", "Dry it.")]


def test_cells_without_a_table_are_no_table() -> None:
    blocks = read("<div role=row><div role=cell>One day.</div><div role=cell>Two days.</div></div>")
    assert {block.kind for block in blocks} == {"p"}


def test_a_tick_is_the_words_beside_it_that_only_some_readers_hear() -> None:
    tick = "<svg aria-hidden=true></svg><span class='x sr-only'>Included</span>"
    none = "<span aria-hidden=true>—</span><span class='visually-hidden'>Not included</span>"
    rows = read(f"<table><tr><th>Part<th>Small<th>Large<tr><td>Log<td>{none}<td>{tick}</table>")
    assert rows[1].cells == ("Log", "Not included", "Included")


def test_a_table_with_something_in_one_cell_lays_out_a_line() -> None:
    assert [block.kind for block in read("<table><tr><td></td><td>Banjos</td></tr></table>")] == ["p"]
    assert [block.kind for block in read("<table><tr><td>Banjos</td><td>3</td></tr></table>")] == ["table"]


def test_a_table_of_links_with_signs_between_them_is_no_data() -> None:
    links = "".join(f'<td><a href="/{name}">{name}</a> |</td>' for name in "ABCDE")
    assert not [block for block in read(f"<table><tr>{links}</tr></table>") if block.kind == "table"]


def test_a_table_of_links_to_the_pages_before_and_after_is_no_data() -> None:
    links = '<td><a href="/1">&lt;&lt; Jams</a></td><td><a href="/3">Teas &gt;&gt;</a></td>'
    assert {block.kind for block in read(f"<table><tr>{links}</tr></table>")} == {"label"}
    without = links.replace("&lt;&lt; ", "").replace(" &gt;&gt;", "")
    assert {block.kind for block in read(f"<table><tr>{without}</tr></table>")} == {"table"}
