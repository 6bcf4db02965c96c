"""Code and bold words of a page are known by their places in the text of their block."""

from __future__ import annotations

import pytest

from app.pages.extraction.blocks import Block
from tests.support.html_pages import read


def marked(block: Block) -> list[tuple[str, str]]:
    return [(kind, block.text[start:stop]) for kind, start, stop in block.marks]


@pytest.mark.parametrize(
    ("html", "marks"),
    [
        ("<p>The path is in <code>path</code>.", [("code", "path")]),
        ("<p>Press <b> New </b>, then <kbd>Enter</kbd>.", [("strong", "New"), ("code", "Enter")]),
        ("<p>Set  <code>a\n b</code>\n and\xad wait.", [("code", "a b")]),
        ("<p>Run <strong>now <code>make</code> it</strong> twice.", [("code", "make")]),
        ("<p>Nothing <code hidden>here</code> is <b></b> marked.", []),
        ("<p><i>\ue000</i> An icon and <code>a\ue002b</code> word.", [("code", "ab")]),
        ("<ul><li>One item with <tt>code</tt>.<li>Another item.</ul>", [("code", "code")]),
        ("<dl><dt><code>drop</code><dd>New series go.</dl>", [("code", "drop")]),
    ],
)
def test_the_marks_of_a_text_name_their_places(html: str, marks: list[tuple[str, str]]) -> None:
    assert marked(read(html)[0]) == marks


def test_a_word_that_is_code_only_once_is_marked_only_there() -> None:
    block = read("<p>The path is in <code>path</code>.")[0]
    assert [(mark.start, mark.stop) for mark in block.marks] == [(15, 19)]


def test_the_marks_of_a_row_have_their_places_in_the_row() -> None:
    rows = read(
        "<table><tr><th>Key<th>Value<th>Why<tr><td><code>a</code><td><td><b>Total</b></table>"
        "<table><tr><td><td>x<tr><td><td><code>b</code></table>"
    )
    assert marked(rows[1]) == [("code", "a"), ("strong", "Total")]
    assert marked(rows[3]) == [("code", "b")]
    assert rows[0].marks == ()


def test_marks_are_stored_with_their_block() -> None:
    block = read("<p>Press <b>New</b> and <code>Enter</code>.")[0]
    assert Block.from_json(block.to_json()) == block
    assert block.to_json()["marks"] == [["strong", 6, 9], ["code", 14, 19]]
