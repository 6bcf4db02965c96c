"""Pages that nest without end are read in steps that grow with their size alone."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import pytest

from app.pages.extraction.blocks import Extracted, OutLink
from app.pages.extraction.extract import extract

URL = "https://bees.org/hives"
_FEW, _MANY = 3, 120
_WORDS = "".join(f"<i>word{n} x</i> " for n in range(1000))
_NESTS = {
    "lists": ("<ul><li>", _WORDS),
    "lists of paragraphs": ("<ol><li><p>", _WORDS),
    "lists of links": ("<ul><li><a href=//wood.org/>", _WORDS),
    "links": ("<p><a href=//wood.org/><b>", _WORDS),
    "emphasis around a block": ("<span>", f"{_WORDS}<div>x</div>"),
    "forms": ("<form><div>", _WORDS),
    "questions inside questions": ("<details><summary>hives?", _WORDS),
    "tables": ("<table role=none><tr><td>", _WORDS),
    "rows": ("<table><tr><div><td><div>", _WORDS),
    "definitions": ("<dl><dt>hive<dd>", _WORDS),
    "quotations": ("<blockquote><div>", _WORDS),
    "quotations of lists": ("<blockquote><ul><li>", _WORDS),
    "boxes with prices": ("<div><b>£1</b>", _WORDS),
    "main parts": ("<main>", f"</main><p>{_WORDS}"),
    "hidden parts": ("<div hidden>", "".join(f"<a href=/{n}>more {n}</a>" for n in range(1000))),
}


def steps_of(read: Callable[[], Any]) -> int:
    """Return how many functions are called and left meanwhile."""
    steps = 0

    def count(frame: FrameType, event: str, argument: Any) -> None:
        nonlocal steps
        steps += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        read()
    finally:
        sys.setprofile(before)
    return steps


def read(html: str) -> Extracted:
    return extract(html.encode(), URL, "text/html")


@pytest.mark.parametrize("name", _NESTS)
def test_a_page_costs_no_more_for_nesting_its_elements(name: str) -> None:
    opened, content = _NESTS[name]
    few, many = (steps_of(lambda depth=depth: read(opened * depth + content)) for depth in (_FEW, _MANY))
    assert many < 2 * few


def test_a_link_inside_another_is_a_part_of_it() -> None:
    nested = '<a href="https://wood.org/a">the <b>old <a href="https://wood.org/b">keeper</a></b></a>'
    links = [link for block in read(f"<p>Ask {nested} of these hives.").blocks for link in block.links]
    assert links == [OutLink("the old keeper", "https://wood.org/a")]


def test_a_place_that_was_left_open_hides_no_links() -> None:
    page = read('<a name="top"><p>Ask <b><a href="https://wood.org/">wood people</a></b> about pine.')
    assert [link.url for block in page.blocks for link in block.links] == ["https://wood.org/"]


def test_inner_lists_are_judged_by_their_own_items() -> None:
    menu = "".join(f"<li><a href=/{n}>Place {n}</a></li>" for n in range(3))
    page = read(f"<ul><li>Hives stand in rows.<ul>{menu}</ul></li><li>Bees fly.</li></ul>")
    assert [block.text for block in page.blocks] == ["Hives stand in rows.", "Bees fly."]


def test_a_cell_inside_another_is_read_once() -> None:
    page = read("<table><tr><td>honey <div><td>wax</td></div></td></tr></table>")
    assert " ".join(block.text for block in page.blocks).count("wax") == 1


def test_what_is_hidden_stays_hidden_behind_a_deep_nest() -> None:
    nest = f"{'<div>' * 600}deep{'</div>' * 600}"
    page = read(f"<div hidden>{nest}<p>A hidden price of £99.</p></div><p>The hive stands in the sun.</p>")
    assert [block.text for block in page.blocks] == ["The hive stands in the sun."]


def test_text_in_a_deep_nest_is_read() -> None:
    nest = f"{'<div>' * 600}<p>Deep inside stands a hive.</p>{'</div>' * 600}"
    page = read(f"<main>{nest}<p>And outside.</p></main>")
    assert [block.text for block in page.blocks] == ["Deep inside stands a hive.", "And outside."]
